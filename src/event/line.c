#include "event/line.h"

#include <asm/unistd.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "arena/calls.h"
#include "code/format.h"

#define ERRNO_LIMIT 4095 /* results from -4095 to -1 are errors */

struct text {
	char *out;
	size_t length;
};

/* The strings that came with an event, one after the other, each but the last ended by a zero. */
struct strings {
	const char *at;
	size_t left;
	bool cut; /* the last one is longer than what there is of it */
};

static void put_char(struct text *t, char c)
{
	if (t->length < LINE_BYTES)
		t->out[t->length++] = c;
}

static void put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct text *t, const char *format, ...)
{
	size_t room = LINE_BYTES - t->length;
	va_list args;
	int n;

	if (room == 0)
		return;
	va_start(args, format);
	n = vsnprintf(t->out + t->length, room, format, args);
	va_end(args);
	if (n > 0)
		t->length += (size_t)n < room ? (size_t)n : room - 1;
}

static void put_quoted_char(struct text *t, unsigned char c)
{
	static const char *const special = "\n\t\r\\\"";
	static const char *const letters = "ntr\\\"";
	const char *found = c ? strchr(special, c) : NULL;

	if (found)
		put(t, "\\%c", letters[found - special]);
	else if (c >= ' ' && c < 0x7f)
		put_char(t, (char)c);
	else
		put(t, "\\x%02x", c);
}

static struct strings strings_of(const struct event *event)
{
	size_t length = event->text_length;
	bool cut = length > sizeof(event->text);

	return (struct strings){ event->text, cut ? sizeof(event->text) : length, cut };
}

/* False when there is none left. */
static bool put_string(struct text *t, struct strings *strings)
{
	size_t length = strnlen(strings->at, strings->left);
	bool last = length == strings->left;

	if (strings->left == 0)
		return false;
	put_char(t, '"');
	for (size_t i = 0; i < length; i++)
		put_quoted_char(t, (unsigned char)strings->at[i]);
	put(t, last && strings->cut ? "\"..." : "\"");
	strings->at += length + !last;
	strings->left -= length + !last;
	return true;
}

static void put_error(struct text *t, int error)
{
	const char *name = strerrorname_np(error);

	if (name)
		put(t, "-1 %s", name);
	else
		put(t, "-1 ERRNO_%d", error);
}

static void put_signal(struct text *t, int64_t number)
{
	const char *name = number > 0 && number < NSIG ? sigabbrev_np((int)number) : NULL;

	if (name)
		put(t, "SIG%s", name);
	else
		put(t, "SIG_%lld", (long long)number);
}

static void put_pointer(struct text *t, uint64_t value)
{
	if (value)
		put(t, "%#llx", (unsigned long long)value);
	else
		put(t, "NULL");
}

static void put_descriptor(struct text *t, int fd)
{
	if (fd == AT_FDCWD)
		put(t, "AT_FDCWD");
	else
		put(t, "%d", fd);
}

static void put_argument(struct text *t, char letter, uint64_t value, struct strings *strings)
{
	switch (letter) {
	case 'i':
		put(t, "%d", (int)value);
		break;
	case 'f':
		put_descriptor(t, (int)value);
		break;
	case 's':
		if (!value || !put_string(t, strings))
			put_pointer(t, value);
		break;
	case 'p':
		put_pointer(t, value);
		break;
	case 'z':
		put(t, "%llu", (unsigned long long)value);
		break;
	case 'm':
		put(t, "0%o", (unsigned)value & 07777777);
		break;
	case 'o':
		put(t, "%lld", (long long)value);
		break;
	case 'n':
		put_signal(t, (int)value);
		break;
	default:
		put(t, "0x%llx", (unsigned long long)value);
	}
}

static bool gives_address(unsigned number)
{
	return number == __NR_mmap || number == __NR_mremap || number == __NR_brk ||
	       number == __NR_shmat;
}

static void put_result(struct text *t, unsigned number, int64_t result)
{
	put(t, " = ");
	if (number == __NR_exit || number == __NR_exit_group)
		put_char(t, '?');
	else if (result < 0 && result >= -ERRNO_LIMIT)
		put_error(t, (int)-result);
	else if (gives_address(number))
		put(t, "0x%llx", (unsigned long long)result);
	else
		put(t, "%lld", (long long)result);
}

static void put_flags(struct text *t, uint8_t flags)
{
	if (flags & EVENT_SLOW)
		put(t, " [slow]");
	if (flags & EVENT_REFUSED)
		put(t, " [refused]");
}

static void put_syscall(struct text *t, const struct event *event)
{
	const struct call_info *call = call_info(event->number);
	const char *letters = call ? call->arguments : "uuuuuu";
	struct strings strings = strings_of(event);

	if (call)
		put(t, "%s(", call->name);
	else
		put(t, "syscall_%u(", event->number);
	for (unsigned i = 0; i < 6 && letters[i] && letters[i] != '-'; i++) {
		if (i > 0)
			put(t, ", ");
		put_argument(t, letters[i], event->arguments[i], &strings);
	}
	put_char(t, ')');
	put_result(t, event->number, event->result);
	put_flags(t, event->flags);
}

const char *line_insn_name(unsigned kind)
{
	static const char *const names[INSN_KINDS] = {
		[INSN_SYSCALL] = "syscall",
		[INSN_RDTSC] = "rdtsc",
		[INSN_RDTSCP] = "rdtscp",
		[INSN_CPUID] = "cpuid",
		[INSN_RDRAND] = "rdrand",
		[INSN_RDSEED] = "rdseed",
		[INSN_RDPID] = "rdpid",
		[INSN_XBEGIN] = "xbegin",
		[INSN_XGETBV] = "xgetbv",
		[INSN_APPROXIMATION] = "approximation",
	};

	return kind < INSN_KINDS ? names[kind] : "unknown";
}

/* `what` and the program's name or path, if it is known. */
static void put_program(struct text *t, const char *what, const struct event *event)
{
	struct strings strings = strings_of(event);

	put(t, "%s", what);
	if (strings.left) {
		put_char(t, ' ');
		put_string(t, &strings);
	}
}

static void put_end(struct text *t, int status)
{
	put(t, "exit ");
	if (WIFSIGNALED(status))
		put_signal(t, WTERMSIG(status));
	else
		put(t, "%d", WEXITSTATUS(status));
}

static void put_event(struct text *t, const struct event *event)
{
	switch (event->kind) {
	case EVENT_SYSCALL:
		put_syscall(t, event);
		break;
	case EVENT_INSN:
		put(t, "%s() = 0x%llx", line_insn_name(event->number),
			(unsigned long long)event->result);
		put_flags(t, event->flags);
		break;
	case EVENT_SIGNAL:
		put(t, "signal ");
		put_signal(t, event->number);
		break;
	case EVENT_START:
		put_program(t, "start", event);
		break;
	case EVENT_EXEC:
		put_program(t, "exec", event);
		break;
	case EVENT_EXIT:
		put_end(t, (int)event->result);
		break;
	default:
		put(t, "unknown %u", event->kind);
	}
}

/* Names are numbers, dots and "~"; whatever else the container wrote there must not look like
 * one. */
static void put_name(struct text *t, const struct line_task *task)
{
	for (size_t i = 0; i < sizeof(task->name) && task->name[i]; i++)
		put_char(t, strchr("0123456789.~", task->name[i]) ? task->name[i] : '?');
}

size_t line_format(char out[LINE_BYTES], const struct line_task *task, const struct event *event)
{
	struct text t = { out, 0 };

	put(&t, "%llu ", (unsigned long long)event->seq);
	put_name(&t, task);
	put(&t, "(%d/%d) ", task->pid, task->tid);
	put_event(&t, event);
	if (event->time)
		put(&t, " [at %llu]", (unsigned long long)event->time);
	if (t.length == LINE_BYTES)
		t.length--;
	put_char(&t, '\n');
	return t.length;
}
