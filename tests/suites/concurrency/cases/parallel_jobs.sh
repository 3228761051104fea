# Jobs of xargs -P, make -j and the shell: the order of their lines, and of their ends.
seq 12 | xargs -P 4 -I{} sh -c 'echo start {}; test $(({} % 3)) = 0 && ls / >/dev/null; echo end {}'
printf 'all: %s\nj%%:\n\t@echo $@ begins; cat /etc/passwd >$@; echo $@ ends\n' "$(seq -f j%g -s' ' 10)" >Makefile
make -s -j4
ls -U
for i in 1 2 3 4 5; do (echo "job $i"; exit "$i") & done
while wait -n; status=$?; test $status != 127; do echo "ended: $status"; done
