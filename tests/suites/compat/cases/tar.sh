# level: core
mkdir -p src/d; for i in $(seq 40); do head -c $((i * 999)) /usr/bin/perl >src/d/$i; done
ln -s d/1 src/link; ln src/d/1 src/hard; chmod 640 src/d/2
options='--sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner'
for z in gzip xz zstd bzip2; do
  command -v $z >/dev/null || { echo no $z; continue; }
  tar $options -I "$z" -cf a.tar.$z src; sha256sum a.tar.$z; mkdir out-$z
  tar -I $z -xf a.tar.$z -C out-$z --no-same-owner; diff -r src out-$z/src && echo same
  tar -I $z -tf a.tar.$z | tail -n 3; rm a.tar.$z
done
tar $options -czf t.tgz src && tar xOzf t.tgz src/d/3 | md5sum
gzip -n -9 <src/d/9 | gunzip | cmp - src/d/9; xz -T2 -c src/d/40 | xz -dc | md5sum
zstd -q -T2 -c src/d/40 | zstd -dqc | md5sum
tar $options -cf - src | (mkdir piped; cd piped; tar xf - --no-same-owner); ls piped/src | head -n 3
echo junk | tar xz 2>/dev/null; echo $?; rm -rf out-* piped
