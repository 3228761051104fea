#!/bin/sh
# nginx with two workers and sendfile; curl: one after another, eight processes at once, many transfers in one process.
# shows: ^71 requests answered$
# shows: ^same$
# level: full
set -eu
mkdir -p root logs tmp
i=1
while [ $i -le 30 ]; do
  seq 1 $((i * 700)) >root/f$i.txt
  i=$((i + 1))
done
cat >nginx.conf <<C
daemon off;
user root;
worker_processes 2;
pid $PWD/nginx.pid;
error_log $PWD/logs/error.log info;
events { worker_connections 64; }
http {
  access_log $PWD/logs/access.log combined;
  client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp; uwsgi_temp_path tmp; scgi_temp_path tmp;
  sendfile on;
  gzip on; gzip_types text/plain;
  server { listen 127.0.0.1:8088; root $PWD/root; location /status { return 200 "up \$connection \$msec\n"; } }
}
C
nginx -p "$PWD" -e logs/early.log -c nginx.conf &
server=$!
curl -sS --retry 20 --retry-connrefused --retry-delay 1 http://127.0.0.1:8088/status
# shellcheck disable=SC2016 # the inner shell expands it
seq 1 30 | xargs -P 8 -I N sh -c 'curl -sS -o got.N http://127.0.0.1:8088/fN.txt; echo N $(wc -c <got.N)'
mkdir many
curl -sS --no-progress-meter --parallel --parallel-max 10 --compressed -o 'many/#1' 'http://127.0.0.1:8088/f[1-30].txt' || exit 1
seq 1 10 | xargs -P 5 -I N curl -sS 'http://127.0.0.1:8088/status?N'
kill -QUIT $server
wait $server
for i in 1 7 30; do cmp root/f$i.txt got.$i; cmp root/f$i.txt many/$i; done && echo same
echo "$(wc -l <logs/access.log) requests answered"
head -5 logs/access.log
