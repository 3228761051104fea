# level: core
cd scratch; seq 1000 >data
openssl dgst -sha256 data; openssl dgst -sha3-256 -hmac key data
openssl enc -aes-256-ctr -K $(printf '0%.0s' {1..64}) -iv $(printf '1%.0s' {1..32}) -in data | openssl dgst -md5
openssl enc -aes-128-gcm 2>&1 | grep -c . >/dev/null
openssl genpkey -algorithm ed25519 -out key 2>/dev/null; openssl pkey -in key -pubout -out pub
openssl pkeyutl -sign -rawin -inkey key -in data -out sig
openssl pkeyutl -verify -rawin -pubin -inkey pub -in data -sigfile sig
openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 1 -subj /CN=test 2>/dev/null
openssl x509 -in c.pem -noout -subject; openssl rand 32 | wc -c; openssl rand -hex 8 | wc -c
openssl prime 97
openssl s_server -accept 0 -key k.pem -cert c.pem -naccept 1 -www >server 2>&1 &
for i in $(seq 200); do
  port=$(sed -n 's/.*:\([0-9]*\)$/\1/p' server | head -n 1)
  [ -n "$port" ] && break
  sleep 0.05
done
echo -e 'GET / HTTP/1.0\r\n\r' | openssl s_client -connect 127.0.0.1:$port -quiet -ign_eof 2>/dev/null |
  head -n 1 | tr -d '\r'
wait; openssl speed -seconds 1 -bytes 64 md5 2>/dev/null | grep -c ^md5
