#include "guest/dispatch.h"

#include "guest/calls.h"
#include "guest/handlers.h"
#include "guest/newer.h"
#include "guest/order.h"
#include "guest/process.h"
#include "guest/recorder.h"
#include "guest/report.h"
#include "guest/timers.h"
#include "guest/turn.h"

/* The table, again and again: handlers and refusals, ... */
#define handle_none	   NULL
#define ROW_LOCAL(handler) .run = handle_##handler
#define ROW_SHARED	   ROW_LOCAL
#define ROW_EMULATED	   ROW_LOCAL
#define ROW_PASSED	   ROW_LOCAL
#define ROW_REFUSED(error) .refusal = error

static const struct {
	call_handler *run;
	int refusal;
} calls[SYSCALL_LIMIT] = {
#define CALL(number, name, class, handler, relax, args, role, errors, reason)                      \
	[number] = { ROW_##class(handler) },
#include "guest/syscalls.def"
#undef CALL
};

/* Every number that the table names; the rest is unknown. */
static const bool named[SYSCALL_LIMIT] = {
#define CALL(number, name, class, handler, relax, args, role, errors, reason) [number] = true,
#include "guest/syscalls.def"
#undef CALL
};

/*
 * What rewritten code does by itself, found with the low 16 bits of the number. It hands to the
 * kernel calls without a handler, those whose handler is there for the sake of sources that are
 * relaxed, and those whose handler is for carried programs only when /proc is the kernel's
 * (names.c); clock_gettime has a way of its own.
 */
#define IS(handler, name)    (__builtin_strcmp(#handler, name) == 0)
#define FOR_CARRIED(handler) (IS(handler, "readlink") || IS(handler, "readlinkat"))
#define HOW_LOCAL(handler)                                                                         \
	(IS(handler, "none")		       ? ALWAYS                                            \
		: FOR_CARRIED(handler)	       ? UNLESS_CARRIED                                    \
		: IS(handler, "clock_gettime") ? LOOK                                              \
					       : 0)
#define HOW_SHARED	   HOW_LOCAL
#define HOW_EMULATED	   HOW_LOCAL
#define HOW_PASSED	   HOW_LOCAL
#define HOW_REFUSED(error) 0
enum { ALWAYS = 1, UNLESS_CARRIED, LOOK };

static const struct {
	uint8_t how;
	uint16_t relax;
} passing[SYSCALL_LIMIT] = {
#define CALL(number, name, class, handler, relax, args, role, errors, reason)                      \
	[number] = { HOW_##class(handler), relax },
#include "guest/syscalls.def"
#undef CALL
};

/* Is the handler there only for the sake of sources that are relaxed? */
static bool relaxed(uint32_t number)
{
	uint32_t sources = passing[number].relax;

	return sources && (process.relax & sources) == sources;
}

/* Must its arguments be looked at, for what the fixed kernel does not know? */
static bool dated(uint32_t number)
{
	return newer_concerns(number) && !(process.relax & RELAX_PROC);
}

static uint8_t pass_way(uint32_t number, bool carried)
{
	uint8_t how = passing[number].how;

	if (dated(number) || (turns_matter() && order_concerns(number)) ||
		(recording() && recorder_concerns(number)))
		return PASS_NOT;
	if (relaxed(number) || how == ALWAYS ||
		(how == UNLESS_CARRIED && !carried && (process.relax & RELAX_PROC)))
		return PASS_KERNEL;
	return how == LOOK ? PASS_LOOK : PASS_NOT;
}

void pass_fill(void)
{
	struct arena *arena = process.arena;

	if (process.reporting || process.stopped)
		return;
	for (uint32_t i = 0; i < SYSCALL_LIMIT; i++) {
		arena->pass[0][i] = pass_way(i, false);
		arena->pass[1][i] = pass_way(i, true);
	}
}

static const char *const arguments[SYSCALL_LIMIT] = {
#define CALL(number, name, class, handler, relax, args, role, errors, reason) [number] = (args),
#include "guest/syscalls.def"
#undef CALL
};

const char *call_letters(uint32_t number)
{
	return number < SYSCALL_LIMIT && arguments[number] ? arguments[number] : "";
}

static const char *const call_names[SYSCALL_LIMIT] = {
#define CALL(number, name, class, handler, relax, args, role, errors, reason) [number] = #name,
#include "guest/syscalls.def"
#undef CALL
};

const char *call_name(uint32_t number)
{
	return number < SYSCALL_LIMIT && call_names[number] ? call_names[number] : "a call";
}

long pass_on(struct thread *self)
{
	const struct regs *r = &self->regs;

	return sys_window(r->rax, r->rdi, r->rsi, r->rdx, r->r10, r->r8, r->r9);
}

long refuse_call(struct thread *self, long error)
{
	uint32_t number = (uint32_t)self->regs.rax;

	self->refused = true;
	process.arena->config.refused[number < SYSCALL_LIMIT ? number : SYSCALL_LIMIT - 1] = 1;
	return error;
}

/* The kernel takes the number from the low half of rax. */
static long run(struct thread *self, uint32_t number)
{
	call_handler *handler;
	bool native;

	if (number >= SYSCALL_LIMIT || !named[number])
		return refuse_call(self, -ENOSYS);
	if (calls[number].refusal)
		return refuse_call(self, -calls[number].refusal);
	if (dated(number)) {
		long r = newer_refusal(self, number);

		if (r)
			return refuse_call(self, r);
	}
	native = !calls[number].run || relaxed(number);
	handler = native ? pass_on : calls[number].run;
	if (recording() && recorder_concerns(number)) {
		self->recorded = handler;
		handler = recorder_call;
	}
	return turns_matter() ? order_run(self, number, handler, native) : handler(self);
}

/* Anything but a look at the clock means that the program does not just wait for it to move. */
static long run_stopped(struct thread *self, uint32_t number)
{
	uint32_t before = clock_looks;
	long result = run(self, number);

	if (clock_looks == before)
		clock_looks = 0;
	return result;
}

void dispatch(struct thread *self)
{
	struct regs *r = &self->regs;
	uint32_t number = (uint32_t)r->rax;
	struct call_note note;
	long result;

	self->refused = false;
	if (process.reporting)
		report_begin(self, &note, number);
	result = process.stopped ? run_stopped(self, number) : run(self, number);
	if (clock_now(self) >= timers_due)
		order_timers(self);
	if (result == -RESTART) {
		/* Back onto the program's `syscall`, which is always the two bytes before. */
		r->rip -= 2;
		result = number;
	} else if (process.reporting) {
		report_end(self, &note, result);
	}
	r->rax = (uint64_t)result;
	r->rcx = r->rip;
	r->r11 = r->rflags;
}

void dispatch_fast(struct thread *self);
void dispatch_fast(struct thread *self)
{
	self->trap = NULL;
	dispatch(self);
}
