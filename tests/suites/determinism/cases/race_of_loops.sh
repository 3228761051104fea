#!/bin/bash
# Two loops that write to one file and one pipe at the same time mix in one way.
set -eu
loop()
{
	for ((i = 0; i < 500; i++)); do
		echo "$1 $i"
		echo "$1 $i" >>both
	done
}
(loop first & loop second & wait) | tee seen | uniq -c -w 3 | head -50
wc -l <seen
wc -l <both
echo $$
