#!/bin/sh
# Unseeded training of a small CNN/MLP on synthetic data, 2 intra-op threads, shuffling DataLoader with 2 worker processes.
# shows: ^epoch 5 loss [01]\.
# shows: ^seed \d+$
# shows: model\.pt$
# level: full
set -eu
here=$(dirname "$0")/ml-torch
/usr/bin/python3 "$here/train.py"
sha256sum model.pt losses.txt
