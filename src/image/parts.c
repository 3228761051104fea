#include "image/parts.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#define AHEAD 8 /* parts that may be made and not used */

struct parts {
	parts_maker *make;
	void *context;
	pthread_t thread;
	bool joined;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned int made, used; /* parts, in a circle; counts that only grow */
	bool holding;		 /* the caller uses the part that comes after those */
	bool ended;		 /* no more are made */
	bool unwanted;		 /* no more are used */

	size_t bytes[AHEAD];
	unsigned char parts[AHEAD][PART_SIZE];
};

static void *run(void *argument)
{
	struct parts *parts = argument;

	parts->make(parts, parts->context);
	pthread_mutex_lock(&parts->lock);
	parts->ended = true;
	pthread_cond_signal(&parts->changed);
	pthread_mutex_unlock(&parts->lock);
	return NULL;
}

/* Signals are for the caller, who may wait for something that they are to interrupt. */
static int start_thread(struct parts *parts)
{
	sigset_t all, before;
	int cause;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	cause = pthread_create(&parts->thread, NULL, run, parts);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return cause;
}

static void release(struct parts *parts)
{
	pthread_cond_destroy(&parts->changed);
	pthread_mutex_destroy(&parts->lock);
	free(parts);
}

struct parts *parts_start(parts_maker *make, void *context)
{
	struct parts *parts = calloc(1, sizeof(*parts));
	int cause;

	if (!parts)
		return NULL;
	parts->make = make;
	parts->context = context;
	pthread_mutex_init(&parts->lock, NULL);
	pthread_cond_init(&parts->changed, NULL);
	cause = start_thread(parts);
	if (!cause)
		return parts;
	release(parts);
	errno = cause;
	return NULL;
}

unsigned char *parts_room(struct parts *parts)
{
	unsigned char *room;

	pthread_mutex_lock(&parts->lock);
	while (!parts->unwanted && parts->made - parts->used == AHEAD)
		pthread_cond_wait(&parts->changed, &parts->lock);
	room = parts->unwanted ? NULL : parts->parts[parts->made % AHEAD];
	pthread_mutex_unlock(&parts->lock);
	return room;
}

void parts_give(struct parts *parts, size_t bytes)
{
	pthread_mutex_lock(&parts->lock);
	parts->bytes[parts->made++ % AHEAD] = bytes;
	pthread_cond_signal(&parts->changed);
	pthread_mutex_unlock(&parts->lock);
}

size_t parts_next(struct parts *parts, const void **data)
{
	unsigned int place;
	size_t bytes;

	pthread_mutex_lock(&parts->lock);
	if (parts->holding)
		parts->used++;
	pthread_cond_signal(&parts->changed);
	while (parts->made == parts->used && !parts->ended)
		pthread_cond_wait(&parts->changed, &parts->lock);
	place = parts->used % AHEAD;
	parts->holding = parts->made != parts->used;
	bytes = parts->holding ? parts->bytes[place] : 0;
	pthread_mutex_unlock(&parts->lock);
	*data = parts->parts[place];
	return bytes;
}

void parts_end(struct parts *parts)
{
	if (parts->joined)
		return;
	pthread_mutex_lock(&parts->lock);
	parts->unwanted = true;
	pthread_cond_signal(&parts->changed);
	pthread_mutex_unlock(&parts->lock);
	pthread_join(parts->thread, NULL);
	parts->joined = true;
}

void parts_free(struct parts *parts)
{
	if (!parts)
		return;
	parts_end(parts);
	release(parts);
}
