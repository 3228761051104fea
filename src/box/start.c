#include "box/start.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "box/channel.h"
#include "box/ids.h"
#include "box/init.h"
#include "box/preflight.h"
#include "box/supervise.h"

#define NAMESPACES                                                                                 \
	(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNET)

int start_init(struct container *container, struct started *started, struct error *err)
{
	int ends[2];

	if (channel_open(ends, err))
		return -1;
	started->channel = ends[0];
	container->channel = ends[1];
	started->signals = supervise_block(err);
	if (started->signals < 0)
		return -1;
	started->init = (pid_t)syscall(SYS_clone, NAMESPACES | SIGCHLD, NULL, NULL, NULL, NULL);
	if (started->init < 0)
		return preflight_explain(errno, "cannot create the container's namespaces", err);
	if (started->init == 0)
		init_run(container, started->channel);
	close(container->channel);
	return 0;
}

void start_abandon(struct started *started, struct relay *relay)
{
	struct relay_result ignored;

	kill(started->init, SIGKILL);
	while (waitpid(started->init, NULL, 0) < 0 && errno == EINTR)
		;
	relay_stop(relay, 0, &ignored);
	close(started->channel);
	close(started->signals);
}

int start_go(const struct container *container, struct started *started, struct error *err)
{
	const struct box_config *config = container->config;
	struct message go = { .kind = MESSAGE_GO };

	if (ids_map(started->init, config->uid, config->gid, err))
		return -1;
	if (channel_send(started->channel, &go, -1))
		return error_set(err, errno, "the container's init has gone");
	return 0;
}

int start_watch(const struct container *container, struct started *started, struct relay *relay,
	struct box_result *result, struct error *err)
{
	struct supervision supervision = {
		.config = container->config,
		.attempt = container->attempt,
		.arena = container->arena,
		.arena_fd = container->arena_fd,
		.init = started->init,
		.channel = started->channel,
		.signals_fd = started->signals,
		.relay = relay,
	};
	int failed = supervise(&supervision, result, err);

	close(started->channel);
	close(started->signals);
	return failed;
}
