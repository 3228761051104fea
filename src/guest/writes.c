/* Calls that change a file's content through a descriptor: its times move. */
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/output.h"

static long write_to(struct thread *self, bool always)
{
	long r = output_turn(self, (uint32_t)argument(self, 0));

	if (r)
		return r;
	r = pass_on(self);
	if (r > 0 || (r == 0 && always))
		file_written(self, (uint32_t)argument(self, 0));
	return r;
}

/* write, pwrite, writev and so on: the descriptor comes first. */
long handle_write(struct thread *self)
{
	return write_to(self, false);
}

/* ftruncate and fallocate. */
long handle_resize(struct thread *self)
{
	return write_to(self, true);
}
