# level: core
# A program with the set-user-ID bit runs with the identity of its caller.
cp /usr/bin/id id-setuid && chmod 6755 id-setuid
for user in 0:0 1000:1000; do
  for how in -u -ru -g; do
    plain=$("$STET" run --relax all --user $user -- id $how) || exit 1
    special=$("$STET" run --relax all --user $user -- ./id-setuid $how) || exit 1
    echo "$user $how: $plain $special"
    [ "$plain" = "$special" ] || exit 1
  done
done
"$STET" run --relax all -- grep -q 'NoNewPrivs:.*1' /proc/self/status
