#include "code/service.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arena/identity.h"
#include "base/cleanup.h"
#include "code/resolve.h"

#define THREADS	     2 /* so that one big file does not hold up small ones */
#define STACK_BYTES  (256u << 10)
#define STOP_SECONDS 1
#define KEPT	     16384 /* and never more than half of what may be open */
#define DESCRIPTORS  4	   /* more than one in a message is an abuse: they are closed */

_Static_assert(sizeof(((struct code_slot *)0)->name) == STORE_NAME, "slots hold the store's names");

struct code_service {
	struct arena *arena;
	struct store store;
	int socket;
	pthread_t threads[THREADS];
	unsigned thread_count;
	pthread_mutex_t lock;
	int kept[KEPT]; /* descriptors that guests asked to keep open */
	unsigned kept_count;
	atomic_bool stopping; /* the arena may be gone: threads must not touch it any more */
};

struct code_service *code_service_open(
	struct arena *arena, const char *directory, struct error *err)
{
	struct code_service *service = calloc(1, sizeof(*service));

	if (!service) {
		error_set(err, errno, "cannot start the code cache");
		return NULL;
	}
	service->arena = arena;
	service->store = (struct store){ -1, -1, false };
	service->socket = -1;
	pthread_mutex_init(&service->lock, NULL);
	if (directory)
		store_open(&service->store, directory);
	return service;
}

int code_service_directory(const struct code_service *service)
{
	return service->store.directory;
}

static void fill_identity(struct file_identity *identity, int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return;
	*identity = (struct file_identity){
		.device = st.st_dev,
		.inode = st.st_ino,
		.size = (uint64_t)st.st_size,
		.mtime_sec = st.st_mtim.tv_sec,
		.ctime_sec = st.st_ctim.tv_sec,
		.mtime_nsec = (uint32_t)st.st_mtim.tv_nsec,
		.ctime_nsec = (uint32_t)st.st_ctim.tv_nsec,
	};
}

static void fill_geometry(
	struct code_slot *slot, const char name[STORE_NAME], const struct code_header *header)
{
	memcpy(slot->name, name, STORE_NAME);
	slot->sites = header->sites;
	slot->source_offset = header->source_offset;
	slot->length = header->length;
	slot->copy_offset = header->copy_offset;
	slot->stub_offset = header->stub_offset;
	slot->stub_length = header->stub_length;
	slot->stub_delta = header->stub_delta;
	slot->table_offset = header->table_offset;
	slot->table_length = header->table_length;
}

/* Makes everything written before visible to whoever sees the state, and wakes all who wait
 * for it. */
static void publish(struct code_slot *slot, enum code_state state)
{
	__atomic_store_n(&slot->state, state, __ATOMIC_RELEASE);
	syscall(SYS_futex, &slot->state, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Looks the file up and fills in the slot; the identity is what the kernel says, not the
 * container. */
static void answer(struct code_service *service, int fd, uint32_t index)
{
	struct code_header header;
	char name[STORE_NAME] = "";
	struct code_slot *slot;
	bool found;

	if (index >= CODE_SLOTS)
		return;
	slot = &service->arena->code[index];
	found = resolve(&service->store, fd, name, &header);
	if (service->stopping)
		return;
	fill_identity(&slot->identity, fd);
	if (found) {
		fill_geometry(slot, name, &header);
		publish(slot, CODE_READY);
	} else {
		publish(slot, CODE_PLAIN);
	}
}

uint32_t code_service_prepare(struct code_service *service, int fd)
{
	struct file_identity identity = { 0 };
	uint32_t index;

	fill_identity(&identity, fd);
	index = identity_hash(&identity) % CODE_SLOTS;
	while (service->arena->code[index].state != CODE_EMPTY &&
		!identity_equal(&service->arena->code[index].identity, &identity))
		index = (index + 1) % CODE_SLOTS;
	answer(service, fd, index);
	return index;
}

/* Takes the descriptors out of a message. Returns the first, or -1; any others are closed. */
static int take_descriptor(struct msghdr *message)
{
	int first = -1;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t at = CMSG_LEN(0); at + sizeof(int) <= c->cmsg_len; at += sizeof(int)) {
			int fd;

			memcpy(&fd, (uint8_t *)c + at, sizeof(fd));
			if (first < 0)
				first = fd;
			else
				close(fd);
		}
	}
	return first;
}

/* Takes the descriptor over, if there is room for it. */
static void keep(struct code_service *service, int *fd)
{
	struct rlimit limit;

	if (*fd < 0 || getrlimit(RLIMIT_NOFILE, &limit))
		return;
	pthread_mutex_lock(&service->lock);
	if (service->kept_count < KEPT && service->kept_count < limit.rlim_cur / 2) {
		service->kept[service->kept_count++] = *fd;
		*fd = -1;
	}
	pthread_mutex_unlock(&service->lock);
}

/* Receives and answers one request; false when there will be no more. */
static bool serve(struct code_service *service)
{
	_Alignas(struct cmsghdr) uint8_t control[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
	struct code_request request = { 0 };
	struct iovec data = { &request, sizeof(request) };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n = recvmsg(service->socket, &message, MSG_CMSG_CLOEXEC);
	cleanup_close int fd = -1;

	if (n < 0)
		return errno == EINTR || errno == ENOMEM || errno == ENOBUFS;
	fd = take_descriptor(&message);
	if (n == 0)
		return false;
	if (n == sizeof(request) && request.slot == REQUEST_KEEP)
		keep(service, &fd);
	else if (n == sizeof(request))
		answer(service, fd, request.slot);
	return true;
}

static void *serve_all(void *argument)
{
	while (serve(argument))
		;
	return NULL;
}

/* The supervisor's signals are for its main thread. */
int code_service_start(struct code_service *service, int request_socket, struct error *err)
{
	sigset_t all, old;
	pthread_attr_t attributes;
	int rc = 0;

	service->socket = request_socket;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	while (!rc && service->thread_count < THREADS) {
		rc = pthread_create(
			&service->threads[service->thread_count], &attributes, serve_all, service);
		if (!rc)
			service->thread_count++;
	}
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return service->thread_count ? 0
				     : error_set(err, rc, "cannot start the code cache's threads");
}

/* Waits for the threads, but not for ever: a file system that hangs, or a file made to take
 * minutes, must not keep the run from ending. */
static bool join_threads(struct code_service *service)
{
	struct timespec deadline;
	bool all = true;

	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_sec += STOP_SECONDS;
	for (unsigned i = 0; i < service->thread_count; i++) {
		if (!pthread_timedjoin_np(service->threads[i], NULL, &deadline))
			continue;
		pthread_detach(service->threads[i]);
		all = false;
	}
	return all;
}

void code_service_close(struct code_service *service)
{
	if (!service)
		return;
	service->stopping = true;
	if (service->thread_count)
		shutdown(service->socket, SHUT_RDWR);
	if (!join_threads(service))
		return; /* what is left still uses it */
	for (unsigned i = 0; i < service->kept_count; i++)
		close(service->kept[i]);
	pthread_mutex_destroy(&service->lock);
	store_close(&service->store);
	free(service);
}
