# Times, process numbers, random names, orders of files.
date +%s.%N
echo $$ "$(sh -c 'echo $$')" "$(mktemp)" "$(mktemp -d)"
head -c 16 /dev/urandom | od -An -tx1
cd /tmp || exit 1
for i in 1 2 3 4 5 6 7 8; do (echo "$i" >"file$i"; echo "done $i") & done
wait
ls -lai
stat .
find /usr/bin | sort -R | tail -n 5
shuf -n 5 -i 1-1000000
du -s /usr/lib/gcc
