#include "guest/nonblocking.h"

#include "guest/turn.h"
#include "guest/waits.h"

bool descriptor_blocks(uint64_t fd)
{
	long flags = sys(__NR_fcntl, (int)fd, F_GETFL);

	return !failed(flags) && !(flags & (O_NONBLOCK | O_PATH));
}

bool file_blocks(struct file *file, uint64_t fd)
{
	uint32_t changes = process.arena->sockets.flags + 1;

	if (file->blocks == changes)
		return true;
	if (!descriptor_blocks(fd))
		return false;
	file->blocks = changes;
	return true;
}

void flags_changed(void)
{
	__atomic_add_fetch(&process.arena->sockets.flags, 1, __ATOMIC_RELAXED);
}

void descriptor_set_blocking(uint64_t fd, bool blocks)
{
	long flags = sys(__NR_fcntl, (int)fd, F_GETFL);

	sys(__NR_fcntl, (int)fd, F_SETFL, blocks ? flags & ~(long)O_NONBLOCK : flags | O_NONBLOCK);
}

bool descriptor_ready(uint64_t fd, int events)
{
	struct kernel_poll poll = { (int32_t)fd, (int16_t)events, 0 };

	return sys(__NR_poll, &poll, 1, 0) != 0;
}

static long attempt(struct thread *self, struct wait *wait, uint64_t ns)
{
	int fd = (int)argument(self, 0);
	long flags = sys(__NR_fcntl, fd, F_GETFL), r;
	bool blocks = !failed(flags) && !(flags & (O_NONBLOCK | O_PATH));

	(void)ns;
	if (self->pending)
		return -RESTART;
	if (blocks)
		sys(__NR_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
	r = ((call_handler *)wait->args[0])(self);
	if (blocks)
		sys(__NR_fcntl, fd, F_SETFL, flags);
	return blocks && r == -EAGAIN ? NOT_READY : r;
}

long nonblocking_call(struct thread *self, call_handler *call)
{
	struct wait wait = {
		.attempt = attempt,
		.args = { (long)call },
	};
	long r = wait_for_stream(self, &wait);

	if (r >= 0)
		turn_wake(self->task, PARK_STREAM);
	return r;
}
