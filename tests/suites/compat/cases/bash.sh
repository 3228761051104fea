# level: core
# The shell itself: pipelines, traps, coprocesses, job control, here-documents, arrays.
set -u
(trap 'echo exiting' EXIT; exit 3); echo $?
trap 'echo usr1' USR1
kill -USR1 $$; kill -USR1 $BASHPID
a=(one two three); declare -A m=([k]=v); echo "${a[@]:1}" "${m[k]}" "${a[1]^^}" $((2**40)) "${#a[@]}"
coproc cat; echo to coprocess >&${COPROC[1]}; read -r line <&${COPROC[0]}; echo "$line"; eval "exec ${COPROC[1]}>&-"
false | true | (exit 3); echo "${PIPESTATUS[@]}"
cat <<EOF | while read -r x; do echo "<$x>"; done
first
second $((1 + 1))
EOF
sleep 30 & kill $!; wait $! 2>/dev/null; echo $?
(exit 7) & wait $!; echo $?
for i in 1 2 3 4 5; do (sleep 0.$i; echo job $i) & done | sort; wait
set -m; (exit 8) & wait %1; echo $?; set +m
{ echo out; echo err >&2; } 2>&1 | sort
exec 5>scratch/five; echo five >&5; exec 5>&-; cat scratch/five
echo $(for i in $(seq 200); do echo $(echo $i | sed s/1/x/); done | md5sum)
diff <(seq 5) <(seq 6); echo $?
ulimit -n; umask; shopt -s extglob; [[ abc == a@(b|x)c ]] && echo glob; printf '%q\n' 'a b'
{ bash -c 'kill -SEGV $$'; echo $?; } 2>/dev/null; bash -c 'exec nosuchcommand'; echo $?; bash -c '/etc/passwd'; echo $?
timeout -s INT 1 bash -c 'trap "echo int; exit 9" INT; while :; do sleep 0.01; done'; echo $?
