#include "box/init.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "box/channel.h"
#include "box/launch.h"
#include "box/looks.h"
#include "box/network.h"
#include "box/root.h"
#include "box/save.h"
#include "box/save_tar.h"
#include "box/stalls.h"
#include "box/terminal.h"
#include "box/times.h"
#include "box/write_back.h"
#include "image/tar.h"

#define UMASK	     022
#define ASK_AFTER_S  0.4 /* a task that computes is asked whether it spins */
#define TELL_AFTER_S 5	 /* of its own: the user is told of it */

static _Noreturn void fail(int channel, const struct error *err)
{
	struct message message = { .kind = MESSAGE_ERROR, .error = *err };

	channel_send(channel, &message, -1);
	_exit(125);
}

/*
 * The supervisor's death is this process's death, and so the container's. If it died before prctl
 * took effect there is no signal; but then its end of the channel is closed, even if it has said
 * go.
 */
static void wait_for_go(int channel)
{
	struct pollfd end = { .fd = channel };
	struct message message = { 0 };
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (channel_receive(channel, &message, &fd) != 1 || message.kind != MESSAGE_GO)
		_exit(125);
	if (poll(&end, 1, 0) != 0)
		_exit(125);
	prctl(PR_SET_DUMPABLE, 0);
}

/*
 * What the caller ignored or blocked, and its umask, are not to be seen in the container; and who
 * ignores SIGCHLD waits for nobody.
 */
static void forget_caller(void)
{
	sigset_t none;

	/* Not by way of signal(), which keeps its hands off two that the library uses. */
	for (int i = 1; i < NSIG; i++)
		syscall(SYS_rt_sigaction, i, &(const uint64_t[4]){ 0 }, NULL, 8);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	umask(UMASK);
}

/* Numbers of processes are those of the container's own namespace, and come one after the other. */
static void take_pids(unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
}

static pid_t start_command(
	const struct container *container, const struct launch *launch, struct error *err)
{
	pid_t pid;

	take_pids(container->config->pids_taken);
	pid = fork();
	if (pid < 0)
		return error_set(err, errno, "cannot start a process in the container");
	if (pid == 0) {
		umask(UMASK ^ container->config->umask_change);
		launch_command(container, launch, err);
		fail(container->channel, err);
	}
	return pid;
}

static void look_up(int signal)
{
	(void)signal;
}

/* From now on a wait is interrupted twice a second. */
static void look_up_often(void)
{
	const struct itimerval often = { { 0, 500000 }, { 0, 500000 } };
	const struct sigaction action = { .sa_handler = look_up };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
}

static double seconds_of(clockid_t clock)
{
	struct timespec now;

	return clock_gettime(clock, &now) ? 0 : (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double cpu_of(pid_t pid)
{
	clockid_t clock;

	return clock_getcpuclockid(pid, &clock) ? 0 : seconds_of(clock);
}

/* A task that computes while a timer waits for it may spin until that comes; when nobody else waits
 * for it, nobody asks it. */
static void ask_stalled(struct arena *arena, struct stalls *stalls)
{
	double now = seconds_of(CLOCK_MONOTONIC);

	for (uint32_t i = 0; stalls_next(stalls, now, ASK_AFTER_S, &i); i++) {
		siginfo_t question = { .si_signo = SPIN_SIGNAL, .si_code = SPIN_QUESTION };
		pid_t pid = arena->tasks[i].pid, tid = arena->tasks[i].tid;

		if (pid <= 1 || tid <= 1)
			continue;
		syscall(SYS_rt_tgsigqueueinfo, pid, tid, SPIN_SIGNAL, &question);
		if (stalls_computed(stalls, i, cpu_of(pid)) >= TELL_AFTER_S)
			__atomic_store_n(&arena->stalled, i + 1, __ATOMIC_RELEASE);
	}
}

/* Tasks that bound themselves to a core have it for moments only: they may compute now. */
static void free_bound(struct arena *arena)
{
	for (uint32_t i = 0; i < arena->tasks_end && i < TASKS; i++)
		if (arena->turns[i].bound && arena->tasks[i].tid > 1 &&
			__atomic_exchange_n(&arena->turns[i].bound, 0, __ATOMIC_SEQ_CST))
			syscall(SYS_sched_setaffinity, arena->tasks[i].tid, sizeof(arena->cores),
				arena->cores);
	arena->near_core = 0;
}

/* Reaps until the command has ended. */
static int wait_for(pid_t command, struct arena *arena)
{
	struct stalls stalls = { .arena = arena };
	int status;
	pid_t pid;

	look_up_often();
	do {
		pid = wait(&status);
		if (pid < 0 && errno == EINTR) {
			ask_stalled(arena, &stalls);
			free_bound(arena);
		}
	} while (pid != command);
	setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 0 }, { 0, 0 } }, NULL);
	stalls_release(&stalls);
	return status;
}

/* Daemons that the command left must not change files any more. */
static void end_others(void)
{
	kill(-1, SIGKILL);
	while (wait(NULL) > 0 || errno == EINTR)
		;
}

/* The command's terminal; its other side goes to the supervisor. */
static int make_terminal(
	const struct container *container, struct launch *launch, struct error *err)
{
	struct message message = { .kind = MESSAGE_TERMINAL };
	int master = terminal_make(container->config, &launch->terminal, err);

	if (master < 0)
		return -1;
	channel_send(container->channel, &message, master);
	close(master);
	return 0;
}

static int prepare(const struct container *container, struct launch *launch,
	struct changes *changes, struct error *err)
{
	if (network_set_up(container->config, err) || root_build(container, launch, changes, err))
		return -1;
	return container->config->tty ? make_terminal(container, launch, err) : 0;
}

static int send_digest(
	const struct container *container, const struct changes *changes, struct error *err)
{
	struct digest_files files = {
		.changes = changes,
		.own = &container->own,
		.arena = container->arena,
		.config = container->config,
	};
	struct message message = { .kind = MESSAGE_DIGEST };
	cleanup_close int list = -1;

	if (container->config->list && (list = memfd_create("list", MFD_CLOEXEC)) < 0)
		return error_set(err, errno, "cannot list files");
	if (digest_of_files(&files, message.error.text, list, err))
		return -1;
	channel_send(container->channel, &message, list);
	return 0;
}

/* What the run looked at is the supervisor's to read; it says when that is done. */
static int send_layout(
	const struct container *container, const struct changes *changes, struct error *err)
{
	struct message message = { .kind = MESSAGE_LOOKED };
	int fd = looks_layout(&changes->record, err), ignored;

	if (fd < 0)
		return -1;
	channel_send(container->channel, &message, fd);
	close(fd);
	if (channel_receive(container->channel, &message, &ignored) != 1)
		_exit(125); /* the supervisor knows why */
	return 0;
}

/*
 * A command that says its end says so in its turn. One that dies of a fault may have seen, ahead of
 * its turn, what it should not have seen: that is for the supervisor to start again.
 */
static void judge_end(const struct container *container, int status)
{
	struct fatal *conflict = &container->arena->conflict;

	if (!container->attempt->optimistic || !WIFSIGNALED(status) ||
		!container->arena->ahead.latest)
		return;
	strcpy(conflict->text, "the command was killed while others ran ahead");
	__atomic_store_n(&conflict->state, 2, __ATOMIC_SEQ_CST);
	for (;;)
		pause();
}

/* What the run leaves behind: the times of its files, their digest, and copies of changed ones. */
static int leave_files(
	const struct container *container, const struct changes *changes, struct error *err)
{
	const struct box_config *config = container->config;

	if (!container->arena->inode_changed && container->save_fd < 0 && !config->digest &&
		!config->observer)
		return 0;
	end_others();
	if (!(config->relax & RELAX_MTIME))
		times_leave(container);
	if (config->digest && send_digest(container, changes, err))
		return -1;
	if (config->observer && send_layout(container, changes, err))
		return -1;
	if (config->write_back && write_back(changes, err))
		return -1;
	if (container->save_fd < 0)
		return 0;
	return tar_suffix(config->save)
		       ? save_tar_write(changes, config->save, container->save_fd, err)
		       : save_write(changes, container->save_fd, err);
}

_Noreturn void init_run(const struct container *container, int other_end)
{
	struct message message = { .kind = MESSAGE_STATUS };
	struct launch launch = { -1, -1, -1, -1, -1 };
	struct changes changes;
	struct error err;
	pid_t command;

	close(other_end);
	streams_keep_commands(container->streams);
	wait_for_go(container->channel);
	setsid();
	forget_caller();
	if (prepare(container, &launch, &changes, &err))
		fail(container->channel, &err);
	syscall(SYS_sched_getaffinity, 0, sizeof(container->arena->cores), container->arena->cores);
	command = start_command(container, &launch, &err);
	if (command < 0)
		fail(container->channel, &err);
	streams_close(container->streams);
	message.status = wait_for(command, container->arena);
	judge_end(container, message.status);
	if (leave_files(container, &changes, &err))
		fail(container->channel, &err);
	channel_send(container->channel, &message, -1);
	_exit(0);
}
