#!/bin/bash
# bash's own stopwatch runs by logical time: a word takes no time to speak of, a sleep of a second takes a second.
# Does not differ natively: what is shown is rounded.
set -eu
exec 2>&1
TIMEFORMAT='%0R %0U %0S'
time echo "Hello world"
time sleep 1
time (sleep 2 & sleep 3; wait)
TIMEFORMAT=
start=$SECONDS
sleep 10
[ $((SECONDS - start)) -ge 10 ]
echo "10 s have passed"
