# level: core
for kind in race none; do
  ./bin/tsan $kind >out 2>err; echo "$kind: status $?"
  grep -o -e 'WARNING: ThreadSanitizer: data race' -e FATAL err | sort -u; cat out
done
rm err
