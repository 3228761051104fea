#!/bin/bash
# Every file of /sys has one content, and /sys one list of files. Does not differ natively: it is not read there,
# and nowhere where it is a real one: reading some of its files changes the machine (zram-control/hot_add).
set -eu
if [ "$(find /sys -type f | wc -l)" -gt 1000 ]; then
	echo "this is the host's /sys"
	exit 1
fi
find /sys | sort
find /sys -type f -readable | sort | xargs -r -d '\n' sha256sum
find /sys -type l -printf '%p -> %l\n' | sort
