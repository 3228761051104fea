#!/bin/bash
# Two shuffles in one run differ from each other, and both are the same in each run.
set -eu
seq 1000 >numbers
shuf numbers >first
shuf numbers >second
head -3 first second
if cmp -s first second; then exit 1; fi
sort -n first | cmp - numbers
sort -R numbers | head -3
shuf -i 1-1000000 -n 5
