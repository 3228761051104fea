#!/bin/sh
# setitimer/SIGALRM interrupting a loop, SIGCHLD order of children, kill() between processes, sigtimedwait, SIGPIPE, alarm vs read EINTR.
# shows: ^ticks at( \d+){8}$
# shows: ^reaped( [0-5]){6}$
# shows: ^read -1 Interrupted system call after
# options: --timers instant
# level: normal
set -eu
here=$(dirname "$0")/c-signals
gcc -O1 -o g "$here/g.c"; ./g | tee out.txt
