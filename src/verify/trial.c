#include "verify/trial.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/stop.h"
#include "verify/variations.h"

#define LOOK_MS 100

static void die_with(pid_t parent, int signal)
{
	prctl(PR_SET_PDEATHSIG, signal);
	if (getppid() != parent)
		_exit(1);
}

static void keep_to(const cpu_set_t *cpus)
{
	if (CPU_COUNT(cpus))
		sched_setaffinity(0, sizeof(*cpus), cpus);
}

static _Noreturn void burn(pid_t parent)
{
	volatile uint64_t count = 0;

	stop_heed();
	die_with(parent, SIGKILL);
	for (;;)
		count = count + 1;
}

static void start_burners(struct trial *trial)
{
	pid_t parent = getpid();

	for (size_t i = 0; i < TRIAL_BURNERS; i++) {
		trial->burners[i] = fork();
		if (trial->burners[i] == 0) {
			keep_to(&trial->cpus);
			burn(parent);
		}
	}
}

static void end_burners(struct trial *trial)
{
	for (size_t i = 0; i < TRIAL_BURNERS; i++) {
		if (trial->burners[i] > 0) {
			kill(trial->burners[i], SIGKILL);
			waitpid(trial->burners[i], NULL, 0);
		}
		trial->burners[i] = 0;
	}
}

static _Noreturn void act(const struct trial *trial, pid_t parent)
{
	stop_heed();
	die_with(parent, SIGTERM);
	if (dup2(trial->output, STDOUT_FILENO) < 0 || dup2(trial->errors, STDERR_FILENO) < 0)
		_exit(1);
	keep_to(&trial->cpus);
	variations_outside(trial->vary, trial->turn);
	trial->act(trial->context);
	_exit(0);
}

static int reap(struct trial *trial)
{
	int status = 0;

	while (waitpid(trial->pid, &status, 0) < 0 && errno == EINTR)
		;
	trial->pid = 0;
	end_burners(trial);
	return status;
}

int trial_start(struct trial *trial, struct error *err)
{
	pid_t parent = getpid();

	if (trial->load)
		start_burners(trial);
	trial->pid = fork();
	if (trial->pid == 0)
		act(trial, parent);
	if (trial->pid > 0)
		return 0;
	trial->pid = 0;
	error_set(err, errno, "cannot start a process");
	end_burners(trial);
	return -1;
}

/* A wish to stop is passed on once; the container takes itself down. */
int trial_end(struct trial *trial, struct error *err)
{
	cleanup_close int ended = (int)syscall(SYS_pidfd_open, trial->pid, 0);
	struct pollfd poll_for = { .fd = ended, .events = POLLIN };
	bool told = false;
	int status;

	while (poll(&poll_for, 1, LOOK_MS) <= 0) {
		if (stop_wanted() && !told) {
			kill(trial->pid, SIGTERM);
			told = true;
		}
		if (trial->wait)
			trial->wait(trial->context);
	}
	status = reap(trial);
	if (stop_wanted())
		return error_set(err, 0, "stopped by a signal");
	if (WIFSIGNALED(status))
		return error_set(err, 0, "a run was ended: %s", strsignal(WTERMSIG(status)));
	return 0;
}

void trial_stop(struct trial *trial)
{
	if (!trial->pid)
		return;
	kill(trial->pid, SIGTERM);
	reap(trial);
}
