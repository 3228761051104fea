#!/bin/sh
# The machine as a shell shows it: clock, names, files, CPU, randomness, identity.
date
ls -la
stat .
cat /proc/cpuinfo /proc/uptime
head -c 16 /dev/urandom | od -x
# shellcheck disable=SC3028 # empty where the shell has none
echo $$ "$RANDOM"
mktemp -u
uname -a
