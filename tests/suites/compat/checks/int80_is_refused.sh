# level: core
# The 32-bit door of the kernel is shut: ENOSYS (38), as from a kernel without it, or the end of the run.
out=$("$STET" run --relax all -- ./bin/int80 2>err); status=$?
echo "status $status: $out"; cat err
[ $status -ne 0 ] || exit 1
[ "$out" = 'int 0x80 answered -38' ] || grep -q '^stet: ' err
