#include "guest/glances.h"

#include "guest/clock.h"
#include "guest/sys.h"

/* Calls that give or take numbers of descriptors. */
static const bool about_descriptors[] = {
	[__NR_open] = true,
	[__NR_close] = true,
	[__NR_pipe] = true,
	[__NR_dup] = true,
	[__NR_dup2] = true,
	[__NR_socket] = true,
	[__NR_accept] = true,
	[__NR_recvmsg] = true,
	[__NR_socketpair] = true,
	[__NR_fcntl] = true,
	[__NR_creat] = true,
	[__NR_epoll_create] = true,
	[__NR_mq_open] = true,
	[__NR_inotify_init] = true,
	[__NR_openat] = true,
	[__NR_signalfd] = true,
	[__NR_timerfd_create] = true,
	[__NR_eventfd] = true,
	[__NR_accept4] = true,
	[__NR_signalfd4] = true,
	[__NR_eventfd2] = true,
	[__NR_epoll_create1] = true,
	[__NR_dup3] = true,
	[__NR_pipe2] = true,
	[__NR_inotify_init1] = true,
	[__NR_recvmmsg] = true,
	[__NR_open_by_handle_at] = true,
	[__NR_memfd_create] = true,
	[__NR_pidfd_open] = true,
	[__NR_close_range] = true,
	[__NR_openat2] = true,
	[__NR_pidfd_getfd] = true,
};

static uint32_t glances, holds;

/* A vfork's child has a table of its own; if it were killed, nobody would take back what it did
 * here. */
bool glance_begin(struct thread *self)
{
	if (self->other_files)
		return true;
	__atomic_add_fetch(&glances, 1, __ATOMIC_SEQ_CST);
	if (self->holds_glances || !__atomic_load_n(&holds, __ATOMIC_SEQ_CST))
		return true;
	glance_end(self);
	return false;
}

void glance_end(struct thread *self)
{
	if (!self->other_files)
		__atomic_sub_fetch(&glances, 1, __ATOMIC_SEQ_CST);
}

bool glances_concern(uint32_t number)
{
	return number < sizeof(about_descriptors) && about_descriptors[number];
}

void glances_hold(struct thread *self)
{
	if (clock_owner(self)->users == 1 || self->holds_glances)
		return;
	self->holds_glances = true;
	__atomic_add_fetch(&holds, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&glances, __ATOMIC_SEQ_CST))
		sys(__NR_sched_yield);
}

void glances_release(struct thread *self)
{
	if (!self->holds_glances)
		return;
	self->holds_glances = false;
	__atomic_sub_fetch(&holds, 1, __ATOMIC_SEQ_CST);
}

void glances_forget(struct thread *self)
{
	self->holds_glances = false;
	holds = glances = 0;
}
