# level: core
seq 1 20 | sed -n '5,10{s/1/one/;p}'; seq 3 | sed 'N;s/\n/-/'
echo abc | sed -E 's/(a)(b)/\2\1/;y/c/z/'; seq 5 >f; sed -i.bak '2d;$a end' f; cat f f.bak
sed -n '$=' f; printf 'x\n' | sed 'h;G;G'; sed 'w copy' f >/dev/null
for awk in mawk gawk; do
  $awk 'BEGIN { for (i = 0; i < 5; i++) printf "%d:%.3f ", i, sqrt(i); print "" }'
  seq 1000 | $awk '{ s += $1; c[$1 % 7]++ } END { print s; for (k = 0; k < 7; k++) print k, c[k] }'
  $awk 'BEGIN { "echo from a pipe" | getline x; print x
    print "sorted" | "sort"; close("sort")
    system("exit 3"); print toupper(substr("hello", 2, 3)) }'
  $awk -F: '$3 == 0 { print $1, NR }' /etc/passwd
done
gawk 'BEGIN { cmd = "cat"; print "both ways" |& cmd; close(cmd, "to"); cmd |& getline r; print r; print strftime("%Y", 0, 1) }'
