# --image: a directory as the root.
# shellcheck shell=bash disable=SC2015,SC2016,SC2034,SC2153,SC2154

# A small image in $1: a static shell, or programs with their libraries.
make_static() {
	command -v busybox >/dev/null || skip "no busybox"
	mkdir -p "$1/bin" "$1/etc" && cp "$(command -v busybox)" "$1/bin/busybox" || exit
	local name
	for name in sh ls cat echo rm stat mkdir id pwd; do ln -s busybox "$1/bin/$name"; done
	echo from-image >"$1/etc/motd"
}
make_dynamic() {
	local program library
	for program in sh ls cat rm id; do
		program=$(command -v $program)
		mkdir -p "$1$(dirname "$program")" && cp "$program" "$1$program" || exit
		for library in $(ldd "$program" | grep -o '/[^ ]*'); do
			mkdir -p "$1$(dirname "$library")" && cp -L "$library" "$1$library" || exit
		done
	done
	mkdir -p "$1/bin" && [ -e "$1/bin/sh" ] || cp "$(command -v sh)" "$1/bin/sh"
	mkdir "$1/etc" && echo from-image >"$1/etc/motd"
}

check() {
	(cd "$1" && find . | sort | xargs ls -ld --time-style=full-iso && cat etc/motd) >before
	run_strict --image "$1" -- sh -c 'pwd; ls /build; cat /etc/motd; echo changed >/etc/motd; cat /etc/motd
		echo x >file; cat file; rm /bin/ls; cat </dev/null; id -u'
	status_is 0
	out_is "/build
from-image
changed
x
0"
	(cd "$1" && find . | sort | xargs ls -ld --time-style=full-iso && cat etc/motd) >after
	cmp before after || fail "the image was changed: $(diff before after)"
}

test_image_of_static_programs() {
	make_static image
	check image
}

test_image_of_dynamic_programs() {
	make_dynamic image
	check image
}

test_image_shows_nothing_of_this_machine() {
	make_static image
	: >here
	run_strict --image image -- ls / /build
	out_is "/:
bin
build
dev
etc
proc
sys

/build:"
}

test_image_takes_mounts_and_a_working_directory() {
	make_static image
	mkdir dir && echo hello >dir/file
	run_strict --image image --mount dir:/a/b -C /a -- sh -c 'cat b/file; echo new >b/new'
	out_is hello
	[ "$(cat dir/new)" = new ] || fail "no write through"
	[ ! -e image/a ] || fail "the image was changed"
	run_strict --image image -C /no/such -- sh
	refuses /no/such
}

test_image_that_is_none_is_explained() {
	run --image nowhere -- true
	refuses --image nowhere
	: >file
	run --image file -- true
	refuses --image file tar
	mkdir oci && : >oci/oci-layout
	run --image oci -- true
	refuses --image oci layout
	mkdir empty
	run_strict --image empty -- true
	status_is 127
	says true
	is_root && return
	mkdir -m 000 closed
	run --image closed -- true
	refuses --image closed
}

test_image_with_links_for_mount_points_is_refused() {
	make_static image
	ln -s /etc image/dev
	run_strict --image image -- sh
	refuses /dev
}

test_image_with_devices_of_its_own_gets_stets() {
	make_static image
	mkdir image/dev image/proc && echo fake >image/dev/null
	run_strict --image image -- cat /dev/null
	out_is ""
	status_is 0
}

test_image_changes_can_be_saved() {
	make_static image
	run_strict --image image --save saved -- sh -c 'echo x >/etc/new; rm /etc/motd; echo y >z'
	status_is 0
	[ "$(cd saved && find . -type f | sort | tr '\n' ' ')" = "./.stet-deletions ./build/z ./etc/new " ] ||
		fail "$(find saved)"
	[ "$(cat saved/.stet-deletions)" = /etc/motd ] || fail "$(cat saved/.stet-deletions)"
}

test_image_gives_one_digest_from_copies() {
	local one two
	make_static image
	cp -a image copy
	one=$("$STET" run --digest --image image -- sh -c 'ls -l /; echo x >/new' 2>&1 >/dev/null)
	two=$("$STET" run --digest --image copy -- sh -c 'ls -l /; echo x >/new' 2>&1 >/dev/null)
	case $one in *"digest sha256:"*) ;; *) fail "$one" ;; esac
	[ "$one" = "$two" ] || fail "$one, $two"
}

# Mounts anywhere make the kernel unsure of names with "..", such as those of many loaders.
test_image_starts_while_others_mount() {
	local others i status=0
	make_dynamic image
	mkdir -p image/lib/real
	mv image/lib64/ld-linux-x86-64.so.2 image/lib/real/
	ln -s ../lib/real/ld-linux-x86-64.so.2 image/lib64/ld-linux-x86-64.so.2
	mkdir point
	setsid unshare -Urm python3 -c '
import ctypes, os
libc = ctypes.CDLL(None)
while os.path.exists("point"):
    for i in range(1000):
        libc.mount(b"t", b"point", b"tmpfs", 0, None)
        libc.umount2(b"point", 0)
' &
	others=$!
	for i in $(seq 100); do
		"$STET" run --image image -- /bin/sh -c 'echo started' >out 2>&1 || status=$?
		[ "$status" = 0 ] || break
	done
	kill -- -$others
	[ "$status" = 0 ] || fail "run $i ends with $status: $(cat out)"
}
