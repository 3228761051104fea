/* The service answers honest requests and survives dishonest ones. */
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "arena/identity.h"
#include "code/service.h"

#define LIBC "/lib/x86_64-linux-gnu/libc.so.6"

struct fixture {
	char path[64];
	struct arena *arena;
	int sockets[2];
	struct code_service *service;
	struct error err;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	strcpy(f->path, "/tmp/test_code_service_XXXXXX");
	f->arena =
		mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!mkdtemp(f->path) || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, f->sockets))
		return -1;
	f->service = code_service_open(f->arena, f->path, &f->err);
	*state = f;
	return f->service && !code_service_start(f->service, f->sockets[0], &f->err) ? 0 : -1;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	char command[128];

	code_service_close(f->service);
	close(f->sockets[0]);
	close(f->sockets[1]);
	munmap(f->arena, ARENA_BYTES);
	snprintf(command, sizeof(command), "rm -r '%s'", f->path);
	free(f);
	return system(command);
}

static void send_request(
	struct fixture *f, const void *body, size_t size, const int *fds, size_t count)
{
	_Alignas(struct cmsghdr) uint8_t control[CMSG_SPACE(8 * sizeof(int))] = { 0 };
	struct iovec data = { (void *)body, size };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1 };

	if (count) {
		message.msg_control = control;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
		struct cmsghdr *c = CMSG_FIRSTHDR(&message);

		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(c), fds, count * sizeof(int));
	}
	assert_int_equal(sendmsg(f->sockets[1], &message, 0), size);
}

/* Asks for one file as a guest does, and waits for the answer. */
static const struct code_slot *ask(struct fixture *f, uint32_t index, int fd)
{
	struct code_request request = { index };
	struct code_slot *slot = &f->arena->code[index];

	slot->state = CODE_BUILDING;
	send_request(f, &request, sizeof(request), &fd, fd >= 0);
	while (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) == CODE_BUILDING)
		syscall(SYS_futex, &slot->state, FUTEX_WAIT, CODE_BUILDING, NULL, NULL, 0);
	return slot;
}

static void library_is_answered_with_a_copy(void **state)
{
	struct fixture *f = *state;
	int fd = open(LIBC, O_RDONLY);
	const struct code_slot *slot = ask(f, 7, fd);
	struct stat st;

	assert_int_equal(slot->state, CODE_READY);
	assert_true(slot->sites > 100);
	assert_int_equal(fstatat(code_service_directory(f->service), slot->name, &st, 0), 0);
	assert_int_equal(slot->table_length % 4, 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(slot->identity.inode, st.st_ino);
	close(fd);
}

static void dishonest_requests_do_no_harm(void **state)
{
	struct fixture *f = *state;
	struct code_request request = { CODE_SLOTS };
	uint64_t garbage[16] = { 0 };
	int fds[6], pipes[2], i, path_only;

	assert_int_equal(pipe(pipes), 0);
	for (i = 0; i < 6; i++)
		fds[i] = open(LIBC, O_RDONLY);
	send_request(f, &request, sizeof(request), fds, 1);
	request.slot = UINT32_MAX - 1;
	send_request(f, &request, sizeof(request), fds, 1);
	send_request(f, garbage, sizeof(garbage), fds, 1);
	send_request(f, garbage, 1, fds, 6);
	assert_int_equal(ask(f, 1, -1)->state, CODE_PLAIN);
	assert_int_equal(ask(f, 2, pipes[0])->state, CODE_PLAIN);
	path_only = open(LIBC, O_PATH);
	assert_int_equal(ask(f, 3, path_only)->state, CODE_PLAIN);
	request.slot = 4;
	send_request(f, &request, sizeof(request), fds, 6);
	assert_int_equal(ask(f, 5, fds[0])->state, CODE_READY);
	for (i = 0; i < 6; i++)
		close(fds[i]);
	close(path_only);
	close(pipes[0]);
	close(pipes[1]);
}

/* Who reads from a pipe sees its end when nobody has the other side any more. */
static bool is_over(int fd)
{
	struct pollfd end = { .fd = fd };

	return poll(&end, 1, 50) == 1 && (end.revents & POLLHUP);
}

static void what_is_to_be_kept_stays_open_to_the_end(void **state)
{
	struct fixture *f = *state;
	struct code_request request = { REQUEST_KEEP };
	int pipes[2];

	assert_int_equal(pipe(pipes), 0);
	send_request(f, &request, sizeof(request), &pipes[1], 1);
	send_request(f, &request, sizeof(request), NULL, 0);
	close(pipes[1]);
	assert_int_equal(ask(f, 1, -1)->state, CODE_PLAIN);
	assert_false(is_over(pipes[0]));
	code_service_close(f->service);
	f->service = NULL;
	assert_true(is_over(pipes[0]));
	close(pipes[0]);
}

static void no_descriptor_stays_open(void **state)
{
	struct fixture *f = *state;
	int fd = open(LIBC, O_RDONLY), before, after;

	ask(f, 1, fd);
	before = dup(fd);
	close(before);
	for (uint32_t i = 2; i < 300; i++)
		assert_int_equal(ask(f, i, fd)->state, CODE_READY);
	/* The answer is published before the thread closes its descriptor. */
	usleep(20000);
	after = dup(fd);
	close(after);
	close(fd);
	assert_true(after <= before + 1);
}

static void prepared_file_is_where_a_guest_looks(void **state)
{
	struct fixture *f = *state;
	int fd = open(LIBC, O_RDONLY);
	uint32_t index = code_service_prepare(f->service, fd);

	assert_int_equal(f->arena->code[index].state, CODE_READY);
	assert_int_equal(index, identity_hash(&f->arena->code[index].identity) % CODE_SLOTS);
	assert_int_equal(code_service_prepare(f->service, fd), index);
	close(fd);
}

static void without_a_directory_everything_is_plain(void **state)
{
	struct fixture *f = *state;
	struct code_service *service = code_service_open(f->arena, NULL, &f->err);
	int fd = open(LIBC, O_RDONLY);

	assert_int_equal(code_service_directory(service), -1);
	assert_int_equal(f->arena->code[code_service_prepare(service, fd)].state, CODE_PLAIN);
	code_service_close(service);
	close(fd);
}

static void starting_and_stopping_is_quick(void **state)
{
	struct fixture *f = *state;
	struct timespec begin, end;
	double best = 1e9;

	for (unsigned i = 0; i < 50; i++) {
		int sockets[2];

		assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets), 0);
		clock_gettime(CLOCK_MONOTONIC, &begin);
		struct code_service *service = code_service_open(f->arena, f->path, &f->err);

		assert_int_equal(code_service_start(service, sockets[0], &f->err), 0);
		code_service_close(service);
		clock_gettime(CLOCK_MONOTONIC, &end);
		double us = (double)(end.tv_sec - begin.tv_sec) * 1e6 +
			    (double)(end.tv_nsec - begin.tv_nsec) / 1e3;

		best = us < best ? us : best;
		close(sockets[0]);
		close(sockets[1]);
	}
	print_message("start and stop: %.0f us\n", best);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	assert_true(best < 300);
#endif
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(library_is_answered_with_a_copy),
		TEST(dishonest_requests_do_no_harm),
		TEST(what_is_to_be_kept_stays_open_to_the_end),
		TEST(no_descriptor_stays_open),
		TEST(prepared_file_is_where_a_guest_looks),
		TEST(without_a_directory_everything_is_plain),
		TEST(starting_and_stopping_is_quick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
