#!/bin/bash
# Runs a command in an environment that is the same natively and in the container.
umask 022
ulimit -S -n 1024
ulimit -c 0
mkdir -p scratch/home
exec env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME="$PWD/scratch/home" \
  USER=tester LOGNAME=tester SHELL=/bin/sh LANG=C.UTF-8 TZ=UTC "$@"
