# Pipelines whose stages run at the same time: how far a writer gets before its reader is gone, what a reader finds
# at once, and lines of two branches that meet again.
(for i in $(seq 1000); do echo "$i" || break; done; echo "wrote up to $i" >&2) 2>&1 | head -3
(trap '' PIPE; i=0; while echo line 2>/dev/null; do i=$((i + 1)); done; echo "$i lines" >&2) | (read -r line; echo "$line")
seq 300 | tee >(sed 's/^/a/') >(sed 's/^/b/') | sed 's/^/c/' | paste -sd' ' | md5sum
(seq 100 | sed 's/^/x/' & seq 100 | sed 's/^/y/' & wait) | uniq -c -w1 | head -20
yes | dd bs=3000 count=20 2>&1 | wc -c
