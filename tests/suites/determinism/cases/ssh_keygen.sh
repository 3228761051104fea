#!/bin/bash
# Keys come from the seed: fingerprints, pictures, and the private keys themselves.
# level: normal
set -eu
for kind in rsa ed25519; do
	ssh-keygen -q -t $kind -N '' -C somebody -f key.$kind
	ssh-keygen -l -v -f key.$kind
	cat key.$kind
done
