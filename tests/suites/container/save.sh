# --save: the files that a run created or changed.
# shellcheck shell=bash disable=SC2015,SC2016,SC2034,SC2153,SC2154

saved() {
	(cd saved && find . -mindepth 1 | sort)
}

test_save_has_new_and_changed_files() {
	run --save saved -- sh -c 'mkdir /new; echo a >/new/a; chmod 640 /new/a; ln -s a /new/link
		ln /new/a /new/hard; echo b >/etc/stet-new; mkfifo /new/fifo'
	status_is 0
	[ "$(saved)" = "./etc
./etc/stet-new
./new
./new/a
./new/fifo
./new/hard
./new/link" ] || fail "saved $(saved)"
	[ "$(cat saved/new/a)" = a ] && [ "$(readlink saved/new/link)" = a ] || fail "wrong content"
	[ "$(stat -c %a saved/new/a)" = 640 ] || fail "mode is $(stat -c %a saved/new/a)"
	[ saved/new/a -ef saved/new/hard ] || fail "the hard link is a copy"
	[ -p saved/new/fifo ] || fail "the FIFO is none"
}

test_save_keeps_times() {
	run --save saved -- sh -c 'mkdir /new; echo >/new/f; touch -d @1000000 /new/f; touch -d @2000000 /new'
	[ "$(stat -c %Y saved/new/f saved/new)" = "1000000
2000000" ] || fail "$(stat -c '%n %Y' saved/new/f saved/new)"
}

test_save_lists_deletions() {
	mkdir data
	echo x >data/gone
	mkdir data/replaced data/directory
	echo y >data/replaced/old
	run --mount data:/data:copy --save saved -- sh -c 'cd /data; rm gone; rm -r directory
		rm -r replaced; mkdir replaced; echo z >replaced/new; mkdir fresh'
	status_is 0
	[ "$(sort saved/.stet-deletions)" = "/data/directory
/data/gone
/data/replaced" ] || fail "listed $(cat saved/.stet-deletions)"
	[ "$(saved)" = "./.stet-deletions
./data
./data/fresh
./data/replaced
./data/replaced/new" ] || fail "saved $(saved)"
	[ -e data/gone ] || fail "the host's file is gone"
}

test_save_has_the_same_times_each_time() {
	local number
	mkdir data
	echo x >data/gone
	for number in 1 2; do
		run_strict --mount data:/data:copy --save saved -- sh -c 'rm /data/gone; echo a >/etc/stet-new'
		status_is 0
		(cd saved && find . -mindepth 1 -printf '%p %m %T@\n' | sort) >"times$number"
		rm -r saved
		sleep 0.02
	done
	grep -q stet-deletions times1 || fail "nothing is listed"
	cmp times1 times2 || fail "$(cat times1 times2)"
}

test_save_of_nothing_is_empty() {
	mkdir data
	echo c >copied
	run --save saved --mount data:/some/where/data --mount data:/usr/share/stet/data:ro \
		--mount copied:/etc/stet-copied:copy --mount copied:/copied:copy -- sh -c 'echo x >/some/where/data/x; echo y >/build/y; true'
	status_is 0
	[ -z "$(saved)" ] || fail "saved $(saved)"
}

test_save_has_changes_of_copies() {
	mkdir data
	echo old | tee data/kept data/changed data/gone copied other >/dev/null
	run --save saved --mount data:/usr/share:copy --mount copied:/etc/stet-copied:copy \
		--mount other:/other:copy -- sh -c \
		'echo new >/usr/share/changed; rm /usr/share/gone; echo new >/etc/stet-copied; rm /other'
	status_is 0
	[ "$(saved)" = "./.stet-deletions
./etc
./etc/stet-copied
./usr
./usr/share
./usr/share/changed" ] || fail "saved $(saved)"
	[ "$(sort saved/.stet-deletions)" = "/other
/usr/share/gone" ] || fail "listed $(cat saved/.stet-deletions)"
}

test_save_keeps_owners_for_root() {
	is_root || skip "needs root"
	run --save saved -- sh -c 'echo >/f; chown 12:34 /f; chmod 4755 /f'
	[ "$(stat -c %u:%g:%a saved/f)" = 12:34:4755 ] || fail "$(stat -c %u:%g:%a saved/f)"
}

test_save_needs_an_empty_directory() {
	mkdir full empty
	echo x >full/x
	run --save full -- touch /build/ran
	refuses full empty
	[ ! -e ran ] || fail "the command ran"
	run --save full/x -- touch /build/ran
	refuses full/x
	run --save empty -- true
	status_is 0
	run --save /proc/no -- true
	refuses /proc/no
}

test_save_happens_whatever_the_status() {
	run --save saved -- sh -c 'echo >/f; exit 7'
	status_is 7
	[ -e saved/f ] || fail "not saved"
}

test_save_is_not_disturbed_by_daemons() {
	run --save saved -- sh -c 'mkdir /d; (while :; do echo x >>/d/growing; done) & sleep 0.2'
	status_is 0
	[ -s saved/d/growing ] || fail "not saved"
}
