#!/bin/sh
# np.random unseeded Monte-Carlo in 4 processes (imap_unordered) and 4 threads.
# shows: ^11 \d+ 3\.1
# shows: ^\[\(\d, 
# level: full
set -eu
here=$(dirname "$0")/ml-numpy
/usr/bin/python3 "$here/mc.py" | tee out.txt
