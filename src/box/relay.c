#include "box/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/cleanup.h"

#define CHUNK	    65536 /* a pipe's size */
#define STACK_BYTES (CHUNK + 65536)
#define THREADS	    3

/* One stream on its way. */
struct flow {
	int from, to;
	bool copies; /* the kernel cannot move the bytes by itself, or they are to be hashed */
	int error;   /* errno of the descriptor that cannot be written */
	bool hashed;
	struct hash hash;
	struct passed passed;
	uint64_t sample;	     /* bytes to be taken into passed.sample */
	const struct passed *before; /* of an attempt before; NULL: this is the first */
	uint64_t skip;		     /* how much of that is still to come */
	bool differs;
	int copy; /* gets all that is carried, too; 0: nobody does */
};

struct relay {
	struct flow output[2], input;
	struct output *shared; /* in the arena; NULL: no order to be kept */
	pthread_t threads[THREADS];
	unsigned thread_count;
	bool has_input;
};

static bool write_all(struct flow *flow, int to, const char *data, size_t bytes)
{
	while (bytes > 0) {
		struct pollfd out = { to, POLLOUT, 0 };
		ssize_t n = write(to, data, bytes);

		if (n < 0 && errno == EAGAIN) {
			poll(&out, 1, -1); /* somebody outside made it non-blocking */
		} else if (n < 0 && errno != EINTR) {
			flow->error = errno;
			return false;
		} else if (n > 0) {
			data += n;
			bytes -= (size_t)n;
		}
	}
	return true;
}

static void note_passed(struct flow *flow, const char *data, size_t bytes)
{
	uint64_t sampled = flow->passed.sample.bytes;

	if (sampled < flow->sample)
		hash_add(&flow->passed.sample, data,
			bytes < flow->sample - sampled ? bytes : flow->sample - sampled);
	flow->passed.bytes += bytes;
}

/* Both samples are of as many bytes. */
static bool same_samples(const struct flow *flow)
{
	struct hash now = flow->passed.sample, before = flow->before->sample;
	char one[HASH_TEXT], other[HASH_TEXT];

	hash_finish(&now, one);
	hash_finish(&before, other);
	return strcmp(one, other) == 0;
}

/* How much of a piece has been out before. */
static size_t skip(struct flow *flow, size_t bytes)
{
	size_t skipped = bytes < flow->skip ? bytes : flow->skip;

	if (skipped == 0)
		return 0;
	flow->skip -= skipped;
	if (flow->skip == 0 && !same_samples(flow))
		__atomic_store_n(&flow->differs, true, __ATOMIC_RELEASE);
	return skipped;
}

static bool carry(struct flow *flow, const char *data, size_t bytes)
{
	size_t skipped;

	if (flow->hashed)
		hash_add(&flow->hash, data, bytes);
	note_passed(flow, data, bytes);
	skipped = skip(flow, bytes);
	if (flow->copy && !write_all(flow, flow->copy, data, bytes))
		return false;
	return flow->differs || write_all(flow, flow->to, data + skipped, bytes - skipped);
}

/* Waits for a piece and carries it on. False: there is no more, or nobody takes it. */
static bool copy_piece(struct flow *flow)
{
	char data[CHUNK];
	struct pollfd in = { flow->from, POLLIN, 0 };
	ssize_t n = read(flow->from, data, sizeof(data));

	if (n < 0 && errno == EAGAIN)
		return poll(&in, 1, -1) >= 0 || errno == EINTR;
	if (n <= 0)
		return n < 0 && errno == EINTR;
	return carry(flow, data, (size_t)n);
}

/* Does somebody have to look at the bytes? */
static bool is_looked_at(const struct flow *flow)
{
	return flow->copies || flow->skip > 0 || flow->passed.sample.bytes < flow->sample ||
	       flow->differs;
}

/* With a side that somebody made non-blocking, the kernel does not say which of both is not
 * ready. */
static void wait_for_both(const struct flow *flow)
{
	struct pollfd in = { flow->from, POLLIN, 0 }, out = { flow->to, POLLOUT, 0 };

	poll(&in, 1, -1);
	poll(&out, 1, -1);
}

static bool move_piece(struct flow *flow)
{
	ssize_t n;

	if (is_looked_at(flow))
		return copy_piece(flow);
	n = splice(flow->from, NULL, flow->to, NULL, CHUNK, SPLICE_F_MOVE);
	if (n >= 0) {
		flow->passed.bytes += (uint64_t)n;
		return n > 0;
	}
	switch (errno) {
	case EINVAL: /* terminals of some kernels, files opened for appending */
		flow->copies = true;
		return copy_piece(flow);
	case EAGAIN:
		wait_for_both(flow);
		return true;
	case EINTR:
		return true;
	default:
		flow->error = errno;
		return false;
	}
}

/* Whoever is at the other end of the pipe learns that this end has gone. */
static void let_go(int *pipe)
{
	close(*pipe);
	*pipe = -1;
}

static void *carry_output(void *argument)
{
	struct flow *flow = argument;

	while (move_piece(flow))
		;
	let_go(&flow->from);
	return NULL;
}

static void *carry_input(void *argument)
{
	struct flow *flow = argument;

	while (move_piece(flow))
		;
	let_go(&flow->to);
	return NULL;
}

static void tell_writers(struct output *shared)
{
	__atomic_add_fetch(&shared->taken, 1, __ATOMIC_SEQ_CST);
	if (__atomic_exchange_n(&shared->waiting, 0, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, &shared->taken, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void carry_ready(struct relay *relay, struct flow *flow)
{
	if (!move_piece(flow)) {
		if (flow->error) /* what is left in the pipe stays there: nobody must wait for it */
			__atomic_store_n(&relay->shared->ordered, 0, __ATOMIC_SEQ_CST);
		let_go(&flow->from);
	}
	tell_writers(relay->shared);
}

/* Both outputs in one thread: one piece is out before the next is looked for. */
static void *carry_ordered(void *argument)
{
	struct relay *relay = argument;
	struct flow *flows = relay->output;

	while (flows[0].from >= 0 || flows[1].from >= 0) {
		struct pollfd fds[2] = { { flows[0].from, POLLIN, 0 },
			{ flows[1].from, POLLIN, 0 } };

		if (poll(fds, 2, -1) < 0)
			continue;
		for (int i = 0; i < 2; i++)
			if (fds[i].revents)
				carry_ready(relay, &flows[i]);
	}
	return NULL;
}

static int add_thread(struct relay *relay, void *(*run)(void *), void *argument)
{
	pthread_attr_t attributes;
	int rc;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	rc = pthread_create(&relay->threads[relay->thread_count], &attributes, run, argument);
	pthread_attr_destroy(&attributes);
	relay->thread_count += rc == 0;
	return rc;
}

/* Signals are for the supervisor's main thread. */
static int start_threads(struct relay *relay)
{
	sigset_t all, before;
	int rc = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (relay->shared)
		rc = add_thread(relay, carry_ordered, relay);
	for (int i = 0; i < 2 && !relay->shared && !rc; i++)
		if (relay->output[i].from >= 0)
			rc = add_thread(relay, carry_output, &relay->output[i]);
	if (relay->input.from >= 0 && !rc) {
		rc = add_thread(relay, carry_input, &relay->input);
		relay->has_input = !rc;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

/* Takes a descriptor out of the streams. */
static int take(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

static struct flow output_flow(int from, int number, const struct relay_plan *plan)
{
	const struct passed *before = plan->before ? &plan->before[number] : NULL;
	struct flow flow = {
		.from = from,
		.to = STDOUT_FILENO + number,
		.copies = plan->hash,
		.hashed = plan->hash,
		.sample = before	   ? before->sample.bytes
			  : plan->remember ? PASSED_SAMPLE
					   : 0,
		.before = before,
		.skip = before ? before->bytes : 0,
	};

	hash_start(&flow.hash);
	hash_start(&flow.passed.sample);
	return flow;
}

struct relay *relay_start(struct streams *streams, struct output *output,
	const struct relay_plan *plan, struct error *err)
{
	struct relay *relay = calloc(1, sizeof(*relay));
	int rc;

	if (!relay) {
		error_set(err, ENOMEM, "cannot relay output");
		return NULL;
	}
	signal(SIGPIPE, SIG_IGN); /* it is the command that is to hear of it */
	relay->shared = streams->ordered ? output : NULL;
	relay->input = (struct flow){
		.from = take(&streams->source),
		.to = take(&streams->feed),
		.copies = plan->input_copy,
		.copy = plan->input_copy,
	};
	for (int i = 0; i < 2; i++)
		relay->output[i] = output_flow(take(&streams->taken[i]), i, plan);
	rc = start_threads(relay);
	if (rc) {
		struct relay_result ignored;

		error_set(err, rc, "cannot relay output");
		relay_stop(relay, 0, &ignored);
		return NULL;
	}
	return relay;
}

bool relay_differs(const struct relay *relay)
{
	for (int i = 0; i < 2; i++)
		if (__atomic_load_n(&relay->output[i].differs, __ATOMIC_ACQUIRE))
			return true;
	return false;
}

static struct timespec after(int milliseconds)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_sec += milliseconds / 1000;
	time.tv_nsec += milliseconds % 1000 * 1000000;
	if (time.tv_nsec >= 1000000000) {
		time.tv_sec++;
		time.tv_nsec -= 1000000000;
	}
	return time;
}

/* True when the thread ended by itself. Who waits for a reader, or for input, can be stopped. */
static bool end_thread(pthread_t thread, int patience)
{
	struct timespec deadline = after(patience < 0 ? 0 : patience);
	int rc = patience < 0 ? pthread_join(thread, NULL)
			      : pthread_timedjoin_np(thread, NULL, &deadline);

	if (rc == 0)
		return true;
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	return false;
}

void relay_stop(struct relay *relay, int patience, struct relay_result *result)
{
	*result = (struct relay_result){ 0 };
	if (!relay)
		return;
	if (relay->has_input) /* nobody reads it any more */
		end_thread(relay->threads[--relay->thread_count], 0);
	while (relay->thread_count > 0)
		if (!end_thread(relay->threads[--relay->thread_count], patience))
			result->cut = true;
	for (int i = 0; i < 2; i++) {
		struct flow *flow = &relay->output[i];

		result->error[i] = flow->error;
		result->cut |= flow->error != 0;
		result->bytes[i] = flow->hash.bytes;
		result->passed[i] = flow->passed;
		result->differs |= flow->differs || flow->skip > 0;
		hash_finish(&flow->hash, result->hash[i]);
		cleanup_close_do(&flow->from);
	}
	cleanup_close_do(&relay->input.to);
	cleanup_close_do(&relay->input.from);
	free(relay);
}
