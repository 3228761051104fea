#!/bin/sh
# xz with four threads on 20 MB in blocks: the order of blocks, and one input back.
# shows: ^same$
# shows: ^blocks 6$
# level: normal
set -eu
seq 1 2800000 >data.txt
wc -c data.txt
xz -1 -T4 --block-size=4000000 -k data.txt
xz --list --robot data.txt.xz | awk '$1 == "totals" {print "blocks " $3}'
xz -dc -T4 data.txt.xz | cmp - data.txt && echo same
sha256sum data.txt.xz
rm data.txt
