# level: core
(ulimit -n 3; exec 0<&- 1>&-; /bin/true; echo $? >&2)
(ulimit -n 4; /bin/echo four)
(ulimit -n 20; ulimit -n; cat /proc/self/limits | grep 'open files')
(ulimit -n 20; sh -c 'sh -c "ls /proc/self/fd | wc -l"')
(ulimit -v 200000; /bin/echo memory; perl -e 'my $x = "x" x 300_000_000' 2>/dev/null; echo $?)
(ulimit -v 100000; ulimit -n 10; for i in 1 2 3; do /bin/echo $i | cat; done)
(ulimit -d 2000; ulimit -d; /bin/echo data; ./bin/static_glibc 7; echo $?; ./bin/static_pie 7; echo $?)
(ulimit -d 20000; perl -e 'my $x = "x" x 300_000_000' 2>/dev/null; echo $?)
(ulimit -s 256; /bin/echo stack)
{ (ulimit -f 0; /bin/echo file >limited; echo $?); } 2>/dev/null
{ (ulimit -t 1; perl -e '1 while 1'; echo $?); } 2>/dev/null
