#!/bin/sh
# PostgreSQL: initdb, a server, pgbench with four clients in two threads over a UNIX socket, a clean end.
# The files of the database count too: they hold transaction numbers, times, and the log in the order of commits.
# shows: ^number of transactions actually processed: 400/400$
# shows: ^400$
# shows: ^database system is shut down$
# level: full
set -eu
bin=$(echo /usr/lib/postgresql/*/bin)
as() { setpriv --reuid=postgres --regid=postgres --clear-groups env HOME="$PWD" "$@"; }
mkdir data socket
chown postgres data socket .
as "$bin/initdb" -D data -A trust -E UTF8 --locale=C.UTF-8 >initdb.txt
cat >>data/postgresql.conf <<C
listen_addresses = ''
unix_socket_directories = '$PWD/socket'
shared_buffers = 16MB
max_connections = 20
log_line_prefix = '%m [%p] '
C
as "$bin/pg_ctl" -D data -l server.log -w start
export PGHOST="$PWD/socket" PGUSER=postgres PGDATABASE=postgres
"$bin/pgbench" -i -q -s 1 2>&1 | tail -1
"$bin/pgbench" -c 4 -j 2 -t 100 --progress=1 2>&1
psql -Atc 'select count(*) from pgbench_history'
psql -Atc 'select sum(abalance) = (select sum(delta) from pgbench_history) from pgbench_accounts'
psql -Atc 'select tid, bid, aid, delta, mtime from pgbench_history order by mtime limit 3'
as "$bin/pg_ctl" -D data -w -m fast stop
sed -n 's/.*LOG:  //p' server.log | tail -1
