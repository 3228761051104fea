#!/bin/sh
# TCP and UDP on 127.0.0.1, ephemeral ports, accept order, unix sockets, socketpair, threaded HTTP server with 20 concurrent clients.
# shows: ^accept client11 
# shows: ^udp \['\d\.0'
# shows: ^http \[
# shows: ^chunks \[
# level: full
set -eu
here=$(dirname "$0")/net-localhost
/usr/bin/python3 "$here/n.py" | tee out.txt
