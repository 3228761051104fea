#include "box/box.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/xattr.h>

#include "base/cleanup.h"
#include "box/arena_file.h"
#include "box/entropy.h"
#include "box/filter.h"
#include "box/loader.h"
#include "box/preflight.h"
#include "box/save.h"
#include "box/scratch.h"
#include "box/start.h"
#include "box/vdso.h"
#include "code/service.h"
#include "event/reader.h"
#include "event/stats.h"

/* Everything that one run has on the host's side. */
struct box {
	const struct box_config *config;
	struct arena_file shared;
	struct scratch scratch;
	struct code_service *code;
	int request[2]; /* the supervisor's end, the container's end */
	int input, save;
	struct entropy entropy;
	char *cache;
	FILE *log;
};

/* The hidden descriptors lie above the limit that the command gets. */
static int raise_limit(struct error *err)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return error_set(err, errno, "cannot read the limit on descriptors");
	if (limit.rlim_max < HIDDEN_FD_END)
		limit.rlim_max = HIDDEN_FD_END;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		return error_set(err, 0,
			"the hard limit on open files (ulimit -Hn) must be %d or more",
			HIDDEN_FD_END);
	return 0;
}

static int check_machine(const struct box_config *config, struct error *err)
{
	struct utsname machine;

	uname(&machine);
	if (preflight_kernel(machine.release, err))
		return -1;
	if (!(config->relax & RELAX_CPU) && preflight_cpu(&config->machine, err))
		return -1;
	return raise_limit(err);
}

static int open_files(struct box *box, struct error *err)
{
	const struct box_config *config = box->config;
	const char *input = config->stdin_path;

	if (input && strcmp(input, "-") == 0 && !config->tty)
		box->input = dup(STDIN_FILENO);
	else if (input && strcmp(input, "-") != 0)
		box->input = open(input, O_RDONLY | O_CLOEXEC);
	else
		input = NULL;
	if (input && box->input < 0)
		return error_set(err, errno, "--stdin: cannot read %s", input);
	if (config->log && !(box->log = fopen(config->log, "we")))
		return error_set(err, errno, "--log: cannot write %s", config->log);
	if (entropy_open(&box->entropy, config, err))
		return -1;
	if (config->save && (box->save = save_open(config->save, err)) < 0)
		return -1;
	return 0;
}

/* What is left native, by whichever option. */
static uint32_t relaxed(const struct box_config *config)
{
	return config->relax | (config->machine.entropy == ENTROPY_HOST ? RELAX_RANDOM : 0);
}

static int make_arena(struct box *box, struct error *err)
{
	const struct box_config *config = box->config;
	struct arena_config *arena;
	int length;

	if (arena_file_make(&box->shared, err))
		return -1;
	arena = &box->shared.arena->config;
	arena->relax = relaxed(config);
	arena->machine = config->machine;
	arena->machine.uid = config->uid;
	arena->machine.gid = config->gid;
	snprintf(arena->machine.hostname, sizeof(arena->machine.hostname), "%s", config->hostname);
	arena->report = (config->log ? REPORT_LOG : 0) | (config->stats ? REPORT_STATS : 0);
	arena->launch = LAUNCH_PENDING;
	if (vdso_measure(arena, err))
		return -1;
	length = filter_make(arena->relax, arena->report, arena->filter, FILTER_INSNS, err);
	arena->filter_length = (uint32_t)length;
	return length < 0 ? -1 : 0;
}

/* An overlay keeps what it knows in user.* attributes, which memory takes since Linux 6.6. */
static int make_layer(struct box *box, struct error *err)
{
	if (fsetxattr(box->shared.fd, "user.stet", "", 0, 0) == 0)
		return 0;
	return scratch_make(&box->scratch, err);
}

static int open_code(struct box *box, struct error *err)
{
	int loader;

	box->code = code_service_open(box->shared.arena, box->config->cache, err);
	if (!box->code)
		return -1;
	if (box->config->cache && code_service_directory(box->code) >= 0)
		box->cache = realpath(box->config->cache, NULL);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, box->request))
		return error_set(err, errno, "cannot make a pair of sockets");
	loader = open(LOADER_PATH, O_RDONLY | O_CLOEXEC);
	if (loader >= 0) {
		box->shared.arena->config.loader_slot = code_service_prepare(box->code, loader);
		close(loader);
	}
	return 0;
}

static int prepare(struct box *box, struct error *err)
{
	if (check_machine(box->config, err) || open_files(box, err) || make_arena(box, err) ||
		make_layer(box, err) || open_code(box, err))
		return -1;
	return 0;
}

/* Threads may exist only when the container's init has been started, see start.h. */
static int run(struct box *box, struct box_result *result, struct error *err)
{
	struct container container = {
		.config = box->config,
		.arena = box->shared.arena,
		.arena_fd = box->shared.fd,
		.request_fd = box->request[1],
		.entropy_fd = box->entropy.inside,
		.stdin_fd = box->input,
		.save_fd = box->save,
		.cache = box->cache,
		.scratch = box->scratch.path,
	};
	struct event_reader *reader = NULL;
	struct started started;
	int failed;

	if (start_init(&container, &started, err))
		return -1;
	if (box->log)
		reader = event_reader_start(box->shared.arena, box->shared.fd, box->log, err);
	/* While init builds the root, there is time to start the service. */
	failed = (box->log && !reader) || start_go(&container, &started, err) ||
		 entropy_start(&box->entropy, err) ||
		 code_service_start(box->code, box->request[0], err);
	if (failed)
		start_abandon(&started);
	else
		failed = start_watch(&container, &started, result, err);
	event_reader_stop(reader);
	return failed ? -1 : 0;
}

static int close_log(struct box *box, struct error *err)
{
	FILE *log = box->log;

	box->log = NULL;
	if (!log)
		return 0;
	if (ferror(log) | fclose(log))
		return error_set(err, errno, "--log: cannot write %s", box->config->log);
	return 0;
}

static void release(struct box *box)
{
	struct error ignored;

	close_log(box, &ignored);
	entropy_close(&box->entropy, &ignored);
	if (box->code)
		code_service_close(box->code);
	scratch_remove(&box->scratch);
	arena_file_release(&box->shared);
	cleanup_close_do(&box->request[0]);
	cleanup_close_do(&box->request[1]);
	cleanup_close_do(&box->input);
	cleanup_close_do(&box->save);
	free(box->cache);
}

int box_run(const struct box_config *config, struct box_result *result, struct error *err)
{
	struct box box = {
		.config = config,
		.shared.fd = -1,
		.scratch.guard = -1,
		.request = { -1, -1 },
		.input = -1,
		.entropy = { .inside = -1, .socket = -1, .file = -1 },
		.save = -1,
	};
	int failed = prepare(&box, err);

	if (!failed) {
		failed = run(&box, result, err) || close_log(&box, err) ||
			 entropy_close(&box.entropy, err);
		if (config->stats)
			stats_print(stderr, box.shared.arena);
	}
	release(&box);
	return failed ? -1 : 0;
}
