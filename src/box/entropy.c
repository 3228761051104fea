#include "box/entropy.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "arena/entropy.h"
#include "base/cleanup.h"

static int write_text(int fd, const char *text, size_t length)
{
	for (size_t done = 0; done < length;) {
		ssize_t n = write(fd, text + done, length - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		done += (size_t)n;
	}
	return 0;
}

static int record_open(struct entropy *entropy, struct error *err)
{
	int ends[2];

	entropy->file =
		open(entropy->path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
	if (entropy->file < 0 ||
		write_text(entropy->file, ENTROPY_FIRST, sizeof(ENTROPY_FIRST) - 1))
		return error_set(err, errno, "--entropy record: cannot write %s", entropy->path);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return error_set(err, errno, "cannot make a pair of sockets");
	entropy->socket = ends[0];
	entropy->inside = ends[1];
	return 0;
}

int entropy_open(struct entropy *entropy, const struct box_config *config, struct error *err)
{
	*entropy = (struct entropy){
		.path = config->entropy_file,
		.inside = -1,
		.socket = -1,
		.file = -1,
	};
	switch (config->machine.entropy) {
	case ENTROPY_RECORD:
		return record_open(entropy, err);
	case ENTROPY_REPLAY:
		entropy->inside = entropy_replay_open(entropy->path, err);
		return entropy->inside < 0 ? -1 : 0;
	default:
		return 0;
	}
}

/* The container wrote it: is it what a guest would send? */
static bool message_good(const struct entropy_taken *taken, size_t length)
{
	size_t name = strnlen(taken->name, sizeof(taken->name));

	return length > offsetof(struct entropy_taken, data) &&
	       taken->bytes == length - offsetof(struct entropy_taken, data) && name > 0 &&
	       name < sizeof(taken->name) && strspn(taken->name, "0123456789.~") == name;
}

static int write_line(int fd, const struct entropy_taken *taken)
{
	char line[160 + 2 * ENTROPY_CHUNK];
	size_t at =
		(size_t)snprintf(line, sizeof(line), "%s %016" PRIx64 " %" PRIu32 " %" PRIu64 " ",
			taken->name, taken->place, taken->execs, taken->offset);

	for (uint32_t i = 0; i < taken->bytes; i++)
		at += (size_t)sprintf(line + at, "%02x", taken->data[i]);
	line[at++] = '\n';
	return write_text(fd, line, at);
}

/* One message; false when there will be no more, or what comes cannot be kept. */
static bool record_one(struct entropy *entropy)
{
	struct entropy_taken taken = { 0 };
	ssize_t n = recv(entropy->socket, &taken, sizeof(taken), 0);

	if (n <= 0)
		return n < 0 && (errno == EINTR || errno == ENOMEM || errno == ENOBUFS);
	if (!message_good(&taken, (size_t)n) || write_line(entropy->file, &taken) == 0)
		return true;
	entropy->error = errno;
	return false;
}

static void *record_all(void *argument)
{
	struct entropy *entropy = argument;

	while (record_one(entropy))
		;
	/* Guests must not wait for somebody who has given up. */
	shutdown(entropy->socket, SHUT_RDWR);
	return NULL;
}

/* The supervisor's signals are for its main thread. */
int entropy_start(struct entropy *entropy, struct error *err)
{
	sigset_t all, old;
	int rc;

	if (entropy->socket < 0)
		return 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&entropy->thread, NULL, record_all, entropy);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc)
		return error_set(err, rc, "cannot start a thread");
	entropy->running = true;
	return 0;
}

int entropy_close(struct entropy *entropy, struct error *err)
{
	cleanup_close_do(&entropy->inside);
	entropy->inside = -1;
	if (entropy->running)
		pthread_join(entropy->thread, NULL);
	entropy->running = false;
	cleanup_close_do(&entropy->socket);
	entropy->socket = -1;
	if (entropy->file >= 0 && close(entropy->file) && !entropy->error)
		entropy->error = errno;
	entropy->file = -1;
	if (entropy->error)
		return error_set(
			err, entropy->error, "--entropy record: cannot write %s", entropy->path);
	return 0;
}
