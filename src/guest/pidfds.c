#include "guest/pidfds.h"

#include "guest/children.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/lines.h"
#include "guest/text.h"
#include "guest/turn.h"

int32_t pidfd_process(uint64_t fd)
{
	struct lines lines;
	char path[48], *line;
	int32_t pid = 0;

	text_put_number(text_put(path, "thread-self/fdinfo/"), (long)(uint32_t)fd);
	lines_open(&lines, path);
	while (!pid && (line = lines_next(&lines))) {
		const char *at = after_prefix(line, "Pid:");

		if (!at)
			continue;
		at = skip_spaces(at);
		pid = *at == '-' ? -1 : (int32_t)parse_decimal(&at);
	}
	lines_close(&lines);
	return pid;
}

/* The kernel says so a moment after the process's last event. */
void pidfds_settle(struct thread *self)
{
	int fd = -1;

	while ((fd = file_next(self, FILE_PIDFD, fd + 1)) >= 0) {
		struct kernel_poll poll = { fd, POLLIN, 0 };
		const struct file *file = file_of(self, (uint64_t)fd);

		if (!child_is_over((int32_t)file->inode))
			continue;
		turn_hold(self);
		sys(__NR_poll, &poll, 1, -1);
		turn_release(self);
	}
}

uint64_t pidfds_ready(struct thread *self)
{
	uint64_t ready = 0;
	int fd = -1;

	while ((fd = file_next(self, FILE_PIDFD, fd + 1)) >= 0)
		if (child_is_over((int32_t)file_of(self, (uint64_t)fd)->inode))
			ready += (uint64_t)fd + 1;
	return ready;
}

void pidfds_end(struct thread *self)
{
	struct kernel_poll poll = { .events = POLLIN };
	int32_t last = process.arena->last_end;

	if (!process.arena->pidfds)
		return;
	process.arena->last_end = (int32_t)sys(__NR_getpid);
	poll.fd = last > 0 ? (int)sys(__NR_pidfd_open, last, 0) : -1;
	if (poll.fd < 0)
		return; /* it has been waited for */
	turn_hold(self);
	sys(__NR_poll, &poll, 1, -1);
	turn_release(self);
	sys(__NR_close, poll.fd);
}

/* As kill, or as rt_sigqueueinfo when the sender says more. */
long handle_pidfd_send_signal(struct thread *self)
{
	const struct regs given = self->regs;
	int32_t pid = pidfd_process(argument(self, 0));
	struct kernel_siginfo info;
	long r;

	if (argument(self, 3) || pid <= 0)
		return pass_on(self); /* the kernel says what is wrong */
	if (given.rdx && copy_in(&info, given.rdx, sizeof(info)))
		return -EFAULT;
	if (given.rdx && info.signo != (int32_t)given.rsi)
		return -EINVAL;
	self->regs.rax = given.rdx ? __NR_rt_sigqueueinfo : __NR_kill;
	self->regs.rdi = (uint64_t)pid;
	r = given.rdx ? handle_rt_sigqueueinfo(self) : handle_kill(self);
	self->regs = given;
	return r;
}
