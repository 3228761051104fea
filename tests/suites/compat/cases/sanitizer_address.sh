# level: core
for mistake in heap stack leak none; do
  ./bin/asan $mistake >out 2>err; echo "$mistake: status $?"
  grep -o -e 'heap-buffer-overflow' -e 'stack-buffer-overflow' -e '77 byte(s) leaked' \
    -e 'in main variants/asan.c:[0-9]*' err | sort -u
  cat out
done
rm err
