#!/bin/sh
# pthreads: completion order, racy counter, condvar hand-off order, trylock winners, thread ids.
# shows: ^racy \d+ \(max 2400000\)$
# shows: ^won( \d+){8}$
# level: normal
set -eu
here=$(dirname "$0")/c-threads
gcc -O1 -pthread -o t "$here/t.c"
for _ in 1 2 3; do ./t; done | tee out.txt
