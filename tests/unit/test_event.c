/* Events: the lines of the log, their order, and the statistics. */
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "code/format.h"
#include "event/line.h"
#include "event/reader.h"
#include "event/stats.h"

static struct event call(unsigned number, int64_t result, const uint64_t arguments[6])
{
	struct event event = { .seq = 7, .kind = EVENT_SYSCALL, .number = (uint16_t)number };

	event.result = result;
	memcpy(event.arguments, arguments, sizeof(event.arguments));
	return event;
}

static void set_text(struct event *event, const char *text, size_t length)
{
	memcpy(event->text, text, length);
	event->text_length = (uint32_t)length;
}

static void assert_line(const struct event *event, const char *expected)
{
	struct line_task task = { .name = "1.2", .pid = 3, .tid = 4 };
	char line[LINE_BYTES + 1];

	line[line_format(line, &task, event)] = 0;
	assert_string_equal(line, expected);
}

static void a_call_is_written_as_strace_does(void **state)
{
	struct event event = call(SYS_openat, 5,
		(uint64_t[6]){ (uint64_t)AT_FDCWD, 0x7000, O_CLOEXEC | O_CREAT, 0644 });

	set_text(&event, "/a \"b\"\n\xff", 8);
	assert_line(&event,
		"7 1.2(3/4) openat(AT_FDCWD, \"/a \\\"b\\\"\\n\\xff\", 0x80040, 0644) = 5\n");
	event = call(SYS_getpid, 3, (uint64_t[6]){ 1, 2, 3 });
	assert_line(&event, "7 1.2(3/4) getpid() = 3\n");
	event = call(SYS_mmap, 0x7f0000001000, (uint64_t[6]){ 0, 4096, 3, 0x22, (uint64_t)-1, 0 });
	assert_line(&event, "7 1.2(3/4) mmap(NULL, 4096, 0x3, 0x22, -1, 0) = 0x7f0000001000\n");
	event = call(SYS_kill, 0, (uint64_t[6]){ 5, SIGTERM });
	assert_line(&event, "7 1.2(3/4) kill(5, SIGTERM) = 0\n");
	event = call(SYS_exit_group, 0, (uint64_t[6]){ 1 });
	assert_line(&event, "7 1.2(3/4) exit_group(1) = ?\n");
}

static void strings_belong_to_arguments_in_order(void **state)
{
	struct event event = call(SYS_rename, 0, (uint64_t[6]){ 0x1000, 0x2000 });

	set_text(&event, "from\0to", 7);
	assert_line(&event, "7 1.2(3/4) rename(\"from\", \"to\") = 0\n");
	set_text(&event, "from", 4);
	assert_line(&event, "7 1.2(3/4) rename(\"from\", 0x2000) = 0\n");
	event.text_length = 0;
	assert_line(&event, "7 1.2(3/4) rename(0x1000, 0x2000) = 0\n");
}

static void errors_and_flags_are_named(void **state)
{
	struct event event = call(SYS_chdir, -2, (uint64_t[6]){ 0 });

	assert_line(&event, "7 1.2(3/4) chdir(NULL) = -1 ENOENT\n");
	event = call(SYS_bpf, -1, (uint64_t[6]){ 0 });
	event.flags = EVENT_REFUSED | EVENT_SLOW;
	assert_line(&event, "7 1.2(3/4) bpf(0, NULL, 0) = -1 EPERM [slow] [refused]\n");
	event.time = 1500;
	assert_line(&event, "7 1.2(3/4) bpf(0, NULL, 0) = -1 EPERM [slow] [refused] [at 1500]\n");
	event = call(400, -38, (uint64_t[6]){ 1 });
	assert_line(&event, "7 1.2(3/4) syscall_400(0x1, 0x0, 0x0, 0x0, 0x0, 0x0) = -1 ENOSYS\n");
	event = call(SYS_close, -4000, (uint64_t[6]){ 1 });
	assert_line(&event, "7 1.2(3/4) close(1) = -1 ERRNO_4000\n");
}

static void other_events_are_words(void **state)
{
	struct event event = { .seq = 7, .kind = EVENT_START };

	assert_line(&event, "7 1.2(3/4) start\n");
	event.kind = EVENT_EXEC;
	set_text(&event, "make", 4);
	assert_line(&event, "7 1.2(3/4) exec \"make\"\n");
	event = (struct event){ .seq = 7, .kind = EVENT_EXIT, .result = 3 << 8 };
	assert_line(&event, "7 1.2(3/4) exit 3\n");
	event.result = SIGSEGV | 0x80;
	assert_line(&event, "7 1.2(3/4) exit SIGSEGV\n");
	event = (struct event){ .seq = 7, .kind = EVENT_SIGNAL, .number = SIGCHLD };
	assert_line(&event, "7 1.2(3/4) signal SIGCHLD\n");
	event = (struct event){ .seq = 7, .kind = EVENT_INSN, .number = INSN_RDTSC, .result = 16 };
	assert_line(&event, "7 1.2(3/4) rdtsc() = 0x10\n");
}

static void nothing_in_an_event_is_trusted(void **state)
{
	struct line_task task = { .pid = INT32_MIN, .tid = INT32_MIN };
	struct event event;
	char line[LINE_BYTES];

	for (unsigned byte = 1; byte < 256; byte++) {
		memset(&event, (int)byte, sizeof(event));
		memset(task.name, (int)byte, sizeof(task.name));
		for (unsigned kind = 0; kind < 256; kind++) {
			size_t length;

			event.kind = (uint8_t)kind;
			event.number = (uint16_t)(byte * kind % 520);
			length = line_format(line, &task, &event);
			assert_true(length > 0 && length <= LINE_BYTES);
			assert_ptr_equal(memchr(line, '\n', length), line + length - 1);
		}
	}
}

static void a_cut_string_is_marked(void **state)
{
	struct event event = call(SYS_chdir, 0, (uint64_t[6]){ 0x1000 });
	struct line_task task = { .name = "1" };
	char line[LINE_BYTES + 1];

	memset(event.text, 'a', sizeof(event.text));
	event.text_length = sizeof(event.text) + 1;
	line[line_format(line, &task, &event)] = 0;
	assert_non_null(strstr(line, "a\"...) = 0\n"));
}

/* A container's memory, and the log that is read from it. */
struct fixture {
	int fd;
	struct arena *arena;
	struct ring *rings;
	char *text;
	size_t length;
	FILE *log;
	struct event_reader *reader;
};

static void fixture_open(struct fixture *f)
{
	struct error err;

	f->fd = memfd_create("arena", MFD_CLOEXEC);
	assert_int_equal(ftruncate(f->fd, ARENA_FILE_BYTES), 0);
	f->arena = mmap(NULL, ARENA_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
		f->fd, 0);
	assert_ptr_not_equal(f->arena, MAP_FAILED);
	f->rings = (struct ring *)((char *)f->arena + ARENA_RING_OFFSET(0));
	f->log = open_memstream(&f->text, &f->length);
	f->reader = event_reader_start(f->arena, f->fd, f->log, &err);
	assert_non_null(f->reader);
}

static void fixture_stop(struct fixture *f)
{
	event_reader_stop(f->reader);
	assert_int_equal(fclose(f->log), 0);
}

static void fixture_free(struct fixture *f)
{
	munmap(f->arena, ARENA_FILE_BYTES);
	close(f->fd);
	free(f->text);
}

static void task_start(struct fixture *f, unsigned index)
{
	struct task *task = &f->arena->tasks[index];

	snprintf(task->name, sizeof(task->name), "1.%u", index);
	task->pid = task->tid = (int32_t)index;
	__atomic_store_n(&task->state, TASK_LIVE, __ATOMIC_RELEASE);
}

static void wake(void *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* The guest's side of a ring. */
static void ring_put(struct fixture *f, unsigned index, uint64_t seq)
{
	struct ring *ring = &f->rings[index];
	uint64_t head = ring->head, tail;

	while (head - (tail = __atomic_load_n(&ring->tail, __ATOMIC_SEQ_CST)) == RING_EVENTS) {
		__atomic_store_n(&ring->waiting, 1, __ATOMIC_SEQ_CST);
		wake(&f->arena->log_wake);
		syscall(SYS_futex, &ring->tail, FUTEX_WAIT, (uint32_t)tail, NULL, NULL, 0);
		__atomic_store_n(&ring->waiting, 0, __ATOMIC_SEQ_CST);
	}
	ring->events[head % RING_EVENTS] =
		(struct event){ .seq = seq, .kind = EVENT_SYSCALL, .number = SYS_gettid };
	__atomic_store_n(&ring->head, head + 1, __ATOMIC_RELEASE);
	if (head + 1 - tail == RING_EVENTS / 2) {
		__atomic_add_fetch(&f->arena->log_wake, 1, __ATOMIC_RELEASE);
		wake(&f->arena->log_wake);
	}
}

#define WRITERS	      4
#define WRITER_EVENTS 20000

struct writer {
	struct fixture *fixture;
	unsigned index;
	pthread_t thread;
};

static void *write_events(void *argument)
{
	struct writer *writer = argument;
	struct fixture *f = writer->fixture;

	task_start(f, writer->index);
	for (unsigned i = 0; i < WRITER_EVENTS; i++)
		ring_put(f, writer->index, __atomic_fetch_add(&f->arena->seq, 1, __ATOMIC_RELAXED));
	__atomic_store_n(&f->arena->tasks[writer->index].state, TASK_DEAD, __ATOMIC_RELEASE);
	return NULL;
}

/* Gives how many lines there are; they must be numbered from 0 on when `complete`. */
static size_t count_lines(const struct fixture *f, bool complete)
{
	size_t count = 0;

	for (const char *at = f->text; at < f->text + f->length; at = strchr(at, '\n') + 1) {
		if (complete)
			assert_int_equal(strtoull(at, NULL, 10), count);
		count++;
	}
	return count;
}

static void lines_of_all_tasks_are_in_order_and_complete(void **state)
{
	struct writer writers[WRITERS];
	struct fixture f;

	fixture_open(&f);
	for (unsigned i = 0; i < WRITERS; i++) {
		writers[i] = (struct writer){ .fixture = &f, .index = i * 5000 };
		pthread_create(&writers[i].thread, NULL, write_events, &writers[i]);
	}
	for (unsigned i = 0; i < WRITERS; i++)
		pthread_join(writers[i].thread, NULL);
	fixture_stop(&f);
	assert_int_equal(count_lines(&f, true), WRITERS * WRITER_EVENTS);
	for (unsigned i = 0; i < WRITERS; i++)
		assert_int_equal(f.arena->tasks[writers[i].index].state, TASK_FREE);
	fixture_free(&f);
}

static void a_number_that_never_comes_holds_nobody_up(void **state)
{
	struct fixture f;

	fixture_open(&f);
	task_start(&f, 0);
	for (uint64_t seq = 0; seq < 1000; seq++) {
		if (seq != 300)
			ring_put(&f, 0, seq);
	}
	while (__atomic_load_n(&f.rings[0].tail, __ATOMIC_ACQUIRE) != 999)
		usleep(1000);
	usleep(600000); /* more than the reader waits */
	ring_put(&f, 0, 300);
	fixture_stop(&f);
	assert_int_equal(count_lines(&f, false), 1000);
	assert_non_null(strstr(strstr(f.text, "\n999 "), "\n300 "));
	fixture_free(&f);
}

static void a_slot_is_used_again(void **state)
{
	struct fixture f;

	fixture_open(&f);
	for (uint64_t seq = 0; seq < 20; seq++) {
		task_start(&f, 3);
		ring_put(&f, 3, seq);
		__atomic_store_n(&f.arena->tasks[3].state, TASK_DEAD, __ATOMIC_RELEASE);
		while (__atomic_load_n(&f.arena->tasks[3].state, __ATOMIC_ACQUIRE) != TASK_FREE)
			usleep(100);
	}
	fixture_stop(&f);
	assert_int_equal(count_lines(&f, true), 20);
	fixture_free(&f);
}

static void a_damaged_ring_is_said_and_survived(void **state)
{
	struct fixture f;

	fixture_open(&f);
	task_start(&f, 0);
	task_start(&f, 1);
	memset(&f.rings[0].waiting, 0xff, RING_BYTES - offsetof(struct ring, waiting));
	__atomic_store_n(&f.rings[0].head, UINT64_MAX, __ATOMIC_RELEASE);
	while (__atomic_load_n(&f.rings[0].tail, __ATOMIC_ACQUIRE) != UINT64_MAX)
		usleep(1000);
	memset(&f.rings[0], 0, RING_BYTES);
	ring_put(&f, 1, 0);
	fixture_stop(&f);
	assert_non_null(strstr(f.text, "# the ring of task slot 0 is damaged"));
	assert_non_null(strstr(f.text, "0 1.1(1/1) gettid() = 0\n"));
	fixture_free(&f);
}

static void statistics_name_what_happened(void **state)
{
	struct arena *arena = aligned_alloc(_Alignof(struct arena), sizeof(*arena));
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	memset(arena, 0, sizeof(*arena));
	arena->counters.fast[SYS_read] = 3;
	arena->counters.slow[SYS_read] = 1;
	arena->counters.fast[SYS_openat] = 12;
	arena->counters.slow[SYS_bpf] = arena->counters.refused[SYS_bpf] = 2;
	arena->counters.insn_fast[INSN_RDTSC] = 8;
	arena->counters.processes = 2;
	arena->counters.execs = 1;
	arena->counters.code_mapped = 5;
	arena->counters.parks = 7;
	arena->counters.waits = 6;
	arena->counters.retries = 4;
	stats_print(out, arena, 0);
	fclose(out);
	assert_string_equal(text,
		"stet: 18 system calls, 83.33 % by the fast path\n"
		"stet:           12 openat                   100.00 % fast\n"
		"stet:            4 read                      75.00 % fast\n"
		"stet:            2 bpf                        0.00 % fast\n"
		"stet: 2 calls refused: bpf 2\n"
		"stet: 8 replaced instructions, 100.00 % by the fast path\n"
		"stet:            8 rdtsc                    100.00 % fast\n"
		"stet: 2 processes, 0 threads, 1 programs, 0 signals\n"
		"stet: 5 mappings of rewritten code, 0 of plain code\n"
		"stet: 7 waits for what others do, 6 for a turn, 4 retries of reads and writes\n");
	free(text);
	free(arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_is_written_as_strace_does),
		cmocka_unit_test(strings_belong_to_arguments_in_order),
		cmocka_unit_test(errors_and_flags_are_named),
		cmocka_unit_test(other_events_are_words),
		cmocka_unit_test(nothing_in_an_event_is_trusted),
		cmocka_unit_test(a_cut_string_is_marked),
		cmocka_unit_test(lines_of_all_tasks_are_in_order_and_complete),
		cmocka_unit_test(a_number_that_never_comes_holds_nobody_up),
		cmocka_unit_test(a_slot_is_used_again),
		cmocka_unit_test(a_damaged_ring_is_said_and_survived),
		cmocka_unit_test(statistics_name_what_happened),
	};

	return cmocka_run_group_tests_name("event", tests, NULL, NULL);
}
