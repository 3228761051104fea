# Compressors and checksums that use whatever instructions there are.
cd /tmp || exit 1
tar cf headers.tar -C /usr/include . && ls -l headers.tar
gzip -9k headers.tar && xz -1 -T2 -k headers.tar
sha256sum headers.tar* && md5sum headers.tar && b2sum headers.tar && cksum headers.tar && sha1sum headers.tar
gzip -dc headers.tar.gz | cmp - headers.tar && xz -dc headers.tar.xz | cmp - headers.tar
sort -S 1M --parallel=4 -k2 /usr/include/linux/*.h | sha256sum
