#!/bin/sh
# GNU parallel: job slots, output in order of completion and kept in order, a job log, a pipe split in blocks.
# shows: ^20 kept$
# shows: ^5000050000$
# level: full
set -eu
export HOME="$PWD"
mkdir -p .parallel; : >.parallel/will-cite
seq 1 20 | parallel -j4 --joblog jobs.log 'echo {} slot {%} pid $$; head -c {}00000 /dev/zero | sha256sum >/dev/null' >free.txt
cat free.txt
seq 1 20 | parallel -j4 -k 'echo {}' >kept.txt
seq 1 20 | cmp - kept.txt
echo "$(wc -l <kept.txt) kept"
seq 1 100000 | parallel -j4 --pipe --block 100k "awk '{s+=\$1} END {print s}'" | awk '{s+=$1} END {printf "%d\n", s}'
cut -f1,3,4,7 jobs.log
