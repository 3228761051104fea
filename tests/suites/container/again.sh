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
	mkdir d
	run_strict -v --mount "$PWD/d:/mnt/d:ro" -- true # d is at two places
	in_order
	touch file
	run_again -v --mount "$PWD/file:/mnt/file" -- true
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
	diff <(cut -d " " -f 2- ../strict.log | sort) <(cut -d " " -f 2- ../again.log | sort) || fail "the logs differ"
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

# A tree of all kinds of files, and random operations on it: 60 of them from a seed.
plant_tree() {
	mkdir -p "$1"/a/b "$1"/c
	seq 100 >"$1/f0"
	seq 50 >"$1/a/f1"
	echo text >"$1/a/b/f2"
	chmod 640 "$1/a/f1"
	ln -s ../f0 "$1/c/f3"
	mkfifo "$1/c/f4"
	find "$1" -exec touch -h -d @1000000000 {} +
}
operations='
import os, random, sys
r = random.Random(int(sys.argv[1]))
def tree():
    for d, ds, fs in os.walk("."):
        ds.sort()
        for n in sorted(ds + fs):
            p = os.path.join(d, n)
            s = os.lstat(p)
            yield p, s.st_mode, s.st_size if os.path.isfile(p) else 0, s.st_mtime_ns, \
                open(p).read()[-20:] if os.path.isfile(p) and not os.path.islink(p) else ""
def show():
    for line in tree():
        print(*map(repr, line))
def some(kind):
    return r.choice([p for p, *_ in tree() if kind(p)])
def new():
    return os.path.join(some(lambda p: os.path.isdir(p) and not os.path.islink(p)), f"n{r.randrange(12)}")
plain = lambda p: os.path.isfile(p) and not os.path.islink(p)
def write(): open(some(plain), r.choice(["w", "a", "r+"])).write("x" * r.randrange(30))
def make():
    fd = os.open(new(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK)
    os.write(fd, str(r.random()).encode()) # of a pipe without a reader: an error
    os.close(fd)
def remake(): open(r.choice([new(), some(plain)]), "x").write("new")
def move(): os.rename(some(lambda p: True), r.choice([new(), some(lambda p: True)]))
def remove(): os.unlink(some(lambda p: True))
def clear(): os.rmdir(some(os.path.isdir))
def directory(): os.mkdir(new())
def symbolic(): os.symlink("a", new())
def mode(): os.chmod(some(plain), r.choice([0o600, 0o644, 0o400, 0o755]))
def times(): os.utime(some(lambda p: True), (r.randrange(10**9), 5), follow_symlinks=False)
def shorten(): os.truncate(some(plain), r.randrange(20))
def second(): os.link(some(plain), new())
def pipe(): os.mkfifo(new())
show()
for _ in range(60):
    act = r.choice([write, make, make, remake, move, move, remove, clear, directory, symbolic, mode, times, shorten, pipe] +
                   [second] * (r.random() < 0.02))
    try:
        act()
        print(act.__name__)
    except OSError as e:
        print(act.__name__, e.errno)
    except IndexError:
        pass
    if r.random() < 0.1 and os.fork() == 0:
        make()
        os._exit(0)
show()
'

test_what_a_run_did_to_the_hosts_files_is_undone() {
	local seed at strict
	for seed in 1 2; do
		plant_tree strict
		(cd strict && "$STET" run --strict-order -- python3 -c "$operations" $seed) >../out.strict 2>&1
		strict=$(cd strict && find . -printf '%p %y %m %s %l %T@\n' | sort)
		for at in 700 900 1200 2000; do
			plant_tree again
			(cd again && STET_CONFLICT_AT=$at "$STET" run -- python3 -c "$operations" $seed) >../out.again 2>&1
			cmp ../out.strict ../out.again || fail "seed $seed at $at: $(diff ../out.strict ../out.again | head -n 5)"
			[ "$(cd again && find . -printf '%p %y %m %s %l %T@\n' | sort)" = "$strict" ] ||
				fail "seed $seed at $at: other files"
			rm -rf again
		done
		rm -rf strict
	done
}

# As dpkg-source does it: what was moved goes back before its first place is known to be gone.
test_moves_out_of_directories_that_have_gone_are_undone() {
	mkdir in
	(cd in && STET_CONFLICT_AT=2000 "$STET" run -v -- sh -c '
		mkdir k t u; mkdir t/d u/d; echo x >t/d/f; mv -T t/d k; rm -rf t; mv u/d k/d; rmdir u; mkdir t; mv k/d t; rm -rf t; ls -R
		for i in $(seq 200); do cat /dev/null; done') >../out 2>../err || fail "$(cat ../err)"
	grep -q "started again" ../err || fail "$(cat ../err)"
	[ "$(find in | sort | tr '\n' ' ')" = "in in/k in/k/f " ] || fail "$(find in)"
}

test_what_cannot_be_undone_on_the_host_starts_again_before_it_is_done() {
	local number
	echo one >file
	number=$(stat -c %i file)
	run_strict -v -- sh -c 'echo before; echo new >made; ln file second; rm made; cat second'
	status_is 0
	out_is "before
one"
	says "started again" "cannot be undone"
	[ "$(stat -c '%i %h' file)" = "$number 2" ] && [ ! -e made ] || fail "$(ls -li)"
	run_strict -v -- python3 -c 'import os
os.setxattr("file", "user.stet", b"x"); print(os.getxattr("second", "user.stet"))'
	status_is 0
	says "started again" "cannot be undone"
}

# The container can write anything into the records; here, it is asked to make changes outside by plain means.
test_undoing_stays_below_the_mount() {
	mkdir in out
	echo safe >out/file
	ln -s ../out in/link
	(cd in && STET_CONFLICT_AT=2000 "$STET" run -v -- sh -c '
		echo changed >link/file; rm -f link/file; mkdir -p d; mv d link; mv link d2; mkdir link; echo x >link/file
		for i in $(seq 200); do cat /dev/null; done') >../out 2>../err
	grep -q "started again" ../err || fail "$(cat ../err)"
	[ "$(cat out/file)" = safe ] && [ "$(cat in/link/file)" = x ] && [ "$(readlink in/d2)" = ../out ] ||
		fail "$(ls -lR)"
}
