# Exit statuses: the contract of the command line.
# shellcheck shell=bash disable=SC2015,SC2016,SC2034,SC2153,SC2154

test_status_of_the_command_is_stets() {
	local n
	for n in 0 1 3 124 125 255; do
		run -- sh -c "exit $n"
		status_is $n
		[ -z "$err" ] || fail "said '$err'"
	done
}

test_death_by_signal_n_is_128_plus_n() {
	local n
	for n in 1 2 6 9 11 15; do
		# shellcheck disable=SC2016
		run -- sh -c 'kill -'$n' $$; sleep 10'
		status_is $((128 + n))
	done
}

test_missing_command_is_127() {
	run -- no-such-command-anywhere
	status_is 127
	says no-such-command-anywhere
	run -- /no/such/file
	status_is 127
	says /no/such/file
	run -- ''
	status_is 127
}

test_command_that_cannot_be_executed_is_126() {
	echo text >plain
	chmod 644 plain
	run -- ./plain
	status_is 126
	says plain
	run -- /usr
	status_is 126
}

test_timeout_ends_the_run_with_124() {
	local mark started
	mark=$(marker)
	started=$SECONDS
	run --timeout 0.5 -- sh -c "sleep $mark & sleep $mark"
	status_is 124
	says timeout
	[ $((SECONDS - started)) -lt 10 ] || fail "took $((SECONDS - started)) s"
	wait_marked "$mark" 0
}

test_timeout_that_is_not_reached_changes_nothing() {
	run --timeout 100 -- sh -c 'exit 4'
	status_is 4
	run --timeout 0 -- sh -c 'exit 5'
	status_is 5
}

test_output_before_a_timeout_is_kept() {
	run -q --timeout 1 -- sh -c 'echo early; sleep 30'
	status_is 124
	out_is early
	[ -z "$err" ] || fail "said '$err' in spite of -q"
}

test_standard_output_and_error_are_the_commands() {
	run -- sh -c 'echo to out; echo to err >&2'
	out_is "to out"
	[ "$err" = "to err" ] || fail "standard error is '$err'"
}
