#!/bin/sh
# copies.sh N SCRIPT: so many runs of a script at the same time, each in a directory of its own.
set -eu
count=$1 script=$2
pids=
for number in $(seq "$count"); do
	mkdir "$number"
	(cd "$number" && exec sh "$script" >out 2>err) &
	pids="$pids $!"
done
for pid in $pids; do
	wait "$pid"
done
