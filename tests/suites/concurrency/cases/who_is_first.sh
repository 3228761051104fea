# Locks by mkdir and by flock, a FIFO that several read, and signals between shells.
compete() { for i in 1 2 3 4; do mkdir "lock$i" 2>/dev/null && echo "$1 got $i"; flock log sh -c "echo $1 >>log"; done; }
: >log
compete a & compete b & compete c & wait
uniq -c log
mkfifo fifo
for i in 1 2 3; do (while read -r line; do echo "$i: $line"; done <fifo) & done
seq 60 >fifo
wait
trap 'count=$((count + 1))' USR1
for i in 1 2 3 4 5; do (kill -USR1 $$) & done
for i in $(seq 50); do :; done
wait; wait; wait; wait; wait
echo "count: $count"
