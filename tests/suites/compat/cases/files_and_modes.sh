# level: core
umask 027; mkdir -p d/e; echo a >d/f; chmod 755 d/f; chmod 1777 d/e; ln d/f d/hard
ln -s nowhere d/dangling; mkfifo d/fifo; touch -d '2001-02-03 04:05:06' d/f
stat -c '%n %A %h %s %Y' d/* | sed 's/ [0-9]* [0-9]*$//'; stat -c %Y d/f; mv d/hard d/renamed
[ d/f -ef d/renamed ] && echo linked
echo b >>d/f; cat d/renamed; : >d/f; wc -c <d/f; cp --reflink=auto /bin/true t
cmp t /bin/true && ./t && echo ran; rm t; touch 'name with  blanks' $'new\nline' ünïcödé; ls -b
cd d && pwd -P | grep -c /d$; cd ..; rmdir d; echo $?; rm -rf d/e; ls d; flock d/f echo locked
truncate -s 1G sparse; du -k sparse | cut -f 1; rm sparse; exec 3>gone; rm gone; echo still >&3
cat /proc/self/fd/3 2>/dev/null | wc -c
setfattr -n user.x -v y d/f 2>/dev/null; for i in $(seq 300); do : >d/$i; done; ls d | wc -l
find d -name '2*' -delete; ls d | wc -l; mktemp -u XXXXXX >/dev/null
cat /dev/null /dev/zero | head -c 10 | od -c; head -c 16 /dev/urandom | wc -c; echo x >/dev/full; echo $?
(echo tty >/dev/tty) 2>/dev/null; echo $?; test -c /dev/null -a -d /proc && echo devices
