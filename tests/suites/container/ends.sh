# However a run ends, nothing of it is left.
# shellcheck shell=bash disable=SC2015,SC2016,SC2034,SC2153,SC2154

# stop SIGNAL STATUS: Stet gets the signal while the container runs.
stop() {
	local mark before stet
	mark=$(marker) before=$(leftovers)
	start -- sh -c "sleep $mark & (setsid sleep $mark &) ; sleep $mark"
	stet=$!
	# The command line of Stet, init and the shell holds the marker as well.
	for _ in $(seq 200); do
		[ "$(count_marked "$mark")" -ge 5 ] && break
		sleep 0.05
	done
	kill "-$1" $stet
	wait $stet
	status=$? err=$(cat "$PWD.err")
	[ "$status" = "$2" ] || fail "status $status instead of $2: $err"
	if [ "$1" = KILL ]; then
		wait_marked "$mark" 0
		wait_leftovers "$before"
	else
		[ "$(count_marked "$mark")" = 0 ] || fail "$(count_marked "$mark") processes left"
		[ "$(leftovers)" = "$before" ] || fail "mounts or files left"
	fi
}

test_signal_int_ends_everything() {
	stop INT 130
}

test_signal_term_ends_everything() {
	stop TERM 143
}

test_signal_hup_ends_everything() {
	stop HUP 129
}

test_signal_quit_ends_everything() {
	stop QUIT 131
}

test_signal_kill_leaves_nothing() {
	stop KILL 137
}

test_signal_kill_at_any_moment_leaves_nothing() {
	local mark before i
	mark=$(marker) before=$(leftovers)
	for i in $(seq 0 40); do
		start -- sh -c "sleep $mark"
		sleep "0.0$(printf %02d $((i / 2)))"
		kill -KILL $!
		wait $!
	done 2>/dev/null
	wait_marked "$mark" 0
	wait_leftovers "$before"
}

# A container with three processes that compute, since those that wait do not take real time. The first
# of them would hold back those that it just made, if it did that at once.
start_computing() {
	local mark=$1
	shift
	env --default-signal "$STET" run "$@" -- sh -c \
		"loop='echo >started; while :; do :; done'; sh -c \"\$loop\" $mark & (setsid sh -c \"\$loop\" $mark &)
		until [ -e started ]; do sleep 0.01; done; while :; do :; done" >"$PWD.out" 2>"$PWD.err" <"${input:-/dev/null}" &
}

# However it was to be watched, recorded or fed.
ends_of_all_kinds() {
	local mark before signal
	mark=$(marker) before=$(leftovers)
	for signal in TERM KILL; do
		rm -rf "started" saved
		start_computing "$mark" "$@"
		for _ in $(seq 200); do
			[ -e started ] && break
			sleep 0.05
		done
		[ -e started ] || fail "$*: did not start: $(cat "$PWD.err")"
		kill -$signal $!
		wait $!
		status=$? err=$(cat "$PWD.err")
		status_is $((128 + $(kill -l $signal)))
		wait_marked "$mark" 0
		wait_leftovers "$before"
	done
	rm -rf saved
	start_computing "$mark" --timeout 0.5 "$@"
	wait $!
	status=$? err=$(cat "$PWD.err")
	status_is 124
	wait_marked "$mark" 0
	wait_leftovers "$before"
}

test_ends_leave_nothing_with_digest_and_record() {
	ends_of_all_kinds --digest --entropy record:entropy --log log --stats
}

test_ends_leave_nothing_with_saved_files() {
	ends_of_all_kinds --save saved --mount "$PWD:/other:copy"
}

test_ends_leave_nothing_with_input() {
	mkfifo input
	exec 9<>input
	input=input ends_of_all_kinds --stdin -
	ends_of_all_kinds --stdin input
}

test_ends_leave_nothing_with_an_image() {
	make_dynamic image
	ends_of_all_kinds --image image --mount "$PWD:/build"
}

test_ends_leave_nothing_with_a_terminal() {
	ends_of_all_kinds --tty
}

test_hangup_that_is_ignored_stays_ignored() {
	(trap '' HUP && exec "$STET" run --relax all -- sh -c 'sleep 1; exit 9') &
	sleep 0.5
	kill -HUP $!
	wait $!
	[ $? = 9 ] || fail "status is not 9"
}

# As the kernel does when memory is short. There is always somebody else who has something to do.
test_parent_hears_of_a_child_that_is_killed_from_outside() {
	local mark pid
	mark=$(marker)
	env --default-signal "$STET" run --timeout 60 -- \
		sh -c "(while :; do sleep 5; done) & perl -e sleep $mark; echo ended with \$?" >"$PWD.out" 2>"$PWD.err" &
	for _ in $(seq 200); do
		pid=$(pgrep -fx "perl -e sleep $mark") && break
		sleep 0.05
	done
	sleep 0.5
	kill -KILL "$pid" || fail "it does not sleep: $(cat "$PWD.err")"
	wait $!
	status=$? out=$(cat "$PWD.out") err=$(cat "$PWD.err")
	status_is 0
	out_is "ended with 137"
}

test_daemons_end_with_the_command() {
	local mark
	mark=$(marker)
	run -- sh -c "setsid sleep $mark >/dev/null 2>&1 & (sleep $mark &) & sleep 0.2; exit 3"
	status_is 3
	[ "$(count_marked "$mark")" = 0 ] || fail "$(count_marked "$mark") left"
}

test_daemons_that_hold_the_output_do_not_delay_the_end() {
	local mark started=$SECONDS
	mark=$(marker)
	out=$("$STET" run --relax all -- sh -c "sleep $mark & echo over" </dev/null | cat)
	[ "$out" = over ] || fail "$out"
	[ $((SECONDS - started)) -lt 10 ] || fail "waited $((SECONDS - started)) s"
}

test_orphans_are_reaped_while_the_command_runs() {
	run -- sh -c '(sh -c "sleep 0.1 &" &) ; sleep 0.5; cat /proc/[0-9]*/stat | grep -c ") Z "'
	out_is 0
}

test_many_containers_at_once_do_not_disturb_each_other() {
	local i
	for i in $(seq 12); do
		"$STET" run --relax all -- sh -c "echo $i >/etc/number; sleep 0.2; cat /etc/number" >"out$i" &
	done
	wait
	for i in $(seq 12); do
		[ "$(cat "out$i")" = "$i" ] || fail "container $i saw $(cat "out$i")"
	done
}

test_reader_that_goes_away_ends_the_command() {
	# The command gets SIGPIPE as it would natively.
	"$STET" run --relax all -- sh -c 'while echo y; do :; done' </dev/null 2>/dev/null | head -n 1 >first
	[ "$(cat first)" = y ] || fail "$(cat first)"
}

test_signals_ignored_by_the_caller_are_not_so_inside() {
	out=$(trap '' PIPE USR1; "$STET" run --relax all -- grep SigIgn /proc/self/status </dev/null)
	[ "$out" = "SigIgn:	0000000000000000" ] || fail "$out"
}

test_a_reader_that_stalls_does_not_keep_the_run_from_ending() {
	local mark stet
	mark=$(marker)
	mkfifo pipe
	sleep "$mark" <pipe &
	env --default-signal "$STET" run --relax all --tty -- yes "$mark" >pipe 2>err </dev/null &
	stet=$!
	sleep 1
	ends_by_sigterm $stet
	kill %1
}

# A process has said that it ends, and then its first thread does not come to that for long, as on a busy machine: the
# other one does not go on meanwhile, as it would be killed at any moment, in everybody's way.
test_a_thread_whose_process_ends_late_is_in_nobodys_way() {
	local name=e$BASHPID holder
	cat >two.c <<-'C'
		#include <pthread.h>
		#include <stdlib.h>
		#include <sys/prctl.h>
		#include <time.h>
		#include <unistd.h>
		static void *work(void *argument)
		{
			const struct timespec moment = { 0, 1000000 };
			while (argument && (write(1, argument, 1) || argument))
				nanosleep(&moment, 0);
			return 0;
		}
		int main(int count, char **arguments)
		{
			const struct timespec moments = { 0, 50000000 };
			volatile double number = 1;
			pthread_t thread;
			prctl(PR_SET_NAME, arguments[count - 1]);
			for (long i = 0; i < 100000000; i++)
				number *= 1.0000001;
			pthread_create(&thread, 0, work, ".");
			nanosleep(&moments, 0);
			exit(0);
		}
	C
	gcc -O1 -pthread -o two two.c || fail "does not compile"
	for _ in 1 2 3 4; do
		"$here/../../lib/hold_thread.py" "$name" 231 0.8 >holder.out 2>&1 &
		holder=$!
		run_strict -- sh -c "(for i in \$(seq 300); do /bin/true; done; echo done) & ./two $name | wc -c; wait; echo over"
		wait $holder || skip "cannot trace: $(tail -n 1 holder.out)"
		status_is 0
		case $out in *done*over) ;; *) fail "printed '$out'" ;; esac
	done
}

# One that is killed by a signal has told the others so, and does not come to it for long: its slot is another's by then,
# and so must not be asked who it is.
test_a_process_that_dies_late_by_a_signal_kills_itself() {
	local name=d$BASHPID holder
	cat >dies.c <<-'C'
		#include <signal.h>
		#include <stdio.h>
		#include <sys/prctl.h>
		#include <sys/wait.h>
		#include <unistd.h>
		static void be_killed(const char *name, int out)
		{
			volatile double number = 1;
			prctl(PR_SET_NAME, name);
			for (long i = 0; i < 100000000; i++)
				number *= 1.0000001;
			for (write(out, "", 1);;)
				pause();
		}
		static int kill_one(const char *name)
		{
			int ends[2], status, pid;
			char ready;
			if (pipe(ends) || !(pid = fork()))
				be_killed(name, ends[1]);
			read(ends[0], &ready, 1);
			kill(pid, SIGTERM);
			waitpid(pid, &status, 0);
			return !printf("%d\n", WTERMSIG(status));
		}
		int main(int count, char **arguments)
		{
			if (!fork())
				return kill_one(arguments[count - 1]);
			for (int i = 0; i < 300; i++)
				if (!fork())
					_exit(0);
			while (wait(0) > 0)
				;
			return 0;
		}
	C
	gcc -O1 -o dies dies.c || fail "does not compile"
	"$here/../../lib/hold_thread.py" "$name" 13 0.8 2 >holder.out 2>&1 &
	holder=$!
	run_strict -- ./dies "$name"
	wait $holder || skip "cannot trace: $(tail -n 1 holder.out)"
	status_is 0
	out_is 15
}

# Likewise a thread of such a process: it waits for a futex, in a slot that is another thread's by then, and must not do so in
# that one's name, who waits at the same address in a process of its own.
test_a_thread_whose_process_ends_late_does_not_wait_in_anothers_name() {
	local name=r$BASHPID holder
	cat >replaced.c <<-'C'
		#include <linux/futex.h>
		#include <pthread.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <sys/mman.h>
		#include <sys/prctl.h>
		#include <sys/syscall.h>
		#include <time.h>
		#include <unistd.h>
		static volatile int asked, answered;
		static void wait_for(volatile int *word)
		{
			while (!*word)
				syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, 0);
		}
		static void set(volatile int *word)
		{
			*word = 1;
			syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 2);
		}
		static void *wait_for_ever(void *argument)
		{
			wait_for(&answered);
			return argument;
		}
		static void *ask(void *argument)
		{
			set(&asked);
			wait_for(&answered);
			return argument;
		}
		static void end_late(const char *name)
		{
			const struct timespec moments = { 0, 50000000 };
			volatile double number = 1;
			pthread_t thread;
			prctl(PR_SET_NAME, name);
			pthread_create(&thread, 0, wait_for_ever, 0);
			nanosleep(&moments, 0); /* then it waits, and looks around more and more rarely */
			for (long i = 0; i < 300000000; i++)
				number *= 1.0000001;
			exit(0);
		}
		int main(int count, char **arguments)
		{
			pthread_t threads[2];
			if (!fork()) {
				if (!fork())
					end_late(arguments[count - 1]);
				for (int i = 0; i < 100; i++) /* which takes time: it does not wait for its child yet */
					mmap(0, 4 << 20, PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
				return pause();
			}
			for (int i = 0; i < 3000; i++) {
				asked = answered = 0;
				pthread_create(&threads[0], 0, ask, 0);
				pthread_create(&threads[1], 0, ask, 0);
				wait_for(&asked);
				set(&answered);
				pthread_join(threads[0], 0);
				pthread_join(threads[1], 0);
			}
			return !puts("all answered");
		}
	C
	gcc -O1 -pthread -o replaced replaced.c || fail "does not compile"
	for _ in 1 2 3 4 5; do
		"$here/../../lib/hold_thread.py" "$name" 231 1 >holder.out 2>&1 &
		holder=$!
		run_strict --timeout 20 -- ./replaced "$name"
		wait $holder || skip "cannot trace: $(tail -n 1 holder.out)"
		status_is 0
		out_is "all answered"
	done
}
