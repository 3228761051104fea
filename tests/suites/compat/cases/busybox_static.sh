# level: core
b=/bin/busybox; file=$($b readlink -f $b); $b head -c 4 "$file" | $b od -c
$b sh -c 'for i in 1 2 3; do echo $i | $0 sed s/2/two/; done; $0 seq 5 | $0 awk "{ s += \$1 } END { print s }"; exit 4' $b; echo $?
$b seq 200 >n; $b tar cf - n | $b tar tf -; $b gzip -c n | $b gunzip | $b md5sum; $b find . -name n
$b sort -rn n | $b head -n 2
$b ash -c 'trap "echo t" TERM; kill -TERM $$; sleep 0.01; (exit 3); echo $?'; $b sleep 10 & kill $!
wait $!; echo $?; $b vi --help 2>&1 | $b head -n 1 | $b cut -c 1-7; $b sh -c 'yes | head -n 3 | cat'
$b xargs -n 1 echo <<<'a b'; $b nosuch; echo $?
