# Each source can be left native by its name, alone or with others.
# shellcheck shell=bash disable=SC2015,SC2016,SC2034,SC2154

SOURCES="time random pid inode mtime dirents order threads cpu address proc env net"

# A bit of everything that builds are made of.
programs='set -e
echo c b a | tr " " "\n" | sort | tr "\n" " "
(sleep 0.01; echo late) | cat
python3 -c "import json; print(json.dumps([1]))"
echo "int puts(const char *); int main(void) { puts(\"hello\"); return 0; }" >hello.c
gcc -o hello hello.c
./hello
git init -q repository
echo x >repository/file
git -C repository add file
git -C repository -c user.name=a -c user.email=b@c commit -q -m message
git -C repository log --format=%s
printf "all: a b\na b:\n\techo \$@ >\$@\n" >Makefile
make -s -j2
cat a b'

# Runs the programs natively once, then with each list of sources given.
programs_run_with() {
	local expected list
	unset TMPDIR # the caller's, which the container need not have
	rm -rf repository Makefile hello* a b
	expected=$(bash -c "$programs")
	for list; do
		rm -rf repository Makefile hello* a b
		run_strict --relax "$list" -- bash -c "$programs"
		[ "$status" = 0 ] || fail "--relax $list: status $status: $err"
		[ "$out" = "$expected" ] || fail "--relax $list: '$out' instead of '$expected'"
	done
}

test_each_source_can_be_relaxed_alone() {
	# shellcheck disable=SC2086
	programs_run_with $SOURCES all
}

test_all_sources_but_one_can_be_relaxed() {
	local source
	for source in $SOURCES; do
		programs_run_with "${SOURCES/$source/ }"
	done
}

test_pairs_of_sources_can_be_relaxed() {
	local first second
	for first in time inode order address; do
		for second in random pid mtime threads proc; do
			programs_run_with "$first,$second"
		done
	done
}

# The same words twice with nothing relaxed, and with one source others every time.
differs_with() {
	local source=$1 first
	shift
	run_strict -- "$@"
	status_is 0
	first=$out
	run_strict -- "$@"
	out_is "$first"
	run_strict --relax "$source" -- "$@"
	status_is 0
	first=$out
	run_strict --relax "$source" -- "$@"
	[ "$out" != "$first" ] || fail "--relax $source: '$out' twice"
}

# What the command prints natively it prints with the source relaxed, and not without.
native_with() {
	local source=$1 expected
	shift
	expected=$("$@")
	run_strict --relax "$source" -- "$@"
	status_is 0
	out_is "$expected"
	run_strict -- "$@"
	[ "$out" != "$expected" ] || fail "native without --relax $source: '$out'"
}

test_relaxed_time_is_the_hosts() {
	local before after kind
	for kind in "--relax time" "--time host"; do
		before=$(date +%s)
		# shellcheck disable=SC2086
		run_strict $kind -- sh -c 'date +%s; sleep 1.2; date +%s'
		after=$(date +%s)
		# shellcheck disable=SC2086
		set -- $out
		[ "$before" -le "$1" ] && [ "$1" -lt "$2" ] && [ "$2" -le "$after" ] ||
			fail "$kind: $out between $before and $after"
	done
}

test_relaxed_time_reaches_every_clock() {
	differs_with time python3 -c 'import time; print(time.perf_counter_ns(), time.time_ns())'
	differs_with time python3 -c 'import time; print(int(1e9 * time.clock_gettime(time.CLOCK_BOOTTIME)))'
}

test_relaxed_randomness_is_not_repeated() {
	differs_with random sh -c 'head -c 8 /dev/urandom | od -x'
	differs_with random python3 -c 'import os; print(os.urandom(8))'
	differs_with random python3 -c 'print(hash("word"))'
	differs_with random cat /proc/sys/kernel/random/uuid
}

test_relaxed_pids_are_the_kernels() {
	run_strict --relax pid,proc -- sh -c 'echo $$; readlink /proc/self; sh -c "echo \$PPID"; grep ^NSpid /proc/$$/status'
	status_is 0
	# shellcheck disable=SC2086
	set -- $out
	[ "$1" = "$3" ] && [ "$1" = "$5" ] && [ "$2" -gt "$1" ] || fail "$out"
}

test_relaxed_inodes_are_the_hosts() {
	echo content >file
	native_with inode stat -c '%i %d %b %h' . file
	native_with inode ls -i
	native_with inode stat -fc '%T %b %l' .
	native_with mtime,inode stat -c '%i %Y %X %Z' file
}

test_relaxed_holes_are_the_file_systems() {
	truncate -s 1M file
	echo end >>file
	case $(stat -fc %T .) in ext2/ext3 | tmpfs | xfs | btrfs) ;; *) skip "holes are not known here" ;; esac
	native_with inode python3 -c 'import os; print(os.lseek(os.open("file", os.O_RDONLY), 0, os.SEEK_DATA))'
	run_strict --relax dirents -- python3 -c \
		'import os; print(os.lseek(os.open("file", os.O_RDONLY), 0, os.SEEK_DATA))'
	out_is 0
}

test_relaxed_times_of_files_are_the_hosts() {
	echo content >file
	touch -d 2020-02-02T02:02:02.123456789 old
	native_with mtime stat -c '%y %z' file old
	run_strict --relax mtime -- sh -c 'echo more >>file; stat -c %Y file'
	[ "$out" -ge "$(($(date +%s) - 100))" ] || fail "$out"
	[ "$(stat -c %Y file)" = "$out" ] || fail "$(stat -c %Y file) outside, $out inside"
}

test_relaxed_directories_have_the_hosts_order() {
	local i
	for i in $(seq 50); do
		echo >"$(printf %s "$i" | md5sum | head -c 8)"
	done
	native_with dirents ls -U
}

test_relaxed_cpu_is_the_hosts() {
	cat >cpu.c <<'END'
#include <cpuid.h>
#include <stdio.h>
int main(void)
{
	unsigned int words[13] = { 0 };
	for (unsigned int i = 0; i < 3; i++)
		__cpuid(0x80000002 + i, words[4 * i], words[4 * i + 1], words[4 * i + 2], words[4 * i + 3]);
	printf("%s\n", (char *)words);
}
END
	gcc -o cpu cpu.c || fail "does not compile"
	native_with cpu ./cpu
	[ "$(nproc)" = 1 ] || native_with cpu nproc
	run_strict --cpu host -- ./cpu
	out_is "$(./cpu)"
}

test_relaxed_addresses_are_random() {
	[ "$(cat /proc/sys/kernel/randomize_va_space)" = 2 ] || skip "this machine does not randomise them"
	differs_with address python3 -c 'print(id(object()))'
	differs_with address sed -n '/stack/p' /proc/self/maps
	differs_with address sed -n '/libc/p' /proc/self/maps
}

test_relaxed_proc_is_the_hosts() {
	native_with proc grep -m1 MemTotal /proc/meminfo
	native_with proc uname -r
	native_with proc cat /proc/sys/kernel/osrelease
	native_with proc,cpu grep -m1 'model name' /proc/cpuinfo
	native_with proc ls /sys/class
}

test_relaxed_memory_keeps_the_logical_uptime() {
	local look='import ctypes; b = (ctypes.c_long * 64)(); ctypes.CDLL(None).sysinfo(b); print(b[%d])'
	run_strict -- python3 -c "${look/\%d/0}"
	local uptime=$out
	run_strict --relax proc -- python3 -c "${look/\%d/0}"
	out_is "$uptime"
	native_with proc python3 -c "${look/\%d/4}"
	run_strict --relax time -- python3 -c "${look/\%d/0}"
	[ "$out" != "$uptime" ] && [ "$out" -gt 1 ] || fail "$out seconds"
}

test_relaxed_environment_is_the_callers() {
	export SECRET=x
	native_with env sh -c 'echo $SECRET $HOME'
	out=$(echo passed | "$STET" run --relax env --stdin - -- sh -c 'cat; readlink /proc/self/fd/0')
	case $out in passed*pipe*) ;; *) fail "$out" ;; esac
}

test_relaxed_ports_are_the_kernels() {
	local port='import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
	differs_with net python3 -c "$port"
}

# named_when_it_has_computed SOURCE WORD...: a program that computes for as many rounds as its argument says is named
# after some seconds of its own, once.
named_when_it_has_computed() {
	local second
	gcc -O1 -pthread -o long "$1" || fail "does not compile"
	second=$(python3 -c '
import resource, subprocess
subprocess.run(["./long", "100000000"], check=True)
print(int(100000000 / resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime))')
	run_strict -- ./long $((second * 2))
	status_is 0
	[ -z "$err" ] || fail "after two seconds: $err"
	run_strict -- ./long $((second * 9))
	status_is 0
	says 'has computed for 5 s' "${@:2}"
}

test_a_thread_that_computes_while_others_wait_is_named() {
	cat >long.c <<-'C'
		#include <pthread.h>
		#include <stdlib.h>
		static volatile double number = 1;
		static void *other(void *argument) { return argument; }
		int main(int count, char **arguments)
		{
			pthread_t thread;
			long rounds = atol(arguments[count - 1]);
			pthread_create(&thread, 0, other, 0);
			while (rounds--)
				number *= 1.0000001;
			return pthread_join(thread, 0);
		}
	C
	named_when_it_has_computed long.c 'relax threads'
}

test_a_process_that_computes_while_its_timer_waits_is_named() {
	cat >long.c <<-'C'
		#include <signal.h>
		#include <stdlib.h>
		#include <unistd.h>
		static volatile double number = 1;
		int main(int count, char **arguments)
		{
			long rounds = atol(arguments[count - 1]);
			signal(SIGALRM, SIG_IGN);
			alarm(1);
			while (rounds--)
				number *= 1.0000001;
			return 0;
		}
	C
	named_when_it_has_computed long.c 'timer is pending' 'timers instant'
}

test_nobody_traces_unless_order_is_relaxed() {
	local trace='import ctypes, sys; r = ctypes.CDLL(None).ptrace(0, 0, 0, 0); print(r); sys.exit(r != 0)'
	run_strict -- python3 -c "$trace"
	status_is 1
	out_is -1
	says refused ptrace
	run_strict --relax order -- python3 -c "$trace"
	status_is 0
	out_is 0
}
