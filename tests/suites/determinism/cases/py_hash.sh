#!/bin/sh
# id(), str-set order, hash(), default object repr, uuid, urandom, tempfile, listdir, pid, time: everything PYTHONHASHSEED/ASLR/clock driven.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
unset PYTHONHASHSEED || true
mkdir -p d; for i in 1 2 3 4 5 6 7 8 9; do : > d/f$i; done
/usr/bin/python3 "$here/py_hash.py" | tee out.txt
