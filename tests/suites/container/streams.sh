# Standard streams: the same to the program whatever they are outside; nothing lost, order kept.
# shellcheck shell=bash disable=SC2015,SC2016,SC2034,SC2153,SC2154,SC2217

# What a program can see of its streams. Numbers of pipes are another matter.
look='for f in 0 1 2; do
	test -t $f && echo "$f is a terminal"
	stat -L -c "%F %a %u:%g %s" /proc/self/fd/$f
	readlink /proc/self/fd/$f | sed "s/[0-9][0-9]*/N/"
	grep flags /proc/self/fdinfo/$f
	done; tty; ls /proc/self/fd >&2'

test_streams_look_the_same_whatever_they_are() {
	"$STET" run -- sh -c "$look" >file 2>errors </dev/null
	grep -q "fifo 600 0:0 0" file || fail "$(cat file)"
	"$STET" run -- sh -c "$look" 2>errors2 </etc/passwd | cat >pipe
	cmp file pipe && cmp errors errors2 || fail "pipe: $(cat pipe)"
	"$STET" run -- sh -c "$look" >>append 2>&1 <&-
	cmp <(cat file errors) append || fail "appended: $(cat append)"
	timeout 60 python3 - "$STET" "$look" >socket <<'END' || fail "socket: $(cat socket)"
import os, pty, socket, subprocess, sys

command = [sys.argv[1], "run", "--", "sh", "-c", sys.argv[2]]
one, other = socket.socketpair()
subprocess.run(command, stdin=other, stdout=other, stderr=subprocess.DEVNULL, check=True)
other.close()
seen = b""
while data := one.recv(65536):
    seen += data
if seen != open("file", "rb").read():
    sys.exit(f"socket: {seen}")

master, slave = pty.openpty()
process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
os.close(slave)
seen = b""
try:
    while data := os.read(master, 65536):
        seen += data
except OSError:
    pass
if process.wait() or seen.replace(b"\r", b"") != open("append", "rb").read():
    sys.exit(f"terminal: {seen}")
END
}

test_input_is_a_pipe_or_a_file() {
	local kind='stat -L -c %F /dev/stdin; cat'
	echo content >file
	for_input() { "$STET" run --stdin - -- sh -c "$kind"; }
	[ "$(for_input <file)" = "fifo
content" ] || fail "$(for_input <file)"
	[ "$(for_input < <(cat file))" = "fifo
content" ] || fail "from a pipe"
	[ "$(for_input </dev/null)" = fifo ] || fail "from /dev/null"
	[ "$(for_input <&-)" = fifo ] || fail "closed"
	run_strict --stdin file -- sh -c "$kind; readlink /proc/self/fd/0"
	out_is "regular file
content
/"
	mkfifo fifo
	cat file >fifo &
	run_strict --stdin fifo -- sh -c "$kind"
	out_is "fifo
content"
	run_strict --stdin . -- true
	refuses --stdin directory
}

test_input_that_nobody_reads_ends_with_the_command() {
	[ "$(yes | "$STET" run --stdin - -- head -n 1)" = y ] || fail "not the first line"
	mkfifo silent
	sleep 1000 >silent &
	timeout 20 "$STET" run --stdin - -- sh -c 'exit 4' <silent
	status=$?
	kill %1
	status_is 4
}

test_output_order_is_kept() {
	"$STET" run -- sh -c 'i=0; while [ $i -lt 500 ]; do echo $i; echo $i >&2; i=$((i+1)); done' \
		>both 2>&1
	cmp both <(for i in $(seq 0 499); do echo "$i"; echo "$i"; done) || fail "wrong order"
}

test_output_order_is_kept_between_processes() {
	"$STET" run -- sh -c 'for i in $(seq 50); do (echo $i); (echo $i | cat >&2); head -c 100000 /dev/zero; done' \
		2>&1 | cat >both
	cmp both <(for i in $(seq 50); do echo "$i"; echo "$i"; head -c 100000 /dev/zero; done) ||
		fail "wrong order"
}

test_output_order_is_kept_whatever_the_call() {
	cat >order.py <<'END'
import os

for i in range(100):
    os.writev(1, [b"a%d" % i, b"\n"])
    os.write(2, b"b%d\n" % i)
    with open("piece", "wb") as piece:
        piece.write(b"c%d\n" % i)
    fd = os.open("piece", os.O_RDONLY)
    os.sendfile(1, fd, 0, 100)
    os.splice(fd, 2, 100)
    os.close(fd)
END
	"$STET" run -- python3 order.py >both 2>&1
	cmp both <(for i in $(seq 0 99); do printf 'a%d\nb%d\nc%d\nc%d\n' "$i" "$i" "$i" "$i"; done) ||
		fail "$(head -n 8 both)"
}

test_output_is_complete() {
	local sum
	sum=$(seq 300000 | md5sum)
	[ "$("$STET" run -- seq 300000 | md5sum)" = "$sum" ] || fail "through a pipe"
	"$STET" run -- seq 300000 >file
	[ "$(md5sum <file)" = "$sum" ] || fail "to a file"
	[ "$("$STET" run -- sh -c 'seq 300000 >&2' 2>&1 | (sleep 0.3; md5sum))" = "$sum" ] ||
		fail "to a slow reader"
}

test_output_that_cannot_be_written_is_trouble() {
	"$STET" run -- echo text >/dev/full 2>err
	status=$? err=$(cat err)
	status_is 125
	says "standard output" space
	"$STET" run -- sh -c 'echo text >&2' 2>/dev/full
	[ $? = 125 ] || fail "standard error"
}

test_reader_that_goes_away_ends_the_writer() {
	local started=$SECONDS
	timeout 20 "$STET" run -- yes 2>err | head -n 1 >first
	[ "${PIPESTATUS[0]}" = 141 ] || fail "status is not that of SIGPIPE"
	[ ! -s err ] || fail "said '$(cat err)'"
	timeout 20 "$STET" run -- sh -c 'trap "" PIPE; while echo y; do :; done 2>/dev/null; exit 7' |
		head -n 1 >first
	[ "${PIPESTATUS[0]}" = 7 ] || fail "status is not 7"
	[ $((SECONDS - started)) -lt 15 ] || fail "took too long"
}

test_writers_do_not_wait_for_order_when_the_reader_is_gone() {
	timeout 20 "$STET" run -- sh -c 'trap "" PIPE
		for i in $(seq 3000); do echo $i; echo $i >&2; done 2>/dev/null; exit 7' 2>&1 | head -n 1 >first
	[ "${PIPESTATUS[0]}" = 7 ] || fail "status is not 7"
}

test_daemons_that_hold_strict_output_do_not_delay_the_end() {
	local mark started=$SECONDS
	mark=$(marker)
	out=$("$STET" run --relax time -- sh -c "sleep $mark & echo over" </dev/null | cat)
	[ "$out" = over ] || fail "$out"
	[ $((SECONDS - started)) -lt 10 ] || fail "waited $((SECONDS - started)) s"
}

test_a_stalled_reader_does_not_keep_a_strict_run_from_ending() {
	local stet
	mkfifo pipe
	sleep 1000 <pipe &
	env --default-signal "$STET" run -- yes >pipe 2>err </dev/null &
	stet=$!
	sleep 0.5
	ends_by_sigterm $stet
	kill %1
}
