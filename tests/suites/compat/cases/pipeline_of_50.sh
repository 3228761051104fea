# level: core
command='seq 1 20000'; for i in $(seq 50); do command="$command | cat"; done; eval "$command" | md5sum
command='yes'; for i in $(seq 50); do command="$command | cat"; done; eval "$command" | head -n 100000 | md5sum; echo "${PIPESTATUS[@]}"
