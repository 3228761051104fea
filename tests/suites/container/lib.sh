# What the tests of this suite share. Sourced.
# shellcheck shell=bash

# Ends the test with a reason.
fail() {
	echo "$*" >&2
	exit 1
}

skip() {
	echo "$*" >&2
	exit 77
}

# Runs Stet with nothing left native; leaves $status, $out and $err.
run_strict() {
	timeout -k 5 60 "$STET" run "$@" >"$PWD.out" 2>"$PWD.err" </dev/null
	status=$?
	out=$(cat "$PWD.out") err=$(cat "$PWD.err")
}

# The same with everything native.
run() {
	run_strict --relax all "$@"
}

status_is() {
	[ "$status" = "$1" ] || fail "status $status instead of $1: $err"
}

out_is() {
	[ "$out" = "$1" ] || fail "printed '$out' instead of '$1'; $err"
}

# Standard error is one line of Stet's that has every one of the words.
says() {
	local word
	[ "$(printf '%s\n' "$err" | wc -l)" = 1 ] || fail "not one line: '$err'"
	case $err in "stet: "*) ;; *) fail "no line of Stet's: '$err'" ;; esac
	for word; do
		case $err in *"$word"*) ;; *) fail "'$err' does not say '$word'" ;; esac
	done
}

# Stet refuses: status 125 and one line with these words.
refuses() {
	status_is 125
	[ -z "$out" ] || fail "printed '$out'"
	says "$@"
}

# A Stet in the background ends in time when it is asked to.
ends_by_sigterm() {
	kill -TERM "$1"
	for _ in $(seq 100); do
		kill -0 "$1" 2>/dev/null || break
		sleep 0.05
	done
	kill -KILL "$1" 2>/dev/null && fail "Stet did not end"
	wait "$1"
	status=$?
	status_is 143
}

is_root() {
	[ "$(id -u)" = 0 ]
}

# A number of seconds that no other process sleeps: marks the processes of one test.
marker() {
	echo "$((100000 + BASHPID)).$RANDOM"
}

# How many processes of this machine have the marker in their command line.
count_marked() {
	grep -slF -f <(echo "$1") /proc/[0-9]*/cmdline | wc -l
}

# Waits until so many processes have the marker.
wait_marked() {
	local _
	for _ in $(seq 200); do
		[ "$(count_marked "$1")" = "$2" ] && return 0
		sleep 0.05
	done
	fail "$(count_marked "$1") processes instead of $2"
}

# What a run could leave on the machine, besides processes.
leftovers() {
	cat /proc/self/mountinfo
	ls "$TMPDIR"
}

# Waits until the machine is as it was.
wait_leftovers() {
	local _
	for _ in $(seq 100); do
		[ "$(leftovers)" = "$1" ] && return 0
		sleep 0.05
	done
	fail "mounts or files left: $(diff <(echo "$1") <(leftovers))"
}

# Starts Stet in the background, with signals as an interactive shell gives them; $! is Stet itself.
start() {
	env --default-signal "$STET" run --relax all "$@" >"$PWD.out" 2>"$PWD.err" </dev/null &
}
