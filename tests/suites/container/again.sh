# Runs that are started again in strict order, since a guest found a race: nobody can tell, but for the time it took.
# STET_CONFLICT_AT=N makes the N-th event such a race, where the run could be started again at all.
# shellcheck shell=bash disable=SC2015,SC2016,SC2034,SC2153,SC2154

# About 400 events in several processes: all kinds of output, files that come, change and go.
command='echo one; echo two >&2; wc -l </build/in; echo new >f; cat f >&2; mkdir d; mv f d; echo more >>in
	(echo child; exit 3); echo $?; ls -i; rm d/f; (cat in; cat d/none) | tail -n 2; echo end; exit 7'

# The private copy of this directory is all that the command writes to.
run_again() {
	run_strict --mount "$PWD:/build:copy" "$@"
}

test_output_of_a_run_that_is_started_again_comes_once() {
	local at first
	seq 9 >in
	for at in 0 1 20 100 150 200 250 300 350; do
		STET_CONFLICT_AT=$at "$STET" run --mount "$PWD:/build:copy" -- sh -c "$command" >../both 2>&1
		status=$?
		status_is 7
		[ -n "$first" ] || first=$(cat ../both)
		[ "$(cat ../both)" = "$first" ] || fail "at $at: $(diff <(echo "$first") ../both)"
	done
}

test_long_output_of_a_run_that_is_started_again_comes_once() {
	for _ in 1 2 3; do seq 1000000; done >in
	STET_CONFLICT_AT=150 run_again -v -- sh -c 'cat in; for i in $(seq 40); do cat /dev/null; done; cat in'
	status_is 0
	says "started again"
	cat in in | cmp - "$PWD.out" || fail "the output differs"
}

test_a_run_that_is_started_again_has_the_digest_of_strict_order() {
	local digest
	seq 9 >in
	run_again --strict-order --digest -- sh -c "$command"
	digest=$(grep digest <<<"$err")
	for at in 2 130 260; do
		STET_CONFLICT_AT=$at run_again -v --digest -- sh -c "$command"
		status_is 7
		grep -qF "$digest" <<<"$err" || fail "at $at: $err instead of $digest"
		grep -q "started again, in strict order: as STET" <<<"$err" || fail "not started again at $at: $err"
	done
}

test_input_is_read_again_when_a_run_is_started_again() {
	seq 20000 >in
	STET_CONFLICT_AT=150 run_again -v --stdin in -- sh -c 'cat | wc -c; for i in $(seq 40); do cat /dev/null; done; cat | wc -c'
	out_is "108894
0"
	says "started again"
	# From where it stands, which is not the beginning.
	{
		read -r _
		STET_CONFLICT_AT=150 "$STET" run -v --mount "$PWD:/build:copy" --stdin - -- \
			sh -c 'head -n 1; cat | wc -c; for i in $(seq 40); do cat /dev/null; done' >../out 2>../err
	} <in
	grep -q "started again" ../err || fail "not started again: $(cat ../err)"
	[ "$(head -n 1 ../out)" = 2 ] || fail "$(cat ../out)"
}

# What is not as it was cannot be undone: such runs are in strict order from the start.
test_what_cannot_be_started_again_is_in_strict_order() {
	local -x STET_CONFLICT_AT=5
	in_order() {
		status_is 0
		[ -z "$err" ] || fail "$err"
	}
	run_strict -v -- true
	in_order
	run_again -v --strict-order -- true
	in_order
	run_again -v --relax time -- true
	in_order
	run_again -v --entropy record:../random -- true
	in_order
	run_again -v --log /dev/fd/2 -- true
	! grep -q again <<<"$err" || fail "$err"
	echo input | "$STET" run -v --mount "$PWD:/build:copy" --stdin - -- cat >../out 2>../err
	[ "$(cat ../out)" = input ] && [ ! -s ../err ] || fail "$(cat ../err)"
	run_again -v -- true
	says "started again"
}

test_files_of_the_first_attempt_are_gone() {
	local before
	before=$(leftovers)
	echo old >kept
	STET_CONFLICT_AT=200 run_again -v --save ../saved -- sh -c '
		ls; echo new >kept; mkdir d; echo x >d/made; rm -f none; ls
		for i in $(seq 60); do cat /dev/null; done'
	status_is 0
	says "started again"
	out_is "kept
d
kept"
	[ "$(cat kept)" = old ] || fail "the host's file has changed"
	[ "$(cd ../saved && find . -type f | sort)" = "./build/d/made
./build/kept" ] || fail "$(find ../saved)"
	wait_leftovers "$before"
}

test_processes_of_the_first_attempt_are_gone() {
	local mark
	mark=$(marker)
	STET_CONFLICT_AT=300 run_again -v -- sh -c "sh -c 'kill -STOP \$\$; : $mark' &
		for i in \$(seq 60); do cat /dev/null; done; kill -KILL \$!; echo end"
	out_is end
	says "started again"
	wait_marked "$mark" 0
}

test_log_and_stats_are_of_the_attempt_that_counts() {
	run_again --strict-order --log ../strict.log -- sh -c 'cat /dev/null; true'
	STET_CONFLICT_AT=80 run_again --stats --log ../again.log -- sh -c 'cat /dev/null; true'
	status_is 0
	cmp ../strict.log ../again.log || fail "the logs differ"
	grep -q "^stet: restarts 1$" <<<"$err" || fail "$err"
	[ "$(grep -c "system calls" <<<"$err")" = 1 ] || fail "$err"
}

test_both_attempts_together_have_the_time_of_the_limit() {
	SECONDS=0
	STET_CONFLICT_AT=3000 run_again -v --timeout 2 -- sh -c 'while :; do cat /dev/null; done'
	status_is 124
	grep -q "started again" <<<"$err" || fail "$err"
	[ $SECONDS -lt 10 ] || fail "$SECONDS seconds"
}

# The kernel of the host answers differently each time.
test_output_that_differs_in_the_second_attempt_is_an_error() {
	STET_CONFLICT_AT=250 run_again --mount /proc/sys/kernel/random/uuid:/mnt/u:ro -- \
		sh -c 'cat /mnt/u; for i in $(seq 60); do cat /dev/null; done; echo end'
	status_is 125
	says "started again" "output"
	[ "$(wc -l <<<"$out")" = 1 ] || fail "printed $out"
}
