/* System V queues of messages: senders and receivers that have to wait do so in line. */
#include "guest/messages.h"

#include "guest/handlers.h"
#include "guest/in_line.h"
#include "guest/turn.h"

#define IPC_RMID   0
#define IPC_SET	   1
#define IPC_NOWAIT 04000

static uint64_t queue_object(uint64_t id)
{
	return line_object(LINE_MESSAGES, (uint32_t)id);
}

static long attempt_message(struct thread *self, struct line *line)
{
	const struct regs *a = &self->regs;
	bool sends = line->args[0];
	long r = sends ? sys(__NR_msgsnd, a->rdi, a->rsi, a->rdx, a->r10 | IPC_NOWAIT)
		       : sys(__NR_msgrcv, a->rdi, a->rsi, a->rdx, a->r10, a->r8 | IPC_NOWAIT);

	if (r == (sends ? -EAGAIN : -ENOMSG))
		return (sends ? a->r10 : a->r8) & IPC_NOWAIT ? r : NOT_READY;
	return r == -EINVAL && line->waited ? -EIDRM : r;
}

static long pass_message(struct thread *self, bool sends)
{
	struct line line = {
		.object = queue_object(argument(self, 0)),
		.attempt = attempt_message,
		.deadline = NEVER,
		.args = { sends },
	};
	long r = line_run(self, &line);

	if (!failed(r))
		line_changed(self, line.object);
	return r;
}

long handle_msgsnd(struct thread *self)
{
	return pass_message(self, true);
}

long handle_msgrcv(struct thread *self)
{
	return pass_message(self, false);
}

long messages_control(struct thread *self, call_handler *control)
{
	uint64_t object = queue_object(argument(self, 0));
	uint32_t command = (uint32_t)argument(self, 1);
	long r;

	if (!turns_matter())
		return control(self);
	line_settle(self, object);
	r = control(self);
	if (!failed(r) && (command == IPC_RMID || command == IPC_SET))
		line_changed(self, object);
	return r;
}
