#!/bin/sh
# redis-server and redis-benchmark over loopback: an event loop, background threads, a forked save.
# shows: ^PONG$
# shows: ^"SET",
# shows: ^keys [1-9]
# level: full
set -eu
redis-server --port 6400 --bind 127.0.0.1 --dir "$PWD" --save '' --appendonly no --logfile redis.log &
server=$!
n=0
until redis-cli -p 6400 ping >/dev/null 2>&1; do
  sleep 0.1
  n=$((n + 1)); [ $n -lt 100 ]
done
redis-cli -p 6400 ping
redis-benchmark -p 6400 -c 10 -n 1000 -r 500 -t set,get,incr,lpush,zadd --csv
redis-cli -p 6400 bgsave
n=0
until [ "$(redis-cli -p 6400 info persistence | grep -c 'rdb_bgsave_in_progress:0')" = 1 ]; do
  sleep 0.1
  n=$((n + 1)); [ $n -lt 100 ]
done
echo "keys $(redis-cli -p 6400 dbsize)"
redis-cli -p 6400 info stats | grep -E 'total_commands|keyspace_hits'
redis-cli -p 6400 shutdown nosave
wait $server
sha256sum dump.rdb
