# --entropy: what programs get, what a record holds, and which records are refused. Sourced.
# shellcheck shell=bash disable=SC2154,SC2034

# Children that run at the same time, and more bytes than a record's line holds.
takes='for i in 1 2 3; do head -c 5000 /dev/urandom | cksum & done; wait; head -c 8 /dev/random | od -x'

test_entropy_follows_the_seed() {
	local first
	run_strict -- sh -c 'head -c 16 /dev/urandom | od -x'
	status_is 0
	first=$out
	run_strict --seed 0 --entropy seed -- sh -c 'head -c 16 /dev/urandom | od -x'
	out_is "$first"
	run_strict --seed 1 -- sh -c 'head -c 16 /dev/urandom | od -x'
	[ "$out" != "$first" ] || fail "another seed, the same bytes"
}

test_entropy_of_the_host_differs() {
	local option first
	for option in --entropy=host --relax=random --entropy=record:record; do
		run_strict "$option" -- sh -c "$takes"
		status_is 0
		first=$(sort <<<"$out")
		run_strict "$option" -- sh -c "$takes"
		[ "$(sort <<<"$out")" != "$first" ] || fail "$option: the same bytes twice"
	done
}

test_entropy_is_replayed_as_recorded() {
	local first
	run_strict --entropy record:record -- sh -c "$takes"
	status_is 0
	first=$(sort <<<"$out")
	[ "$(head -n 1 record)" = "stet entropy 1" ] || fail "first line: $(head -n 1 record)"
	for _ in 1 2 3; do
		run_strict --entropy replay:record -- sh -c "$takes"
		status_is 0
		[ "$(sort <<<"$out")" = "$first" ] || fail "replayed differently: $out"
	done
}

test_entropy_beyond_the_record_ends_the_run() {
	run_strict --entropy record:record -- head -c 100 /dev/urandom
	status_is 0
	run_strict --entropy replay:record -- head -c 101 /dev/urandom
	status_is 125
	says replay "more randomness"
	run_strict --entropy replay:record -- sh -c 'true; sh -c true; exit 3'
	status_is 125
	says replay "no randomness"
}

test_records_that_are_none_are_refused() {
	run_strict --entropy record:record -- head -c 100 /dev/urandom
	run_strict --entropy replay:/no/such/file -- echo ran
	refuses replay /no/such/file
	run_strict --entropy replay:/bin/true -- echo ran
	refuses replay /bin/true "not a record"
	: >empty
	run_strict --entropy replay:empty -- echo ran
	refuses replay "not a record"
	head -c -10 record >short
	run_strict --entropy replay:short -- echo ran
	refuses replay truncated
	sed 's/ 0 / 0 g/' record >bad
	run_strict --entropy replay:bad -- echo ran
	refuses replay "line 2"
	sed 2d record >holes
	run_strict --entropy replay:holes -- echo ran
	refuses replay missing
	run_strict --entropy record:/no/such/directory/file -- echo ran
	refuses record /no/such/directory/file
}

test_record_of_a_killed_run_is_whole() {
	run_strict --timeout 1 --entropy record:record -- cat /dev/urandom
	status_is 124
	[ "$(tail -c 1 record | od -An -tx1)" = " 0a" ] || fail "the last line has no end"
	run_strict --entropy replay:record -- sh -c 'exec head -c 100000 /dev/urandom' # another program
	case $err in *damaged* | *truncated*) fail "$err" ;; esac
}

test_record_takes_only_good_lines_from_the_container() {
	# 44 is sendto, 2007 the hidden descriptor.
	run_strict --entropy record:record -- perl -e 'syscall(44, 2007, "x" x 200, 200, 0, 0, 0)'
	[ "$(grep -vcE '^(stet entropy 1|[0-9.]+ [0-9a-f]{16} [0-9]+ [0-9]+ ([0-9a-f]{2})+)$' record)" = 0 ] ||
		fail "$(cat record)"
}
