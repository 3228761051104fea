#!/bin/sh
# Math.random, Date, hrtime, competing timers, worker_threads, crypto, child processes, directory listing.
# shows: ^worker 3,
# shows: ^timer 5 
# shows: ^pbkdf 3 
# shows: ^race \d$
# shows: ^cpu \{
# level: normal
set -eu
here=$(dirname "$0")/node-timers
mkdir -p d; for i in 1 2 3 4 5 6; do : > d/f$i; done
node "$here/main.js" | tee out.txt
