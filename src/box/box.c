#include "box/box.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/xattr.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/new_file.h"
#include "box/again.h"
#include "box/arena_file.h"
#include "box/entropy.h"
#include "box/file_owners.h"
#include "box/filter.h"
#include "box/ids.h"
#include "box/loader.h"
#include "box/preflight.h"
#include "box/relay.h"
#include "box/save.h"
#include "box/scratch.h"
#include "box/start.h"
#include "box/supervise.h"
#include "box/undo.h"
#include "box/vdso.h"
#include "code/service.h"
#include "event/reader.h"
#include "event/stats.h"
#include "image/tar.h"

/* Everything that one run has on the host's side. */
struct box {
	const struct box_config *config;
	struct attempt *attempt;
	struct arena_file shared;
	struct scratch scratch;
	struct scratch code_place; /* where there is no cache */
	struct code_service *code;
	int request[2]; /* the supervisor's end, the container's end */
	struct streams streams;
	int save;	     /* directory, or -1 */
	struct new_file tar; /* or this */
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
	enum cpu_counter counter = config->relax & RELAX_TIME ? COUNTER_HOSTS : COUNTER_LOGICAL;
	struct utsname machine;

	uname(&machine);
	if (preflight_kernel(machine.release, err))
		return -1;
	if (!(config->relax & RELAX_CPU) && preflight_cpu(&config->machine, counter, err))
		return -1;
	return raise_limit(err);
}

static int open_files(struct box *box, struct error *err)
{
	const struct box_config *config = box->config;

	if (streams_open(&box->streams, config, err))
		return -1;
	if (config->log && !(box->log = fopen(config->log, "we")))
		return error_set(err, errno, "--log: cannot write %s", config->log);
	if (entropy_open(&box->entropy, config, err))
		return -1;
	if (config->save && tar_suffix(config->save))
		return new_file_open(&box->tar, "--save", config->save, err);
	if (config->save && (box->save = save_open(config->save, err)) < 0)
		return -1;
	return 0;
}

/* What the container's /proc says about mounts: the separators of its lines are escaped there. */
static void note_mounts(const struct box_config *config, char *to, size_t room)
{
	size_t used = 0;

	for (size_t i = 0; i < config->mount_count; i++) {
		const struct box_mount *mount = &config->mounts[i];
		char line[4 * PATH_MAX + 8];
		int n = sprintf(line, mount->mode == BOX_MOUNT_RO ? "ro " : "rw ");

		for (const char *c = mount->inside; *c && n < 4 * PATH_MAX; c++)
			n += sprintf(line + n, strchr(" \t\n\\", *c) ? "\\%03o" : "%c", *c);
		if (used + (size_t)n + 2 > room)
			return;
		used += (size_t)sprintf(to + used, "%s\n", line);
	}
}

/* What is left native, by whichever option. */
static uint32_t relaxed(const struct box_config *config)
{
	return config->relax | (config->machine.entropy == ENTROPY_HOST ? RELAX_RANDOM : 0);
}

/* Who started Stet may have been made a likelier or less likely victim, and so is the container. */
static int32_t own_oom_score_adj(void)
{
	cleanup_close int fd = open("/proc/self/oom_score_adj", O_RDONLY | O_CLOEXEC);
	char text[16] = "";

	return fd >= 0 && read(fd, text, sizeof(text) - 1) > 0 ? atoi(text) : 0;
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
	streams_describe(&box->streams, &box->shared.arena->output);
	if (box->streams.ordered) /* the writers' part in it must be done, then */
		arena->relax &= ~(uint32_t)RELAX_ENV;
	arena->machine = config->machine;
	arena->machine.uid = config->uid;
	arena->machine.gid = config->gid;
	snprintf(arena->machine.hostname, sizeof(arena->machine.hostname), "%s", config->hostname);
	arena->report = (config->log ? REPORT_LOG : 0) | (config->stats ? REPORT_STATS : 0);
	arena->strict = !box->attempt->optimistic;
	arena->undoes = box->attempt->optimistic && again_undoes(config);
	arena->records = config->observer != NULL;
	arena->bundled = config->bundled;
	arena->backwards = config->backwards;
	arena->conflict_at = config->conflict_at;
	arena->launch = LAUNCH_PENDING;
	arena->delays = config->delays;
	arena->logs_ahead = config->logs_ahead;
	arena->oom_score_adj = own_oom_score_adj();
	note_mounts(config, arena->mounts, sizeof(arena->mounts));
	if (file_owners_tell(config, box->shared.arena, err) || vdso_measure(arena, err))
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
	return scratch_make(&box->scratch, NULL, err);
}

/* The file that lies over the image's file `fd`; -1: none does. */
static int open_over(const struct box_config *config, int fd)
{
	char link[64], path[PATH_MAX], over[2 * PATH_MAX];
	size_t skip = config->image ? strlen(config->image) : 0;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = config->over ? readlink(link, path, sizeof(path) - 1) : -1;
	if (n < (ssize_t)skip)
		return -1;
	path[n] = '\0';
	snprintf(over, sizeof(over), "%s%s", config->over, path + skip);
	return open(over, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
}

/* The loader that the container will have; -1: none. */
static int open_loader(const struct box_config *config)
{
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	const char *image = config->image ? config->image : "/";
	cleanup_close int root = open(image, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = root < 0 ? -1 : (int)syscall(SYS_openat2, root, LOADER_PATH, &how, sizeof(how));
	int over = fd < 0 ? -1 : open_over(config, fd);

	if (over < 0)
		return fd;
	close(fd);
	return over;
}

static int open_cache(struct box *box, const char *directory, struct error *err)
{
	if (box->code)
		code_service_close(box->code);
	box->code = code_service_open(box->shared.arena, directory, err);
	if (box->code && code_service_directory(box->code) >= 0)
		box->cache = realpath(directory, NULL);
	return box->code ? 0 : -1;
}

/* Instructions that nothing traps, as rdrand, are caught in rewritten code alone: so it has a place
 * even where nothing can be kept. */
static int open_code(struct box *box, struct error *err)
{
	struct error ignored;
	int loader;

	if (open_cache(box, box->config->cache, err))
		return -1;
	if (!box->cache && scratch_make(&box->code_place, NULL, &ignored) == 0 &&
		open_cache(box, box->code_place.path, err))
		return -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, box->request))
		return error_set(err, errno, "cannot make a pair of sockets");
	loader = open_loader(box->config);
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

static void list_own(const struct box *box, struct digest_own *own)
{
	digest_own_add(own, STDOUT_FILENO);
	digest_own_add(own, STDERR_FILENO);
	digest_own_add(own, box->save);
	digest_own_add_path(own, box->tar.path);
	for (const char *const *path = box->config->own_files; path && *path; path++)
		digest_own_add_path(own, *path);
	digest_own_add(own, box->entropy.file);
	if (box->log)
		digest_own_add(own, fileno(box->log));
	if (box->cache)
		digest_own_add(own, code_service_directory(box->code));
}

/* Threads may exist only when the container's init has been started, see start.h. */
static int run(struct box *box, struct box_result *result, struct error *err)
{
	struct container container = {
		.config = box->config,
		.attempt = box->attempt,
		.arena = box->shared.arena,
		.arena_fd = box->shared.fd,
		.request_fd = box->request[1],
		.streams = &box->streams,
		.entropy_fd = box->entropy.inside,
		.save_fd = box->tar.fd >= 0 ? box->tar.fd : box->save,
		.cache = box->cache,
		.scratch = box->scratch.path,
	};
	const struct relay_plan plan = {
		.hash = box->config->digest,
		.remember = box->attempt->optimistic,
		.before = box->attempt->before,
		.input_copy = box->config->input_copy,
	};
	struct event_reader *reader = NULL;
	struct relay *relay = NULL;
	struct started started;
	int failed;

	if (box->config->digest)
		list_own(box, &container.own);
	if (start_init(&container, &started, err))
		return -1;
	streams_keep_own(&box->streams);
	relay = relay_start(&box->streams, &box->shared.arena->output, &plan, err);
	if (box->log)
		reader = event_reader_start(box->shared.arena, box->shared.fd, box->log, err);
	/* While init builds the root, there is time to start the service. */
	failed = !relay || (box->log && !reader) || start_go(&container, &started, err) ||
		 entropy_start(&box->entropy, err) ||
		 code_service_start(box->code, box->request[0], err);
	if (failed)
		start_abandon(&started, relay);
	else
		failed = start_watch(&container, &started, relay, result, err);
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
	scratch_remove(&box->code_place);
	arena_file_release(&box->shared);
	cleanup_close_do(&box->request[0]);
	cleanup_close_do(&box->request[1]);
	streams_close(&box->streams);
	cleanup_close_do(&box->save);
	new_file_release(&box->tar);
	free(box->cache);
}

/* A pipe cannot be read again. */
static int finish_tar(struct box *box, struct box_result *result, struct error *err)
{
	if (box->config->digest && box->tar.path && hash_whole(box->tar.fd, result->saved))
		return error_set(err, errno, "--save: cannot read %s", box->config->save);
	return new_file_finish(&box->tar, err);
}

/* 0 also when it was given up: nothing of it is left then but its output. */
static int try_run(const struct box_config *config, struct attempt *attempt,
	struct box_result *result, struct error *err)
{
	struct box box = {
		.config = config,
		.attempt = attempt,
		.shared.fd = -1,
		.scratch.guard = -1,
		.code_place.guard = -1,
		.request = { -1, -1 },
		.streams = STREAMS_NONE,
		.entropy = { .inside = -1, .socket = -1, .file = -1 },
		.save = -1,
		.tar = NEW_FILE_NONE,
	};
	int failed = prepare(&box, err);

	if (!failed) {
		failed = run(&box, result, err) || close_log(&box, err) ||
			 entropy_close(&box.entropy, err);
		if (!failed && !attempt->given_up && box.tar.fd >= 0 && !result->cut)
			failed = finish_tar(&box, result, err);
		if (!failed && attempt->given_up)
			failed = undo_all(config, box.shared.arena, box.shared.fd, err);
		if (config->stats && !attempt->given_up)
			stats_print(stderr, box.shared.arena, attempt->before ? 1 : 0);
	}
	release(&box);
	return failed ? -1 : 0;
}

static void tell_restart(const struct box_config *config, const char *why)
{
	char line[1024];

	snprintf(line, sizeof(line), "started again, in strict order: %s", why);
	if (config->verbose && config->note)
		config->note(line);
}

bool box_has_all_ids(void)
{
	return ids_all();
}

int box_run(const struct box_config *config, struct box_result *result, struct error *err)
{
	struct attempt first = {
		.optimistic = !config->strict && again_possible(config),
		.started = supervise_now(),
	};
	struct attempt second = { .started = first.started, .before = first.passed };
	off_t input = again_input(config);

	if (try_run(config, &first, result, err))
		return -1;
	if (!first.given_up)
		return 0;
	tell_restart(config, first.why);
	again_rewind(input);
	return try_run(config, &second, result, err);
}
