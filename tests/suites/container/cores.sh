# Those who move much data through pipes meet on one core, and are free again when they do something else.
# shellcheck shell=bash disable=SC2015,SC2016,SC2034,SC2153,SC2154

# On how many cores may the process of this name run?
cores_of() {
	local pid
	pid=$(grep -slx "$1" /proc/[0-9]*/comm | head -n 1)
	[ -n "$pid" ] && taskset -c -p "$(basename "$(dirname "$pid")")" 2>/dev/null |
		python3 -c '
import sys
parts = [part.split("-") for part in sys.stdin.read().rsplit(" ", 1)[1].split(",")]
print(sum(int(part[-1]) - int(part[0]) + 1 for part in parts))'
}

# comes_to NAME NUMBER: the process NAME may run on as many cores, in the end; without a number: there is one.
comes_to() {
	local _ cores
	for _ in $(seq 400); do
		cores=$(cores_of "$1")
		[ "$cores" = "${2:-$cores}" ] && [ -n "$cores" ] && return 0
		sleep 0.02
	done 2>/dev/null
	fail "$1 may run on '$cores' cores"
}

# start_mover NAME [CHILD]: starts a process that gets 2 GB through a pipe, and then computes; or its child of that name does.
start_mover() {
	[ "$(nproc)" -gt 1 ] || skip "there is one core only"
	cat >mover.py <<-'PY'
		import ctypes, os, sys
		ctypes.CDLL(None).prctl(15, sys.argv[1].encode())
		left = 2 * 10**9
		while left > 0:
		    left -= len(os.read(0, 65536))
		if sys.argv[2:] and os.fork():
		    os.wait()
		elif sys.argv[2:]:
		    ctypes.CDLL(None).prctl(15, sys.argv[2].encode())
		while left < 10**12:
		    left = left * 3 % 1000003
	PY
	env --default-signal "$STET" run -- sh -c 'cat /dev/zero | python3 mover.py "$@"' sh "$@" >"$PWD.out" 2>"$PWD.err" </dev/null &
}

test_a_pipeline_meets_on_one_core_until_it_computes() {
	local name=m$BASHPID stet
	start_mover "$name"
	stet=$!
	trap 'kill -TERM $stet 2>/dev/null' EXIT
	comes_to "$name" 1
	comes_to "$name" "$(nproc)"
	sleep 0.7
	comes_to "$name" "$(nproc)"
	ends_by_sigterm $stet
}

test_children_of_a_pipeline_may_run_anywhere() {
	local name=m$BASHPID stet
	start_mover "$name" "c$name"
	stet=$!
	trap 'kill -TERM $stet 2>/dev/null' EXIT
	comes_to "$name" 1
	comes_to "c$name"
	[ "$(cores_of "c$name")" = "$(nproc)" ] || fail "the child may run on '$(cores_of "c$name")' cores"
	ends_by_sigterm $stet
}
