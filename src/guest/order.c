#include "guest/order.h"

#include "guest/ahead.h"
#include "guest/children.h"
#include "guest/clocks.h"
#include "guest/delays.h"
#include "guest/files.h"
#include "guest/futex.h"
#include "guest/glances.h"
#include "guest/handlers.h"
#include "guest/in_line.h"
#include "guest/keys.h"
#include "guest/message_queues.h"
#include "guest/moves.h"
#include "guest/nonblocking.h"
#include "guest/pidfds.h"
#include "guest/pipes.h"
#include "guest/posts.h"
#include "guest/process.h"
#include "guest/semaphores.h"
#include "guest/socket_calls.h"
#include "guest/streams.h"
#include "guest/task.h"
#include "guest/terminals.h"
#include "guest/timers.h"
#include "guest/turn.h"
#include "guest/undo.h"

#define FUTEX_COMMAND 127u	/* without flags */
#define GROWTH_COST   1000	/* ns of logical time for a KiB of memory */
#define GROWTH_MOST   (4 << 20) /* bytes that are counted, of one call */

enum order {
	FREELY = 0, /* in no order with others */
	IN_TURN,
	UNKNOWN,  /* in turn if there is a handler, which knows how to wait; else it may block */
	AWAY,	  /* blocks for reasons that the guest does not know */
	FUTEX,	  /* in turn, unless threads run freely */
	READING,  /* in turn; from a stream, when it is ready */
	WRITING,  /* likewise */
	MOVING,	  /* in turn; from one descriptor to another */
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
	[__NR_preadv2] = READING, /* as readv, with the offset -1 */
	[__NR_recvfrom] = READING,
	[__NR_recvmsg] = READING,
	[__NR_accept] = READING,
	[__NR_accept4] = READING,
	[__NR_write] = WRITING,
	[__NR_writev] = WRITING,
	[__NR_pwritev2] = WRITING,
	[__NR_sendto] = WRITING,
	[__NR_sendmsg] = WRITING,
	[__NR_close] = SHUTTING,
	[__NR_close_range] = SHUTTING,
	[__NR_dup2] = SHUTTING,
	[__NR_dup3] = SHUTTING,
	[__NR_shutdown] = SHUTTING,
	[__NR_epoll_ctl] = SHUTTING,
	[__NR_timerfd_settime] = SHUTTING,
	[__NR_futex] = FUTEX,
	[__NR_connect] = WRITING,
	[__NR_recvmmsg] = READING,
	[__NR_sendmmsg] = WRITING,
	[__NR_splice] = MOVING,
	[__NR_tee] = MOVING,
	[__NR_vmsplice] = MOVING,
	[__NR_sendfile] = MOVING,
};

static uint8_t order_of(uint32_t number)
{
	return special[number] ? special[number] : classes[number];
}

bool order_concerns(uint32_t number)
{
	return order_of(number) != FREELY;
}

/* What interrupts a call may be no signal for the program (spin.h): then it is still the same call,
 * and takes no more time. */
long order_make(struct thread *self, call_handler *run)
{
	long r;

	if (glances_concern((uint32_t)self->regs.rax))
		glances_hold(self);
	do
		r = run(self);
	while (r == -RESTART && !self->pending);
	glances_release(self);
	return r;
}

static void begin(struct thread *self)
{
	turn_take(self);
	posts_take(self);
	ahead_begin(self);
	delay_here(self);
}

static long end(struct thread *self, uint32_t number, long r, bool wakes)
{
	ahead_end(self, number, r);
	if ((wakes || order_is_watched(number)) && r != -RESTART)
		turn_wake(self->task, PARK_STREAM);
	turn_leave(self, EVENT_COST);
	return r;
}

static long in_turn(struct thread *self, uint32_t number, call_handler *run, bool wakes)
{
	begin(self);
	return end(self, number, order_make(self, run), wakes);
}

static long away(struct thread *self, uint32_t number, call_handler *run)
{
	long r;

	begin(self);
	turn_away(self);
	r = order_make(self, run);
	turn_back(self);
	ahead_end(self, number, r);
	turn_wake(self->task, PARK_STREAM);
	turn_leave(self, 0); /* how often it is made can be a matter of chance, as with futexes */
	return r;
}

static long on_stream(struct thread *self, uint32_t number, call_handler *run, enum stream_way way)
{
	const struct file *file;
	long r;

	turn_take(self);
	posts_take(self);
	delay_here(self);
	file = file_of(self, (uint32_t)argument(self, 0));
	if (file->kind == FILE_TERMINAL)
		r = way == STREAM_IN ? terminal_read(self, run) : terminal_write(self, run);
	else if (file->pipe)
		r = way == STREAM_IN ? pipe_read(self) : pipe_write(self);
	else if (file->kind == FILE_EVENT && way == STREAM_OUT)
		r = nonblocking_call(
			self, run); /* how much of an eventfd is free, poll does not say */
	else if (file->socket)
		r = socket_call(self, number, run);
	else
		r = number == __NR_write ? stream_write(self) : stream_call(self, run, way);
	turn_leave(self, EVENT_COST);
	return r;
}

/* Pipes to and from the supervisor are no streams in this sense: nobody inside is at their other
 * end. */
static bool is_stream(const struct file *file)
{
	return ((file->kind == FILE_STREAM || file->kind == FILE_TERMINAL) && !file->outside) ||
	       file->kind == FILE_EVENT || file->kind == FILE_INOTIFY;
}

/* The supervisor takes what is written in its own time; the order stays. Who does not want to wait
 * for it does so, too: how much it has taken by now is a matter of chance. */
static long to_outside(struct thread *self, uint32_t number, call_handler *run, uint64_t fd)
{
	bool impatient;
	long r;

	turn_hold(self);
	begin(self);
	impatient = !descriptor_blocks(fd);
	if (impatient)
		descriptor_set_blocking(fd, true);
	r = order_make(self, run);
	if (impatient)
		descriptor_set_blocking(fd, false);
	r = end(self, number, r, false);
	turn_release(self);
	return r;
}

/* Who reads nothing, or writes nowhere, does nothing that others could see. */
static long reading(struct thread *self, uint32_t number, call_handler *run)
{
	const struct file *file = file_of(self, (uint32_t)argument(self, 0));

	if (file->kind == FILE_STILL)
		return order_make(self, run);
	if (file->outside)
		return away(self, number, run);
	return is_stream(file) ? on_stream(self, number, run, STREAM_IN)
			       : in_turn(self, number, run, false);
}

static long writing(struct thread *self, uint32_t number, call_handler *run)
{
	const struct file *file = file_of(self, (uint32_t)argument(self, 0));

	if (file->kind == FILE_STILL)
		return order_make(self, run);
	if (file->outside)
		return to_outside(self, number, run, (uint32_t)argument(self, 0));
	return is_stream(file) ? on_stream(self, number, run, STREAM_OUT)
			       : in_turn(self, number, run,
					 file->kind != FILE_REGULAR || process.arena->watched);
}

static bool leads_outside(struct thread *self, uint64_t fd)
{
	return fd != NO_END && file_of(self, fd)->outside;
}

static long moving(struct thread *self, uint32_t number, call_handler *run)
{
	struct move_ends ends = move_ends_of(self);
	long r;

	if (leads_outside(self, ends.in))
		return away(self, number, run);
	if (leads_outside(self, ends.out))
		return to_outside(self, number, run, ends.out);
	turn_take(self);
	posts_take(self);
	ahead_begin(self);
	r = move_call(self, run);
	ahead_end(self, number, r);
	turn_leave(self, EVENT_COST);
	return r;
}

static uint64_t growth_cost(uint64_t bytes)
{
	return (bytes < GROWTH_MOST ? bytes : GROWTH_MOST) / 1024 * GROWTH_COST;
}

/* Bytes of memory that a call took; the heap ended at `heap` before. */
static uint64_t growth(struct thread *self, uint32_t number, uint64_t heap)
{
	if (number == __NR_brk)
		return process.brk_end > heap ? process.brk_end - heap : 0;
	if (number == __NR_mmap && (argument(self, 2) & PROT_WRITE) &&
		(argument(self, 3) & MAP_ANONYMOUS))
		return argument(self, 1);
	return 0;
}

/* What has no effect on others takes time where others may wait for it. Memory that a call takes is
 * the best sign of computing to come. */
static uint64_t local_cost(struct thread *self, uint32_t number, uint64_t heap)
{
	return (turn_is_shared(self) ? LOCAL_COST : 0) + growth_cost(growth(self, number, heap));
}

static long locally(struct thread *self, uint32_t number, call_handler *run)
{
	uint64_t heap = process.brk_end;
	long r = order_make(self, run);

	turn_tick(self, number, local_cost(self, number, heap));
	return r;
}

/* Whatever is done to files may be told to somebody who watches them by inotify. */
bool order_is_watched(uint32_t number)
{
	uint8_t order = order_of(number);

	if (number == __NR_inotify_add_watch)
		__atomic_store_n(&process.arena->watched, 1, __ATOMIC_SEQ_CST);
	return process.arena->watched && order != UNKNOWN && order != FUTEX;
}

/* May what is closed be the end of a stream? */
static bool shuts_stream(struct thread *self, uint32_t number)
{
	bool doubles = number == __NR_dup2 || number == __NR_dup3;
	uint8_t kind;

	if (number != __NR_close && !doubles)
		return true;
	kind = file_of(self, (uint32_t)argument(self, doubles))->kind;
	return kind != FILE_REGULAR && kind != FILE_DIRECTORY && kind != FILE_PROC;
}

/* Closing a file gives its locks back, and is seen by who watches it. */
static long shutting(struct thread *self, uint32_t number, call_handler *run)
{
	bool wakes = process.arena->watched || shuts_stream(self, number);
	long r;

	turn_take(self);
	posts_take(self);
	r = order_make(self, run);
	if (wakes && r != -RESTART)
		turn_wake(self->task, PARK_STREAM);
	lines_changed(self->task);
	turn_leave(self, EVENT_COST);
	return r;
}

/* Libraries wake others before they know whether there are any. */
static bool wakes_nobody(struct thread *self)
{
	return threads_matter() && !turn_is_shared(self) && !clock_owner(self)->shares &&
	       (argument(self, 1) & FUTEX_COMMAND) == FUTEX_WAKE;
}

/* What makes descriptors more than the process's own. */
static void note_sharing(uint32_t number)
{
	if (number == __NR_flock)
		files_lock();
	if (number == __NR_sendmsg || number == __NR_sendmmsg)
		files_shared();
}

/* By its descriptor, not by a name? */
static bool is_fstat(const struct thread *self, uint32_t number)
{
	char first;

	return number == __NR_fstat ||
	       (number == __NR_newfstatat && (argument(self, 3) & AT_EMPTY_PATH) &&
		       copy_in(&first, argument(self, 1), 1) == 0 && !first);
}

/* Streams that lead outside, and /dev/null and its like, are what they were at the start: a look at
 * one of them is nobody else's affair. */
static bool looks_at_constant(struct thread *self, uint32_t number)
{
	const struct file *file;

	if (number != __NR_lseek && !is_fstat(self, number) &&
		!(number == __NR_ioctl && argument(self, 1) == TCGETS))
		return false;
	file = file_of(self, (uint32_t)argument(self, 0));
	return file->kind == FILE_STILL || (file->kind == FILE_STREAM && file->outside);
}

/* Where calls that are nobody else's affair have the process that they are about, + 1. */
static const uint8_t subjects[SYSCALL_LIMIT] = {
	[__NR_clock_gettime] = 1,
	[__NR_getpriority] = 2,
	[__NR_setpriority] = 2,
	[__NR_ioprio_get] = 2,
	[__NR_ioprio_set] = 2,
	[__NR_sched_setparam] = 1,
	[__NR_sched_getparam] = 1,
	[__NR_sched_setscheduler] = 1,
	[__NR_sched_getscheduler] = 1,
	[__NR_sched_rr_get_interval] = 1,
	[__NR_sched_setaffinity] = 1,
	[__NR_sched_getaffinity] = 1,
	[__NR_sched_setattr] = 1,
	[__NR_sched_getattr] = 1,
	[__NR_prlimit64] = 1,
};

/* Is it about another process, after all, or about something that others look at in their turns? */
static bool concerns_others(const struct thread *self, uint32_t number)
{
	int32_t subject = subjects[number] ? (int32_t)argument(self, subjects[number] - 1) : 0;
	uint32_t index;

	if (number == __NR_prctl)
		return argument(self, 0) == PR_SET_CHILD_SUBREAPER;
	if (number == __NR_clock_gettime)
		subject = clock_number(subject);
	if (!subject)
		return false;
	index = task_find(self, subject);
	return index == NO_TASK || task_at(index)->process != task_at(self->task)->process;
}

long order_run(struct thread *self, uint32_t number, call_handler *run, bool native)
{
	delay_here(self);
	if (process.arena->config.conflict_at)
		conflict_wanted(self);
	self->undone = NULL;
	if (undo_concerns(self, number)) {
		self->undone = run;
		run = undo_call;
	}
	if (looks_at_constant(self, number))
		return locally(self, number, run);
	if (ahead_concerns(self, number))
		return ahead_run(self, number, run);
	note_sharing(number);
	switch (order_of(number)) {
	case IN_TURN:
		return in_turn(self, number, run, false);
	case SHUTTING:
		return shutting(self, number, run);
	case UNKNOWN:
		return native ? away(self, number, run) : in_turn(self, number, run, false);
	case AWAY:
		return away(self, number, run);
	case FUTEX:
		if (wakes_nobody(self))
			return locally(self, number, run);
		return threads_matter() ? in_turn(self, number, run, false)
					: away(self, number, run);
	case READING:
		return reading(self, number, run);
	case WRITING:
		return writing(self, number, run);
	case MOVING:
		return moving(self, number, run);
	default:
		return concerns_others(self, number) ? in_turn(self, number, run, false)
						     : locally(self, number, run);
	}
}

long handle_sched_yield(struct thread *self)
{
	if (!turns_matter())
		return pass_on(self);
	turn_yield(self);
	return 0;
}

/* Whom a timer's signal concerns, and what that one does, is for logical time to say. */
void order_timers(struct thread *self)
{
	turn_take(self);
	timers_check(self);
	turn_leave(self, 0);
}

void order_program(struct thread *self)
{
	if (!turns_matter()) {
		keys_program(self);
		return;
	}
	delay_here(self);
	turn_take(self);
	ahead_program(self);
	keys_program(self);
	sockets_closed(self); /* those that the program is not to have */
	child_is_program(self->task);
	message_queues_program(self);
	turn_wake(self->task, PARK_STREAM);
	lines_changed(self->task);
	turn_begin(self); /* then it is in turn no more: that was its old domain's */
	turn_leave(self, BEGIN_COST);
}

/* What it has open is closed by itself: the kernel would do it later, at no certain time. */
void order_end(struct thread *self, bool all)
{
	struct task *first = clock_owner(self);

	delay_here(self);
	if (threads_matter())
		futex_thread_ends(self);
	if (!all && first->users > 1)
		return;
	/* From here on the other threads make no events; the kernel ends them soon. */
	if (!task_ends(task_at(self->task)->process, first->generation))
		turn_wait_for_end(self);
	if (turns_matter() && !self->other_files && !self->shares_files)
		terminals_end(self);
	if (turns_matter() && (self->parents || !self->other_files) && !self->shares_files)
		sockets_close_all(self);
	if (turns_matter())
		semaphores_end();
	if (turns_matter())
		pidfds_end(self);
	child_ends(self);
}
