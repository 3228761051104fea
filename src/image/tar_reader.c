#include "image/tar_reader.h"

#include <archive.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/stop.h"

#define PART  (256u << 10) /* what was just hashed is still in the CPU's cache when it is used */
#define PARTS 8		   /* how far the thread may be ahead */

struct tar_reader {
	int file;
	const char *name;
	uint64_t all, taken_bytes; /* of the file, and of them used */
	void (*progress)(uint64_t done, uint64_t all);
	pthread_t thread;
	struct hash hash; /* the thread's, and the caller's when it has ended */

	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned filled, taken; /* parts, in a circle; counts that only grow */
	int cause;		/* errno when it cannot be read */
	bool ended;		/* the thread fills no more */
	bool unwanted;		/* the caller wants no more */

	bool holding; /* the caller uses the part that is next to be taken */
	ssize_t bytes[PARTS];
	unsigned char parts[PARTS][PART];
};

/* A place to read to, or NULL when no more is wanted. */
static unsigned char *wait_for_room(struct tar_reader *reader)
{
	unsigned char *part;

	pthread_mutex_lock(&reader->lock);
	while (!reader->unwanted && reader->filled - reader->taken == PARTS)
		pthread_cond_wait(&reader->changed, &reader->lock);
	part = reader->unwanted ? NULL : reader->parts[reader->filled % PARTS];
	pthread_mutex_unlock(&reader->lock);
	return part;
}

static void hand_over(struct tar_reader *reader, ssize_t bytes, int cause)
{
	pthread_mutex_lock(&reader->lock);
	if (bytes > 0) {
		reader->bytes[reader->filled++ % PARTS] = bytes;
	} else {
		reader->ended = true;
		reader->cause = cause;
	}
	pthread_cond_signal(&reader->changed);
	pthread_mutex_unlock(&reader->lock);
}

static void *read_ahead(void *argument)
{
	struct tar_reader *reader = argument;
	unsigned char *part;
	ssize_t bytes;

	while ((part = wait_for_room(reader))) {
		bytes = pread(reader->file, part, PART, (off_t)reader->hash.bytes);
		if (bytes < 0 && errno == EINTR)
			continue;
		if (bytes > 0)
			hash_add(&reader->hash, part, (size_t)bytes);
		hand_over(reader, bytes, bytes < 0 ? errno : 0);
		if (bytes <= 0)
			break;
	}
	return NULL;
}

/* Signals are for the caller, who waits for locks and is to be interrupted by them. */
static int start_thread(struct tar_reader *reader)
{
	sigset_t all, before;
	int cause;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	cause = pthread_create(&reader->thread, NULL, read_ahead, reader);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return cause;
}

struct tar_reader *tar_reader_open(int file, const char *name,
	void (*progress)(uint64_t done, uint64_t all), struct error *err)
{
	struct tar_reader *reader = calloc(1, sizeof(*reader));
	struct stat status;
	int cause = !reader ? ENOMEM : fstat(file, &status) ? errno : 0;

	if (!cause) {
		reader->file = file;
		reader->name = name;
		reader->all = (uint64_t)status.st_size;
		reader->progress = progress;
		hash_start(&reader->hash);
		pthread_mutex_init(&reader->lock, NULL);
		pthread_cond_init(&reader->changed, NULL);
		cause = start_thread(reader);
	}
	if (!cause)
		return reader;
	error_set(err, cause, "%s", name);
	free(reader);
	return NULL;
}

/* The next part: its bytes, 0 at the end, -1 with errno. */
static ssize_t next_part(struct tar_reader *reader, const void **data)
{
	unsigned place;
	ssize_t bytes;

	pthread_mutex_lock(&reader->lock);
	if (reader->holding)
		reader->taken++;
	pthread_cond_signal(&reader->changed);
	while (reader->filled == reader->taken && !reader->ended)
		pthread_cond_wait(&reader->changed, &reader->lock);
	place = reader->taken % PARTS;
	reader->holding = reader->filled != reader->taken;
	bytes = reader->holding ? reader->bytes[place] : reader->cause ? -1 : 0;
	errno = reader->cause;
	pthread_mutex_unlock(&reader->lock);
	*data = reader->parts[place];
	return bytes;
}

static ssize_t take_part(struct tar_reader *reader, const void **data)
{
	ssize_t bytes;

	if (stop_wanted()) {
		errno = EINTR;
		return -1;
	}
	bytes = next_part(reader, data);
	if (bytes > 0)
		reader->taken_bytes += (uint64_t)bytes;
	if (reader->progress)
		reader->progress(reader->taken_bytes, reader->all);
	return bytes;
}

static la_ssize_t give_part(struct archive *archive, void *client, const void **data)
{
	ssize_t bytes = take_part(client, data);

	if (bytes < 0)
		archive_set_error(archive, errno, "cannot read it");
	return bytes < 0 ? ARCHIVE_FATAL : bytes;
}

int tar_reader_give(struct tar_reader *reader, struct archive *archive, struct error *err)
{
	if (archive_read_open(archive, reader, NULL, give_part, NULL) == ARCHIVE_OK)
		return 0;
	return error_set(err, 0, "%s: %s", reader->name, archive_error_string(archive));
}

int tar_reader_finish(struct tar_reader *reader, char digest[HASH_TEXT], struct error *err)
{
	const void *data;
	ssize_t bytes;

	while ((bytes = take_part(reader, &data)) > 0)
		;
	if (bytes < 0)
		return error_set(err, errno, "%s: cannot read it", reader->name);
	hash_finish(&reader->hash, digest);
	return 0;
}

void tar_reader_close(struct tar_reader *reader)
{
	pthread_mutex_lock(&reader->lock);
	reader->unwanted = true;
	pthread_cond_signal(&reader->changed);
	pthread_mutex_unlock(&reader->lock);
	pthread_join(reader->thread, NULL);
	pthread_cond_destroy(&reader->changed);
	pthread_mutex_destroy(&reader->lock);
	free(reader);
}
