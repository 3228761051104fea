#include "guest/process.h"
#include "guest/sys.h"
#include "guest/turn.h"

static void put(struct fatal *f, const char *format, const char *argument)
{
	uint32_t none = 0;
	size_t at = 0;

	if (!__atomic_compare_exchange_n(
		    &f->state, &none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	for (; *format && at < sizeof(f->text) - 1; format++) {
		if (format[0] != '%' || format[1] != 's') {
			f->text[at++] = *format;
			continue;
		}
		for (format++; *argument && at < sizeof(f->text) - 1; argument++)
			f->text[at++] = *argument;
	}
	f->text[at] = 0;
	__atomic_store_n(&f->state, 2, __ATOMIC_RELEASE);
	sys(__NR_futex, &f->state, FUTEX_WAKE, 1 << 30);
}

_Noreturn void fatal(const char *format, const char *argument)
{
	put(&process.arena->fatal, format, argument);
	for (;;)
		sys(__NR_exit_group, 125);
}

_Noreturn void conflict(struct thread *self, const char *format, const char *argument)
{
	put(&process.arena->conflict, format, argument);
	turn_hold(self);
	for (;;)
		sys(__NR_pause);
}

void conflict_wanted(struct thread *self)
{
	struct arena *arena = process.arena;

	if (!arena->config.strict && __atomic_add_fetch(&arena->events, 1, __ATOMIC_RELAXED) ==
					     arena->config.conflict_at)
		conflict(self, "as STET_CONFLICT_AT has it", "");
}

void refuse(const char *format, const char *argument)
{
	put(&process.arena->refusal, format, argument);
}

void notice(const char *format, const char *argument)
{
	put(&process.arena->notice, format, argument);
}
