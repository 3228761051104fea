# level: core
# Most of coreutils, each on something small.
set -u
seq 1 100 >numbers
printf 'pear\napple\nfig\napple\n' >fruit
sort fruit; sort -u fruit | tr a-z A-Z; uniq -c <(sort fruit); wc numbers; head -n 3 numbers; tail -n 3 numbers
cut -c 2 numbers | sort | uniq -c; paste -d, fruit fruit; join <(sort fruit) <(sort -u fruit); comm -12 <(sort -u fruit) fruit 2>&1
nl fruit; tac fruit; rev fruit; fold -w 3 fruit; expand -t 2 <<<$'a\tb'; fmt -w 20 numbers; pr -t -3 -l 40 numbers
od -c fruit; base64 fruit; base32 fruit; cksum fruit; md5sum fruit; sha1sum fruit; sha256sum fruit; sha512sum fruit; b2sum fruit
split -n 4 numbers part-; csplit -q numbers 50; shuf -i 1-10 --random-source=numbers
factor 123456789; expr 6 '*' 7; numfmt --to=iec 1048576
mkdir -p a/b/c; cp numbers a/b; cp -a a copy; mv copy moved; ln fruit hard; ln -s fruit soft; readlink soft; realpath --relative-to=. soft
install -m 600 fruit installed; chmod 751 a; stat -c '%n %s %f %h' fruit a soft
touch -d @1000000000 stamped; stat -c %Y stamped; date -u -r stamped
test -x /bin/sh && echo executable; [ fruit -ef hard ] && echo same; truncate -s 5000 big; dd if=numbers of=block bs=16 count=2 2>/dev/null
ls -l --time-style=+ a | awk '{ print $1, $NF }'; ls -R a; du -a --apparent-size moved/b | cut -f 2 | sort; basename /x/y.z .z; dirname /x/y
mktemp -d scratch/XXXXXX >/dev/null && echo made; mkfifo fifo; (cat fruit >fifo &); cat fifo
tee one two <fruit >/dev/null; rm one; rmdir moved/b 2>&1
env -i A=1 env; printenv LANG; printf '%05.2f|%x|%s\n' 3.14159 255 word; yes | head -n 2; seq 3 -1 1
sleep 0.01; timeout 5 true; timeout 0.1 sleep 5; echo $?
nproc | grep -q . && echo cpus; pathchk a/b; id -u | grep -c .; tty; true; false; echo $?
nohup echo kept; nice -n 5 nice; stdbuf -oL echo line
ptx -G -w 40 fruit; tsort <<<'a b b c'; printf 'x%.0s' {1..5000} | wc -c; sync fruit
shred -u one 2>&1; dircolors -b | head -n 1; rm -rf moved; ls
