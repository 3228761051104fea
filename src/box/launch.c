#include "box/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "box/capabilities.h"

static int place(int fd, int number, struct error *err)
{
	if (fd < 0) {
		close(number);
		return 0;
	}
	if (dup3(fd, number, 0) < 0)
		return error_set(err, errno, "cannot pass descriptors to the command");
	return 0;
}

/* The loader's rewritten copy, which every program of the container maps. */
static int open_loader_code(const struct container *container, const struct launch *launch)
{
	const struct code_slot *slot =
		&container->arena->code[container->arena->config.loader_slot % CODE_SLOTS];

	return slot->state == CODE_READY ? openat(launch->code, slot->name, O_RDONLY | O_CLOEXEC)
					 : -1;
}

/* Guests look there when they have sent what may take its time. */
static int open_packets(const struct container *container, const struct launch *launch)
{
	return container->arena->config.loopback
		       ? openat(launch->proc, "net/softnet_stat", O_RDONLY | O_CLOEXEC)
		       : -1;
}

/* What there is not has its number all the same, as a descriptor without use: the kernel would give
 * it to a program that has that many. */
static int place_hidden(
	const struct container *container, const struct launch *launch, struct error *err)
{
	const bool ordered = container->streams->ordered;
	const struct {
		int fd, number;
	} hidden[] = {
		{ container->arena_fd, FD_ARENA },
		{ launch->guest, FD_GUEST },
		{ launch->loader, FD_LOADER },
		{ launch->code, FD_CODE },
		{ container->request_fd, FD_REQUEST },
		{ launch->proc, FD_PROC },
		{ open_loader_code(container, launch), FD_LOADER_CODE },
		{ container->entropy_fd, FD_ENTROPY },
		{ ordered ? container->streams->output[0] : -1, FD_OUTPUT },
		{ ordered ? container->streams->output[1] : -1, FD_ERRORS },
		{ open_packets(container, launch), FD_PACKETS },
	};
	cleanup_close int nothing = open("/dev/null", O_PATH | O_CLOEXEC);

	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (place(hidden[i].fd >= 0 ? hidden[i].fd : nothing, hidden[i].number, err))
			return -1;
	return 0;
}

static int open_null(void)
{
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* Whoever the command is, it may open its streams anew by their names. */
static int place_pipes(
	const struct box_config *config, const struct streams *streams, struct error *err)
{
	if (streams->fed && fchown(streams->input, config->uid, config->gid))
		return error_set(err, errno, "cannot give the command its input");
	for (int i = 0; i < 2; i++) {
		if (streams->output[i] < 0)
			continue;
		if (fchown(streams->output[i], config->uid, config->gid))
			return error_set(err, errno, "cannot give the command its output");
		if (place(streams->output[i], STDOUT_FILENO + i, err))
			return -1;
	}
	return 0;
}

static int place_standard(
	const struct container *container, const struct launch *launch, struct error *err)
{
	const struct streams *streams = container->streams;
	int input = streams->input;

	if (place_pipes(container->config, streams, err))
		return -1;
	if (launch->terminal >= 0) {
		if (ioctl(launch->terminal, TIOCSCTTY, 0) < 0 || place(launch->terminal, 1, err) ||
			place(launch->terminal, 2, err))
			return error_set(err, errno, "cannot give the command its terminal");
		if (input < 0)
			input = launch->terminal;
	}
	if (input < 0)
		input = open_null();
	if (input < 0)
		return error_set(err, errno, "cannot open /dev/null in the container");
	if (input == 0) /* dup3 refuses equal numbers */
		return 0;
	return place(input, 0, err);
}

/* Nothing of the host's may stay open; until then, failures can be reported. */
static int close_others(struct error *err)
{
	if (close_range(3, HIDDEN_FD_FIRST - 1, CLOSE_RANGE_CLOEXEC) ||
		close_range(HIDDEN_FD_END, ~0u, CLOSE_RANGE_CLOEXEC))
		return error_set(err, errno, "cannot close descriptors");
	return 0;
}

/* A soft limit that the command starts with, if the hard one lets it. */
static int limit_to(int resource, rlim_t soft)
{
	struct rlimit limit;

	if (getrlimit((__rlimit_resource_t)resource, &limit))
		return -1;
	limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
	return setrlimit((__rlimit_resource_t)resource, &limit);
}

/*
 * What the kernel enforces is what the guest says to programs (facts.c), whatever the caller had.
 * The command's slack of timers and its pages' size are not the caller's either.
 */
static void forget_caller(void)
{
	static const int unlimited[] = { RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_RSS,
		RLIMIT_AS, RLIMIT_NPROC, RLIMIT_SIGPENDING, RLIMIT_MSGQUEUE };

	for (size_t i = 0; i < sizeof(unlimited) / sizeof(unlimited[0]); i++)
		limit_to(unlimited[i], RLIM_INFINITY);
	limit_to(RLIMIT_STACK, 8u << 20);
	limit_to(RLIMIT_MEMLOCK, 8u << 20);
	limit_to(RLIMIT_CORE, 0);
	prctl(PR_SET_TIMERSLACK, 50000);
	prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
}

static int limit_resources(const struct box_config *config, struct error *err)
{
	if (!(config->relax & RELAX_PROC))
		forget_caller();
	if (limit_to(RLIMIT_NOFILE, DESCRIPTOR_LIMIT))
		return error_set(err, errno, "cannot set the limit on descriptors");
	return 0;
}

static int become(const struct box_config *config, struct error *err)
{
	/* Where the container has one group only, setgroups is denied and there is nothing to
	 * drop. */
	if (setgroups(0, NULL) && errno != EPERM)
		return error_set(err, errno, "cannot drop groups");
	if (setresgid(config->gid, config->gid, config->gid))
		return error_set(err, errno, "cannot become group %u", config->gid);
	if (capabilities_limit(err))
		return -1;
	if (setresuid(config->uid, config->uid, config->uid))
		return error_set(err, errno, "cannot become user %u", config->uid);
	return 0;
}

int launch_command(
	const struct container *container, const struct launch *launch, struct error *err)
{
	const struct box_config *config = container->config;

	/* A terminal belongs to a session's leader. Without one the command is in init's session,
	 * and its parent in another group of it: as below a shell, so that it can be stopped. */
	if (launch->terminal >= 0)
		setsid();
	else
		setpgid(0, 0);
	if (chdir(config->workdir))
		return error_set(
			err, errno, "cannot enter the working directory %s", config->workdir);
	if (place_hidden(container, launch, err) || place_standard(container, launch, err) ||
		close_others(err) || limit_resources(config, err) || become(config, err))
		return -1;
	execveat(FD_GUEST, "", config->command, config->environment, AT_EMPTY_PATH);
	return error_set(err, errno, "cannot start the guest");
}
