#!/bin/bash
# ps shows the container's processes alone, with the container's numbers and logical times.
set -eu
sh -c 'ps -p $$; echo $$' | tr -s ' '
ps -e -o pid= -o ppid= -o stat= -o comm= | tr -s ' ' | grep -v ' tr$'
