#!/bin/bash
# ps shows the container's processes alone, with the container's numbers and logical times.
set -eu
sh -c 'ps -p $$; echo $$' >list
tr -s ' ' <list
ps -e -o pid= -o ppid= -o stat= -o comm= >list
tr -s ' ' <list
