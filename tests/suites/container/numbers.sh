# Numbers of initial files: a function of their names, whoever looks, in whichever order.
# shellcheck shell=bash disable=SC2015,SC2016,SC2034,SC2154

plant() {
	mkdir -p "$1/d/e"
	seq 5 >"$1/d/e/five"
	echo one >"$1/one"
	ln "$1/one" "$1/d/uno"
	ln -s d/e "$1/link"
	mkfifo "$1/fifo"
}

# Runs it in the directory, which is mounted so.
in_tree() {
	local mode=$1
	shift
	run_strict --mount "$PWD/tree:/build:$mode" -- "$@"
	status_is 0
}

test_numbers_do_not_depend_on_the_order_of_looks() {
	local first
	plant tree
	for mode in copy ro; do
		in_tree $mode sh -c 'stat -c "%i %n" . fifo link d d/e d/e/five | sort -k 2'
		[ -n "$first" ] || first=$out
		out_is "$first"
		in_tree $mode sh -c 'ls -iR / >/dev/null 2>&1; stat -c "%i %n" d/e/five d/e d link fifo . | sort -k 2'
		out_is "$first"
		in_tree $mode sh -c 'cd link; (cd -P ..; stat -L -c "%i d" .)
			stat -c "%i %n" five | sed s,five,d/e/five,; cd /build
			ls -id d/../d/e . fifo link | sed "s,d/../d,d,"'
		[ "$(sort -k 2 <<<"$out" | tr -s ' ')" = "$(sort -k 2 <<<"$first")" ] || fail "$out instead of $first"
	done
}

test_numbers_do_not_depend_on_where_the_files_lie_outside() {
	local first
	plant tree
	in_tree ro find . -printf '%i %n %p\n'
	first=$out
	rm -rf tree
	seq 1000 | xargs touch
	mkdir tree tree/d
	plant tree
	in_tree ro find . -printf '%i %n %p\n'
	out_is "$first"
}

test_numbers_are_the_same_by_every_way_of_asking() {
	plant tree
	in_tree copy python3 -c '
import mmap, os
for directory, names, files in os.walk("."):
    for entry in os.scandir(directory):
        assert entry.inode() == entry.stat(follow_symlinks=False).st_ino, entry.path
    assert {e.name: e.inode() for e in os.scandir(directory)} == {
        n: os.lstat(os.path.join(directory, n)).st_ino for n in os.listdir(directory)}
f = open("link/five")
memory = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
number = os.fstat(f.fileno()).st_ino
assert number == os.stat("d/e/five").st_ino
assert [l.split()[4] for l in open("/proc/self/maps") if l.endswith("five\n")] == [str(number)]
loader = os.stat("/lib64/ld-linux-x86-64.so.2")
g = os.open("/lib64/ld-linux-x86-64.so.2", os.O_RDONLY)
assert os.fstat(g).st_ino == loader.st_ino
assert os.stat("one").st_ino == os.stat("d/uno").st_ino
'
}

test_a_file_keeps_its_number_when_it_moves() {
	plant tree
	in_tree rw python3 -c '
import os
look = lambda *names: [os.lstat(n).st_ino for n in names]
five, = look("d/e/five")
print(five)
os.rename("d", "g")
assert look("g/e/five") == [five]
os.mkdir("d"); os.mkdir("d/e"); os.rename("one", "d/e/five")
assert len({*look("d", "d/e", "d/e/five", "g/e/five", "g")}) == 5
os.link("g/e/five", "six"); os.unlink("g/e/five")
assert look("six") == [five]
fd = os.open("six", os.O_RDONLY); os.unlink("six")
assert os.fstat(fd).st_ino == five
'
	before=$out
	rm -rf tree
	plant tree
	# The same when nobody had asked before it moved, and with other names above it.
	in_tree rw sh -c 'mv d g; mv g/e/five x; rmdir g/e; stat -c %i x'
	out_is "$before"
}

test_numbers_below_another_root_are_those_of_the_whole_tree() {
	local whole
	is_root || skip "needs root"
	run_strict -- stat -c %i /usr/share/misc /usr /usr/bin/env
	status_is 0
	whole=$out
	run_strict -- python3 -c 'import os
os.chroot("/usr")
print(*[os.stat(n).st_ino for n in ("/share/misc", "/", "/bin/env")], sep="\n")'
	out_is "$whole"
}
