#!/bin/sh
# Several writers into one pipe, partial reads, poll() readiness order, FIFO, writer/reader interleaving, shell pipelines racing on one file.
# shows: ^pipe capacity writes 
# shows: ^ready( \(\d\)| \d)+$
# shows: ^300000 dd.out$
set -eu
here=$(dirname "$0")/c-pipes
gcc -O1 -o p "$here/p.c"; ./p | tee out.txt
: > log; for i in 1 2 3 4 5 6; do ( j=0; while [ $j -lt 20 ]; do echo "$i $j" >> log; j=$((j+1)); done ) & done; wait; sha256sum log
mkfifo ff; (for i in 1 2 3 4; do ( seq $((i*1000)) $((i*1000+300)) > ff ) & done; wait) & cat ff > merged; wait; sha256sum merged; rm ff
seq 1 20000 | tee /dev/stderr 2>err.txt | (sed -n 5000p; sleep 0.01; wc -l) ; yes | head -c 300000 | dd bs=65536 2>&1 >dd.out | head -2; wc -c dd.out
