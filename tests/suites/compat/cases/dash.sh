# level: core
cat >script <<'EOF'
trap 'echo bye' EXIT
trap 'echo term' TERM
kill -TERM $$
i=0; while [ $i -lt 300 ]; do i=$((i+1)); x=$(echo $i | tr 0-9 a-j); done; echo $x
f() { local y=$1; echo f:$y; return 4; }; f arg; echo $?
(echo sub; exit 2) || echo failed $?
echo a b c | { read x y; echo "$y"; }
trap - TERM # a child that still has the handler may be between fork and exec
sleep 20 & kill $!; wait $!; echo $?
cat <<END
here $i
END
set -- 1 2 3; shift; echo $@ $#
case $x in j*) echo no;; *) echo yes;; esac
exit 6
EOF
dash script; echo $?
