# What a run sees of its files, and leaves behind, is not the affair of the file system below.
# shellcheck shell=bash disable=SC2015,SC2016,SC2034,SC2089,SC2090,SC2154

# Everything that file systems are known to answer in their own way.
metadata='
set -e
mkdir -p tree/a/b tree/empty
for i in $(seq 40); do echo $i >tree/a/file$i; done
: >tree/zero
printf 1234567890 >tree/ten
head -c 100000 /dev/zero >tree/zeros
truncate -s 3M tree/hole
printf x | dd of=tree/tail bs=1 seek=2000000 status=none
cp --sparse=always tree/zeros tree/sparse
cp --reflink=auto tree/ten tree/copy
ln tree/ten tree/linked
ln -s ten tree/short
ln -s "$(printf %0200d 0)" tree/long
mkfifo tree/pipe
mv tree/a/file7 tree/a/b/moved
mv tree/a/file8 tree/a/file9
rm tree/a/file1*
rmdir tree/empty
chmod 600 tree/ten
touch -d 2001-02-03T04:05:06.789012345 tree/zero
echo more >>tree/copy
fallocate -l 50000 tree/reserved || echo "no fallocate"
setfattr -n user.name -v value tree/ten 2>/dev/null && getfattr -d tree/ten || echo "no attributes"
ls -lai --full-time tree tree/a tree/a/b
ls -U tree/a
find tree -printf "%p %y %i %n %s %b %k %D %T@ %C@ %A@\n"
stat tree tree/*
stat -f .
du -a tree
du -sb tree
df . | tail -1
df -i . | tail -1
tar cf - tree | sha256sum
cp -a tree other
rm -r tree/a
stat -c "%n %h %s %b %i %y %z" tree other other/a
python3 - <<P
import os, fcntl, struct
for name in ("other/hole", "other/sparse", "other/zeros"):
    fd = os.open(name, os.O_RDONLY)
    print(name, os.lseek(fd, 0, os.SEEK_DATA), os.lseek(fd, 0, os.SEEK_HOLE))
    for request in (0xc020660b, 0x80086601, 0x80087601, 0x801c581f):
        try:
            print(hex(request), fcntl.ioctl(fd, request, bytes(64)).hex())
        except OSError as error:
            print(hex(request), error.strerror)
    print(os.fstatvfs(fd))
for limit in ("PC_LINK_MAX", "PC_NAME_MAX", "PC_PATH_MAX", "PC_CHOWN_RESTRICTED"):
    print(limit, os.pathconf(".", limit))
fd = os.open(".", os.O_RDONLY)
print(os.scandir(fd) and sorted(os.listdir(fd)))
for name in ("n" * 255, "n" * 256, "a/b", "café", "caf\u0065\u0301", "\udcff"):
    try:
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY, 0o644))
        print(ascii(name), os.stat(name).st_ino)
    except OSError as error:
        print(ascii(name), error.strerror)
for name in ("d1", "d2", "d3"):
    os.mkdir(name)
    print(os.stat(name).st_nlink, os.stat(name).st_size, os.stat(".").st_nlink)
try:
    os.open("direct", os.O_CREAT | os.O_RDWR | os.O_DIRECT)
    print("direct")
except OSError as error:
    print("O_DIRECT", error.strerror)
fd = os.open(".", os.O_TMPFILE | os.O_RDWR)
print(os.fstat(fd).st_nlink, os.fstat(fd).st_ino)
P
rm direct
'

# Runs a command that mounts something on "there", then the work on it.
on() {
	local name=$1
	shift
	mkdir -p "$name/there"
	(
		cd "$name" || exit
		"$@" >mount.log 2>&1 || skip "no $name here: $(tail -n 1 mount.log)"
		mkdir there/work && cd there/work || exit
		"$STET" run --digest -- sh -c "$metadata" >../../out 2>&1 </dev/null
		echo "status $?" >>../../out
		{
			find . ! -type d -printf '%p %y %m %n %s %T@\n'
			find . -type d -printf '%p %m %T@\n' # sizes and links of these are the host's
		} | LC_ALL=C sort >../../left
	)
}

loop() {
	command -v "mkfs.$1" || { echo "no mkfs.$1" && return 1; }
	truncate -s 400M disk && "mkfs.$1" disk && mount -o loop disk there
}

overlay() {
	mkdir layers && mount -t tmpfs none layers && mkdir layers/low layers/high layers/work &&
		mount -t overlay -o "lowerdir=layers/low,upperdir=layers/high,workdir=layers/work" none there
}

compare() {
	on directory true && on "$@" || exit
	diff directory/out "$1/out" && diff directory/left "$1/left" || fail "other results on $1"
	tail -n 2 directory/out | grep -q '^stet: digest' || fail "no digest"
	grep -qx 'status 0' directory/out || fail "$(tail -n 3 directory/out)"
}

# same_on NAME MOUNT...: in a mount namespace that ends with the test.
same_on() {
	is_root || skip "only root can mount it"
	export -f on loop overlay compare fail skip
	export metadata STET
	unshare -m --propagation private bash -c 'compare "$@"' bash "$@" || exit
}

test_results_on_tmpfs_are_the_same() {
	same_on tmpfs mount -t tmpfs none there
}

test_results_on_an_overlay_are_the_same() {
	same_on overlay overlay
}

test_results_on_ext4_are_the_same() {
	same_on ext4 loop ext4
}

test_results_on_xfs_are_the_same() {
	same_on xfs loop xfs
}

test_results_on_btrfs_are_the_same() {
	same_on btrfs loop btrfs
}
