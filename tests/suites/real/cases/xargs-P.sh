#!/bin/sh
# xargs -P: eight at a time, of different lengths, all writing to one file and to one output.
# shows: ^40 finished$
set -eu
cat >work.sh <<'W'
i=0
while [ $i -lt $(($1 % 7 * 200)) ]; do i=$((i + 1)); done
echo "job $1 pid $$ at $(date +%s.%N)"
echo "$1" >>finished.txt
W
seq 1 40 | xargs -P 8 -n 1 sh work.sh | tee out.txt
echo "$(wc -l <finished.txt) finished"
tr '\n' ' ' <finished.txt; echo
find /usr/include/linux -name '*.h' -print0 | xargs -0 -P 4 -n 20 sha256sum >sums.txt
sort -k2 sums.txt | sha256sum
head -1 sums.txt
