# level: core
# A 32-bit program ends the run with one line and status 125.
err=$("$STET" run --relax all -- ./bin/elf32 2>&1 >out); status=$?
echo "status $status: $err"; cat out
[ $status -eq 125 ] && [ ! -s out ] && [ "$(grep -c '^stet: ' <<<"$err")" -eq 1 ] && grep -q 32-bit <<<"$err"
