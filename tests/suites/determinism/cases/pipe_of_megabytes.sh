#!/bin/bash
# Writer and reader of a full pipe take turns in one way, and take as much time.
set -eu
mkdir tree
head -c 3000000 /dev/zero >tree/a
head -c 2000000 /dev/zero >tree/b
for _ in $(seq 10); do
	sh -c 'tar cf - tree | sha256sum; date +%N'
done
