#!/bin/bash
# Every file of /sys has one content, and /sys one list of files. Does not differ natively: it is not read there,
# where a read can ask a device.
set -eu
find /sys | sort
find /sys -type f -readable | sort | xargs -r -d '\n' sha256sum
find /sys -type l -printf '%p -> %l\n' | sort
