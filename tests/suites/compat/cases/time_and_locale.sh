# level: core
TZ=Europe/Berlin date -d @1000000000; TZ=UTC date -d @1000000000; LC_ALL=C sort <<<$'b\nA\na'
LC_ALL=C.UTF-8 sort <<<$'b\nA\na'; a=$(date +%s); sleep 1.1; b=$(date +%s)
echo $((b - a >= 1 && b - a <= 3)); TIMEFORMAT=%R; { time sleep 0.2; } 2>&1 | awk '{ print ($1 >= 0.2) }'
perl -MTime::HiRes=time,sleep -e '$t = time; sleep 0.1; $d = time - $t; print $d >= 0.1 && $d < 1 ? "ok\n" : "no $d\n"'
expr $(date +%Y) '>' 2020
