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
#define BURNERS 2

static void die_with(pid_t parent, int signal)
{
	prctl(PR_SET_PDEATHSIG, signal);
	if (getppid() != parent)
		_exit(1);
}

static _Noreturn void burn(pid_t parent)
{
	volatile uint64_t count = 0;

	stop_heed();
	die_with(parent, SIGKILL);
	for (;;)
		count = count + 1;
}

static void start_burners(pid_t burners[BURNERS])
{
	pid_t parent = getpid();

	for (size_t i = 0; i < BURNERS; i++) {
		burners[i] = fork();
		if (burners[i] == 0)
			burn(parent);
	}
}

static void end_burners(const pid_t burners[BURNERS])
{
	for (size_t i = 0; i < BURNERS; i++)
		if (burners[i] > 0) {
			kill(burners[i], SIGKILL);
			waitpid(burners[i], NULL, 0);
		}
}

static _Noreturn void act(const struct trial *trial, pid_t parent)
{
	stop_heed();
	die_with(parent, SIGTERM);
	if (dup2(trial->output, STDOUT_FILENO) < 0 || dup2(trial->errors, STDERR_FILENO) < 0)
		_exit(1);
	variations_outside(trial->vary, trial->turn);
	trial->act(trial->context);
	_exit(0);
}

/* A wish to stop is passed on once; the container takes itself down. */
static int await(const struct trial *trial, pid_t pid, struct error *err)
{
	cleanup_close int ended = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd poll_for = { .fd = ended, .events = POLLIN };
	bool told = false;
	int status;

	while (poll(&poll_for, 1, LOOK_MS) <= 0) {
		if (stop_wanted() && !told) {
			kill(pid, SIGTERM);
			told = true;
		}
		if (trial->wait)
			trial->wait(trial->context);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (stop_wanted())
		return error_set(err, 0, "stopped by a signal");
	if (WIFSIGNALED(status))
		return error_set(err, 0, "a run was ended: %s", strsignal(WTERMSIG(status)));
	return 0;
}

int trial_run(const struct trial *trial, struct error *err)
{
	pid_t burners[BURNERS] = { 0 }, parent = getpid(), pid;
	int failed;

	if (trial->load)
		start_burners(burners);
	pid = fork();
	if (pid == 0)
		act(trial, parent);
	failed = pid < 0 ? error_set(err, errno, "cannot start a process") : await(trial, pid, err);
	end_burners(burners);
	return failed;
}
