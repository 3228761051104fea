# --mount, and what the command sees of the host's files.
# shellcheck shell=bash disable=SC2015,SC2016,SC2034,SC2153,SC2154

test_current_directory_is_at_build_and_writable() {
	echo from host >file
	run -- sh -c 'cat file; echo from inside >made'
	out_is "from host"
	[ "$(cat made)" = "from inside" ] || fail "the file did not reach the host"
}

test_files_made_inside_belong_to_the_caller() {
	run -- sh -c 'echo >made; mkdir dir'
	[ "$(stat -c %u:%g made dir)" = "$(id -u):$(id -g)
$(id -u):$(id -g)" ] || fail "$(ls -ln)"
}

test_root_may_give_files_away() {
	is_root || skip "needs root"
	run -- sh -c 'echo >made; chown 1234:567 made; stat -c %u:%g made'
	out_is 1234:567
	[ "$(stat -c %u:%g made)" = 1234:567 ] || fail "the host sees $(stat -c %u:%g made)"
}

test_mount_modes_are_kept() {
	mkdir data
	echo old >data/file
	run --mount data:/x:ro -- sh -c 'cat /x/file; echo new >/x/file'
	[ "$status" != 0 ] || fail "ro can be written"
	out_is old
	run --mount data:/x:copy -- sh -c 'echo new >/x/file; echo more >/x/more; cat /x/file'
	status_is 0
	out_is new
	[ "$(cat data/file)" = old ] && [ ! -e data/more ] || fail "copy wrote through"
	run --mount data:/x:rw -- sh -c 'echo new >/x/file'
	[ "$(cat data/file)" = new ] || fail "rw did not write through"
	run --mount data:/x -- sh -c 'echo newer >/x/file'
	[ "$(cat data/file)" = newer ] || fail "the default is not rw"
}

test_copy_of_an_empty_directory_hides_what_was_there() {
	mkdir empty
	run --mount empty:/usr/share:copy --save saved -- sh -c 'ls -A /usr/share; echo x >/usr/share/x'
	status_is 0
	out_is ""
	[ -z "$(ls -A empty)" ] || fail "the copy wrote through"
	[ "$(cat saved/usr/share/x)" = x ] || fail "not saved"
}

test_a_file_can_be_mounted() {
	echo old >file
	run --mount file:/etc/some-file:ro -- sh -c 'cat /etc/some-file; echo x >/etc/some-file'
	out_is old
	run --mount file:/deep/down/file -- sh -c 'echo new >/deep/down/file'
	[ "$(cat file)" = new ] || fail "rw did not write through"
	run --mount file:/other:copy -- sh -c 'cat /other; echo private >/other; cat /other'
	out_is "new
private"
	[ "$(cat file)" = new ] || fail "copy wrote through"
}

test_a_copy_over_a_file_in_a_mount_leaves_it_as_it_is() {
	echo mine >mine
	echo other >"$PWD.other"
	run --mount "$PWD.other:/build/mine:copy" -- sh -c 'cat mine; echo private >mine; cat mine'
	out_is "other
private"
	[ "$(cat mine)" = mine ] || fail "copy wrote through"
	[ "$(cat "$PWD.other")" = other ] || fail "copy wrote to the original"
}

test_place_inside_is_by_default_that_of_the_host() {
	mkdir data
	echo x >data/file
	run --mount data:ro -- cat "$PWD/data/file"
	out_is x
}

test_missing_places_are_made_and_not_on_the_host() {
	mkdir data
	run --mount data:/usr/share/stet-test/deep -- ls -d /usr/share/stet-test/deep
	out_is /usr/share/stet-test/deep
	[ ! -e /usr/share/stet-test ] || fail "made on the host"
}

test_mounts_can_lie_in_each_other() {
	mkdir outer inner
	echo i >inner/i
	run --mount outer:/m --mount inner:/m/below:ro -- sh -c 'cat /m/below/i; ls /m'
	out_is "i
below"
}

test_build_can_be_replaced() {
	mkdir other
	echo o >other/o
	run --mount other:/build:ro -- ls
	out_is o
}

test_names_with_odd_characters_can_be_mounted() {
	mkdir 'a, b=\c' odd
	echo odd >'a, b=\c/file'
	run --mount 'a, b=\c:/x:copy' -- sh -c 'cat /x/file; echo y >/x/file'
	out_is odd
	(cd 'a, b=\c' && run -- cat file && out_is odd) || exit 1
}

test_bad_mounts_are_refused() {
	run --mount /no/such/dir -- true
	refuses /no/such/dir
	run --mount .:relative -- true
	refuses relative
	run --mount .:/x:wrong -- true
	refuses wrong
	run --mount .:/etc/passwd/x -- true
	refuses /etc/passwd/x
	run --mount .:/etc/passwd -- true
	refuses /etc/passwd
	run --mount .:/// -- true
	refuses "on / itself"
}

test_symbolic_links_inside_do_not_lead_a_mount_out() {
	mkdir data root
	ln -s "$PWD/data" root/link
	echo x >root/file
	run --mount root:/r:copy --mount data:/r/link/below -- ls -d "$PWD/data/below"
	[ ! -e data/below ] || fail "the mount point was made on the host"
}

test_host_files_are_visible_and_stay_as_they_are() {
	local before after
	before=$(stat -c '%n %s %Y %Z %a' /etc/passwd /etc /usr /usr/bin)
	mkdir empty
	echo here >file
	run --mount empty:/build -- sh -c "cd $PWD; cat file; rm file; echo x >new
		echo x >>/etc/passwd; echo x >/etc/new-file; rm -f /etc/hostname; chmod 700 /usr; true"
	[ "$(cat file)" = here ] || fail "a file changed"
	[ ! -e new ] && [ ! -e /etc/new-file ] || fail "new files reached the host"
	[ "${out%%$'\n'*}" = here ] || fail "the host's files are not there: $out"
	after=$(stat -c '%n %s %Y %Z %a' /etc/passwd /etc /usr /usr/bin)
	[ "$before" = "$after" ] || fail "changed from $before to $after"
}

test_changes_inside_are_seen_inside() {
	run -- sh -c 'echo a >/etc/new-file && cat /etc/new-file && rm /etc/new-file && test ! -e /etc/new-file
		mkdir /new && echo b >/new/file && cat /new/file && rm -r /new
		echo c >/var/tmp/x && cat /var/tmp/x; echo d >/tmp/y && cat /tmp/y'
	out_is "a
b
c
d"
}

test_root_can_change_system_directories_inside() {
	is_root || skip "the files belong to a user that the container does not have"
	run -- sh -c 'rm -r /usr/share/doc && mkdir /usr/share/doc && ls -A /usr/share/doc &&
		mv /usr/bin/env /usr/bin/env2 && /usr/bin/env2 echo moved && touch /usr/bin/new &&
		chown 5:6 /usr/bin/new && stat -c %u:%g /usr/bin/new'
	out_is "moved
5:6"
	[ -d /usr/share/doc ] && [ -x /usr/bin/env ] || fail "the host changed"
}
