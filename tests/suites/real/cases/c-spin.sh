#!/bin/sh
# Busy-wait hand-off between threads with no syscalls in the spin loop (needs a scheduler that pre-empts a spinning thread).
# shows: ^spins \d+ \d+ \d+ ns \d+$
# level: normal
set -eu
here=$(dirname "$0")/c-spin
gcc -O1 -pthread -o s "$here/s.c"; ./s | tee out.txt
