#!/bin/sh
# sort with four threads and temporary files on 400,000 lines: ties come out in the order of merging.
# shows: ^sorted$
# shows: ^400000 lines$
# level: normal
set -eu
awk 'BEGIN {x = 1; for (i = 0; i < 400000; i++) {x = (x * 1103515245 + 12345) % 2147483648; printf "%d %d\n", x % 5000, i}}' >in.txt
sort --parallel=4 -S 4M -k1,1n in.txt >out.txt
sort -c -k1,1n out.txt && echo sorted
echo "$(wc -l <out.txt) lines"
sort --parallel=4 -S 200M -s -k1,1n in.txt | sha256sum
sha256sum out.txt
rm in.txt out.txt
