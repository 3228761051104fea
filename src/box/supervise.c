#include "box/supervise.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "box/channel.h"
#include "box/looks.h"
#include "box/notices.h"
#include "box/refusals.h"
#include "box/terminal.h"

/* Exit statuses of the contract. */
#define STATUS_TIMEOUT	      124
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NOT_FOUND      127

#define LOOK_MS		      100  /* how often to look for a condition that ends the run */
#define QUIET_MS	      2000 /* how long a guest may take to change a file */
#define FORCED_MS	      100  /* how long a reader may delay the end of a run that was ended */

/* What is known of the run so far. */
struct outcome {
	bool over; /* the container has to end, or has ended */
	bool command_ended;
	int wait_status;
	int status; /* decided by the supervisor, else 0 */
	bool timed_out;
	bool failed;		/* err is filled */
	char digest[HASH_TEXT]; /* of the files, when it is wanted */
	int list;		/* of them, likewise; -1: none */
};

int supervise_block(struct error *err)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction action;
	sigset_t set;
	int fd;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
		sigaction(ending[i], NULL, &action);
		/* nohup must keep its meaning; shells ignore SIGINT for background jobs,
		 * however. */
		if (ending[i] == SIGHUP && action.sa_handler == SIG_IGN)
			continue;
		signal(ending[i], SIG_DFL);
		sigaddset(&set, ending[i]);
	}
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd >= 0 ? fd : error_set(err, errno, "cannot watch signals");
}

/* The container is gone: from here on a signal may simply end Stet, whatever it waits for. */
static void unblock(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

double supervise_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool terminal_forwards(const struct box_config *config)
{
	return config->stdin_path && strcmp(config->stdin_path, "-") == 0;
}

static bool is_told(const struct fatal *condition)
{
	return __atomic_load_n(&condition->state, __ATOMIC_ACQUIRE) == 2;
}

/* The command has come to its end, and what it looked at is known. Init waits, since nothing may be
 * written back before. A run that is to be started again did not come to its end. */
static void take_looks(
	struct supervision *s, int layout, struct outcome *outcome, struct error *err)
{
	const struct message go = { .kind = MESSAGE_GO };

	if (is_told(&s->arena->conflict) || is_told(&s->arena->fatal) || outcome->status)
		return;
	if (!s->arena->config.launch_error && looks_tell(s->config, s->arena_fd, layout, err)) {
		outcome->failed = true;
		outcome->over = true;
		return;
	}
	channel_send(s->channel, &go, -1);
}

static void take_message(struct supervision *s, struct terminal *terminal, struct outcome *outcome,
	struct error *err)
{
	struct message message = { 0 };
	int fd;

	if (channel_receive(s->channel, &message, &fd) != 1) {
		outcome->over = true;
		return;
	}
	switch (message.kind) {
	case MESSAGE_ERROR:
		*err = message.error;
		outcome->failed = true;
		break;
	case MESSAGE_STATUS:
		outcome->command_ended = true;
		outcome->wait_status = message.status;
		break;
	case MESSAGE_DIGEST:
		snprintf(outcome->digest, sizeof(outcome->digest), "%.64s", message.error.text);
		cleanup_close_do(&outcome->list);
		outcome->list = fd;
		break;
	case MESSAGE_LOOKED:
		take_looks(s, fd, outcome, err);
		if (fd >= 0)
			close(fd);
		break;
	case MESSAGE_NOTE:
		if (s->config->note && !s->attempt->before)
			s->config->note(message.error.text);
		break;
	case MESSAGE_TERMINAL:
		terminal_start(terminal, fd, terminal_forwards(s->config));
		break;
	default:
		break;
	}
}

static void take_signal(struct supervision *s, struct outcome *outcome)
{
	struct signalfd_siginfo info;

	if (read(s->signals_fd, &info, sizeof(info)) != sizeof(info))
		return;
	outcome->status = 128 + (int)info.ssi_signo;
	outcome->over = true;
}

/*
 * A guest found a race. Or one found that the run must end: perhaps only since it ran ahead, and
 * saw what it should not have seen.
 */
static bool take_conflict(struct supervision *s)
{
	const struct fatal *conflict = &s->arena->conflict, *fatal = &s->arena->fatal;
	struct attempt *attempt = s->attempt;

	if (!attempt->optimistic || (!is_told(conflict) && !is_told(fatal)))
		return false;
	refusals_text(is_told(conflict) ? conflict : fatal, attempt->why, sizeof(attempt->why));
	attempt->given_up = true;
	return true;
}

/* Who is just changing something on the host also says what; see guest/undo.c. */
static void wait_for_records(const struct arena *arena)
{
	const struct timespec moment = { 0, 1000000 };

	for (int i = 0; i < QUIET_MS && __atomic_load_n(&arena->undo_busy, __ATOMIC_SEQ_CST); i++)
		nanosleep(&moment, NULL);
}

/* The guest that found the condition has written a line; the container could have, too. */
static bool take_fatal(struct supervision *s, struct error *err)
{
	char text[sizeof(s->arena->fatal.text) + 1];

	if (!is_told(&s->arena->fatal))
		return false;
	refusals_text(&s->arena->fatal, text, sizeof(text));
	error_set(err, 0, "%s", text);
	return true;
}

static int wait_time(double deadline)
{
	double left = deadline - supervise_now();

	if (deadline == 0 || left * 1000 > LOOK_MS)
		return LOOK_MS;
	return left > 0 ? (int)(left * 1000) + 1 : 0;
}

static void watch(struct supervision *s, struct terminal *terminal, struct outcome *outcome,
	struct error *err)
{
	double deadline = s->config->timeout > 0 ? s->attempt->started + s->config->timeout : 0;
	struct notices notices = { .arena = s->arena, .note = s->config->note };
	struct pollfd fds[2 + TERMINAL_FDS] = {
		{ .fd = s->channel, .events = POLLIN },
		{ .fd = s->signals_fd, .events = POLLIN },
	};

	while (!outcome->over) {
		terminal_prepare(terminal, &fds[2]);
		if (poll(fds, sizeof(fds) / sizeof(fds[0]), wait_time(deadline)) < 0)
			continue;
		terminal_relay(terminal, &fds[2]);
		if (fds[0].revents)
			take_message(s, terminal, outcome, err);
		if (fds[1].revents)
			take_signal(s, outcome);
		if (deadline && !outcome->command_ended && supervise_now() >= deadline) {
			outcome->status = STATUS_TIMEOUT;
			outcome->timed_out = true;
			outcome->over = true;
		}
		if (!outcome->command_ended && take_conflict(s)) {
			outcome->over = true;
		} else if (take_fatal(s, err)) {
			outcome->failed = true;
			outcome->over = true;
		}
		if (s->attempt->before && relay_differs(s->relay))
			outcome->over = true;
		notices_look(&notices);
	}
}

/* The guest says why it could not run the command; its exit status is the contract's. */
static bool take_launch_error(
	struct supervision *s, const struct outcome *outcome, struct error *err)
{
	int cause = s->arena->config.launch_error;

	if (!outcome->command_ended || cause <= 0)
		return false;
	error_set(err, cause, "cannot run %s", s->config->command[0]);
	err->status = cause == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
	return true;
}

static int exit_status(int wait_status)
{
	return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/* That nobody reads any more is the command's business, which has heard of it. */
static bool take_output_error(const struct relay_result *relayed, struct error *err)
{
	static const char *const names[] = { "output", "error" };

	for (int i = 0; i < 2; i++) {
		if (relayed->error[i] == 0 || relayed->error[i] == EPIPE)
			continue;
		error_set(err, relayed->error[i], "cannot write standard %s", names[i]);
		return true;
	}
	return false;
}

/* What is written in turn is the same in both attempts, or Stet has a fault. */
static bool take_difference(
	const struct relay_result *relayed, const struct outcome *outcome, struct error *err)
{
	if (!relayed->differs || outcome->status)
		return false;
	error_set(err, 0,
		"the run was started again in strict order, and its output was not what had "
		"already been written; please report it, and use --strict-order");
	return true;
}

static void make_digest(const struct outcome *outcome, const struct relay_result *relayed,
	struct box_result *result)
{
	result->no_digest = relayed->cut ? "not all of the output could be written" : NULL;
	if (result->cut)
		result->no_digest = result->cut;
	if (result->no_digest)
		return;
	digest_of_run(result->status, relayed, outcome->digest, result->digest);
	for (int i = 0; i < 2; i++) {
		result->output[i].bytes = relayed->bytes[i];
		memcpy(result->output[i].hash, relayed->hash[i], HASH_TEXT);
	}
}

static int read_list(int list, char **text, struct error *err)
{
	struct stat status;
	size_t bytes, done = 0;
	ssize_t n = -1;

	if (fstat(list, &status))
		return error_set(err, errno, "cannot read the list of files");
	bytes = (size_t)status.st_size;
	*text = malloc(bytes + 1);
	while (*text && done < bytes &&
		(n = pread(list, *text + done, bytes - done, (off_t)done)) > 0)
		done += (size_t)n;
	if (!*text || done < bytes)
		return error_set(err, errno, "cannot read the list of files");
	(*text)[bytes] = '\0';
	return 0;
}

static int make_result(const struct supervision *s, const struct outcome *outcome,
	const struct relay_result *relayed, struct box_result *result, struct error *err)
{
	result->timed_out = outcome->timed_out;
	refusals_describe(s->arena, result->refusals, sizeof(result->refusals));
	result->status = outcome->status ? outcome->status : exit_status(outcome->wait_status);
	if (outcome->status)
		result->cut = outcome->timed_out ? "the run was ended by --timeout"
						 : "the run was ended by a signal";
	if (s->config->digest)
		make_digest(outcome, relayed, result);
	return result->digest[0] && outcome->list >= 0
		       ? read_list(outcome->list, &result->listing, err)
		       : 0;
}

/* Whether the run, or Stet, failed in a way that leaves nothing to tell of. */
static bool take_failure(struct supervision *s, const struct outcome *outcome,
	const struct relay_result *relayed, struct error *err)
{
	if (outcome->failed || take_difference(relayed, outcome, err) || take_fatal(s, err) ||
		take_launch_error(s, outcome, err) ||
		(!outcome->status && take_output_error(relayed, err)))
		return true;
	if (outcome->status == 0 && !outcome->command_ended)
		return error_set(
			err, 0, "the container ended before its command: killed from outside?");
	return false;
}

/* When no process of the container is left. */
static int conclude(struct supervision *s, struct outcome *outcome, struct terminal *terminal,
	struct box_result *result, struct error *err)
{
	struct relay_result relayed;

	terminal_stop(terminal, outcome->status ? FORCED_MS : -1);
	relay_stop(s->relay, outcome->status ? FORCED_MS : -1, &relayed);
	if (s->config->tty) {
		relayed.bytes[0] = terminal->hash.bytes;
		hash_finish(&terminal->hash, relayed.hash[0]);
	}
	s->attempt->given_up &= !outcome->status;
	if (s->attempt->given_up) {
		memcpy(s->attempt->passed, relayed.passed, sizeof(relayed.passed));
		return 0;
	}
	if (take_failure(s, outcome, &relayed, err))
		return -1;
	return make_result(s, outcome, &relayed, result, err);
}

int supervise(struct supervision *s, struct box_result *result, struct error *err)
{
	struct outcome outcome = { .list = -1 };
	struct terminal terminal = { .master = -1, .hashed = s->config->digest };
	int failed;

	hash_start(&terminal.hash);
	watch(s, &terminal, &outcome, err);
	if (s->attempt->given_up)
		wait_for_records(s->arena);
	kill(s->init, SIGKILL);
	while (waitpid(s->init, NULL, 0) < 0 && errno == EINTR)
		;
	unblock();
	failed = conclude(s, &outcome, &terminal, result, err);
	cleanup_close_do(&outcome.list);
	return failed;
}
