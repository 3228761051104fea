#include "guest/order.h"

#include "guest/ahead.h"
#include "guest/children.h"
#include "guest/clock.h"
#include "guest/files.h"
#include "guest/posts.h"
#include "guest/process.h"
#include "guest/streams.h"
#include "guest/task.h"
#include "guest/turn.h"
#include "guest/undo.h"

enum order {
	FREELY = 0, /* in no order with others */
	IN_TURN,
	UNKNOWN,  /* in turn if there is a handler, which knows how to wait; else it may block */
	AWAY,	  /* blocks for reasons that the guest does not know */
	READING,  /* in turn; from a stream, when it is ready */
	WRITING,  /* likewise */
	SHUTTING, /* in turn; who waits for a stream may have to look again */
};

#define ORDER_LOCAL    FREELY
#define ORDER_SHARED   IN_TURN
#define ORDER_EMULATED UNKNOWN
#define ORDER_PASSED   FREELY
#define ORDER_REFUSED  FREELY

static const uint8_t classes[SYSCALL_LIMIT] = {
#define CALL(number, name, class, handler, relax, args, role, errors, reason)                      \
	[number] = ORDER_##class,
#include "guest/syscalls.def"
#undef CALL
};

/* Calls that wait for others in a way of their own. */
static const uint8_t special[SYSCALL_LIMIT] = {
	[__NR_read] = READING,
	[__NR_readv] = READING,
	[__NR_recvfrom] = READING,
	[__NR_recvmsg] = READING,
	[__NR_accept] = READING,
	[__NR_accept4] = READING,
	[__NR_write] = WRITING,
	[__NR_writev] = WRITING,
	[__NR_sendto] = WRITING,
	[__NR_sendmsg] = WRITING,
	[__NR_close] = SHUTTING,
	[__NR_close_range] = SHUTTING,
	[__NR_dup2] = SHUTTING,
	[__NR_dup3] = SHUTTING,
	[__NR_shutdown] = SHUTTING,
	[__NR_epoll_ctl] = SHUTTING,
	[__NR_timerfd_settime] = SHUTTING,
	[__NR_connect] = AWAY,
	[__NR_recvmmsg] = AWAY,
	[__NR_sendmmsg] = AWAY,
	[__NR_splice] = AWAY,
	[__NR_tee] = AWAY,
	[__NR_vmsplice] = AWAY,
	[__NR_sendfile] = AWAY,
};

static uint8_t order_of(uint32_t number)
{
	return special[number] ? special[number] : classes[number];
}

bool order_concerns(uint32_t number)
{
	return order_of(number) != FREELY;
}

static long in_turn(struct thread *self, uint32_t number, call_handler *run, bool wakes)
{
	long r;

	turn_take(self);
	posts_take(self);
	ahead_begin(self);
	r = run(self);
	ahead_end(self, number, r);
	if ((wakes || order_is_watched(number)) && r != -RESTART)
		turn_wake(self->task, PARK_STREAM);
	turn_leave(self, EVENT_COST);
	return r;
}

static long away(struct thread *self, uint32_t number, call_handler *run)
{
	long r;

	turn_take(self);
	posts_take(self);
	ahead_begin(self);
	turn_away(self);
	r = run(self);
	turn_back(self);
	ahead_end(self, number, r);
	turn_wake(self->task, PARK_STREAM);
	turn_leave(self, 0); /* how often it is made can be a matter of chance, as with futexes */
	return r;
}

static long on_stream(struct thread *self, uint32_t number, call_handler *run, enum stream_way way)
{
	long r;

	turn_take(self);
	posts_take(self);
	r = number == __NR_write ? stream_write(self) : stream_call(self, run, way);
	turn_leave(self, EVENT_COST);
	return r;
}

/* Pipes to and from the supervisor are no streams in this sense: nobody inside is at their other
 * end. */
static bool is_stream(struct thread *self)
{
	const struct file *file = file_of(self, (uint32_t)argument(self, 0));

	return file->kind == FILE_STREAM && !file->outside;
}

static bool is_outside(struct thread *self)
{
	return file_of(self, (uint32_t)argument(self, 0))->outside;
}

/* The supervisor takes what is written in its own time; the order stays. */
static long to_outside(struct thread *self, uint32_t number, call_handler *run)
{
	long r;

	turn_hold(self);
	r = in_turn(self, number, run, false);
	turn_release(self);
	return r;
}

static bool is_regular(struct thread *self)
{
	return file_of(self, (uint32_t)argument(self, 0))->kind == FILE_REGULAR;
}

/* Some calls change what others watch by inotify. */
static const bool changes[SYSCALL_LIMIT] = {
#define CHANGES								      true
#define LOOKS								      false
#define NEUTRAL								      false
#define IMPURE								      false
#define CALL(number, name, class, handler, relax, args, role, errors, reason) [number] = role,
#include "guest/syscalls.def"
#undef CALL
};

bool order_is_watched(uint32_t number)
{
	if (number == __NR_inotify_add_watch)
		__atomic_store_n(&process.arena->watched, 1, __ATOMIC_SEQ_CST);
	return process.arena->watched && changes[number];
}

/* May what is closed be the end of a stream? */
static bool shuts_stream(struct thread *self, uint32_t number)
{
	bool doubles = number == __NR_dup2 || number == __NR_dup3;
	uint8_t kind;

	if (number != __NR_close && !doubles)
		return true;
	kind = file_of(self, (uint32_t)argument(self, doubles))->kind;
	return kind == FILE_STREAM || kind == FILE_OTHER || kind == FILE_TIMER;
}

/* What makes descriptors more than the process's own. */
static void note_sharing(uint32_t number)
{
	if (number == __NR_flock)
		files_lock();
	if (number == __NR_sendmsg || number == __NR_sendmmsg)
		files_shared();
}

long order_run(struct thread *self, uint32_t number, call_handler *run, bool native)
{
	if (process.arena->config.conflict_at)
		conflict_wanted(self);
	self->undone = undo_concerns(self, number) ? run : NULL;
	if (self->undone)
		run = undo_call;
	if (ahead_concerns(self, number))
		return ahead_run(self, number, run);
	note_sharing(number);
	switch (order_of(number)) {
	case IN_TURN:
		return in_turn(self, number, run, false);
	case SHUTTING:
		return in_turn(self, number, run, shuts_stream(self, number));
	case UNKNOWN:
		return native ? away(self, number, run) : in_turn(self, number, run, false);
	case AWAY:
		return away(self, number, run);
	case READING:
		if (is_outside(self))
			return away(self, number, run);
		return is_stream(self) ? on_stream(self, number, run, STREAM_IN)
				       : in_turn(self, number, run, false);
	case WRITING:
		if (is_outside(self))
			return to_outside(self, number, run);
		return is_stream(self) ? on_stream(self, number, run, STREAM_OUT)
				       : in_turn(self, number, run,
						 !is_regular(self) || process.arena->watched);
	default:
		return run(self);
	}
}

void order_program(struct thread *self)
{
	if (!turns_matter())
		return;
	turn_take(self);
	ahead_program(self);
	turn_begin(self);
	child_is_program(self->task);
	turn_wake(self->task, PARK_STREAM);
	turn_leave(self, BIRTH_COST);
}

/* What it has open is closed by itself: the kernel would do it later, at no certain time. */
void order_end(struct thread *self, bool all)
{
	struct task *first = clock_owner(self);

	if (!all && first->users > 1)
		return;
	/* From here on the other threads make no events; the kernel ends them soon. */
	if (!task_ends(task_at(self->task)->process, first->generation))
		turn_wait_for_end(self);
	if (turns_matter() && (self->parents || !self->other_files))
		sys(__NR_close_range, 0, HIDDEN_FD_FIRST - 1, 0);
	child_ends(self);
}
