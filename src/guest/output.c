#include "guest/output.h"

#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/process.h"

/* The supervisor wakes who waits; this is for what nobody foresaw. */
static const int64_t patience[2] = { 0, 10000000 };

/* Bytes that the supervisor has not taken from the pipe; none when nobody takes any. */
static int left_in(int fd)
{
	int bytes = 0;

	if (!__atomic_load_n(&process.arena->output.ordered, __ATOMIC_RELAXED) ||
		sys(__NR_ioctl, fd, FIONREAD, &bytes))
		return 0;
	return bytes;
}

static __attribute__((noinline)) long change_to(uint32_t number)
{
	struct output *output = &process.arena->output;
	int other = number == 1 ? FD_ERRORS : FD_OUTPUT;

	for (;;) {
		uint32_t taken = __atomic_load_n(&output->taken, __ATOMIC_SEQ_CST);

		if (left_in(other) == 0)
			break;
		__atomic_store_n(&output->waiting, 1, __ATOMIC_SEQ_CST);
		if (sys_window(__NR_futex, &output->taken, FUTEX_WAIT, taken, patience) == -RESTART)
			return -RESTART;
	}
	__atomic_store_n(&output->last, number, __ATOMIC_RELAXED);
	return 0;
}

long output_turn(struct thread *self, uint64_t fd)
{
	const struct output *output = &process.arena->output;
	uint32_t number;

	if (!output->ordered)
		return 0;
	number = file_of(self, fd)->output;
	return number && number != output->last ? change_to(number) : 0;
}

long handle_tee(struct thread *self)
{
	long r = output_turn(self, (uint32_t)argument(self, 1));

	return r ? r : pass_on(self);
}
