# Keys from random numbers, and ciphers with code for each kind of processor.
cd /tmp || exit 1
openssl rand -hex 16
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out rsa.pem 2>/dev/null && openssl genpkey -algorithm ED25519 -out ed.pem
openssl req -x509 -new -key ed.pem -subj /CN=stet -days 30 -out ed.crt && openssl x509 -in ed.crt -text -noout
for cipher in aes-256-ctr aes-128-cbc chacha20; do
	head -c 1000000 /dev/zero | openssl enc -$cipher -K 0102030405060708090a0b0c0d0e0f10 -iv 01020304 2>/dev/null | sha256sum
done
for hash in sha1 sha512 sha3-256 blake2b512; do openssl dgst -$hash rsa.pem; done
