#!/bin/sh
# rdtsc / rdtscp from user space (PR_SET_TSC can trap it) and TSC-seeded PRNG.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
gcc -O1 -o r "$here/c_rdtsc.c"; ./r | tee out.txt
