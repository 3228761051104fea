/*
 * The two halves of a rename carry one number, which the kernel counts for the whole host: programs
 * see them counted from 1. Everything else in a notice is the program's own doing.
 */
#include "guest/inotify.h"

#include "guest/whole.h"

struct notice {
	int32_t watch;
	uint32_t mask, cookie, bytes;
};

/* The halves come one after the other in a queue, but a process may have several queues. */
#define REMEMBERED 64u

static struct {
	uint32_t real, shown;
} renames[REMEMBERED];
static uint32_t seen;

static uint32_t number_of(uint32_t cookie)
{
	uint32_t place;

	for (uint32_t i = seen; i > 0 && seen - i < REMEMBERED; i--)
		if (renames[(i - 1) % REMEMBERED].real == cookie)
			return renames[(i - 1) % REMEMBERED].shown;
	place = seen++ % REMEMBERED;
	renames[place].real = cookie;
	renames[place].shown = seen;
	return seen;
}

static __attribute__((noinline)) void renumber(char *notices, uint64_t bytes)
{
	for (uint64_t at = 0; at + sizeof(struct notice) <= bytes;) {
		struct notice *notice = (struct notice *)(notices + at);

		if (notice->cookie)
			notice->cookie = number_of(notice->cookie);
		at += sizeof(*notice) + notice->bytes;
	}
}

static long renumber_program(uint64_t notices, uint64_t bytes)
{
	struct fault_frame frame;

	if (fault_arm(&frame))
		return -EFAULT;
	renumber((char *)notices, bytes);
	fault_disarm();
	return 0;
}

long inotify_read(struct thread *self)
{
	long r = pass_on(self);

	return r > 0 && renumber_program(argument(self, 1), (uint64_t)r) ? -EFAULT : r;
}

/* Each part of the vector holds whole notices. */
long inotify_read_vector(struct thread *self)
{
	long r = pass_on(self);
	uint64_t left = r > 0 ? (uint64_t)r : 0;

	for (uint64_t i = 0; left; i++) {
		struct part part;

		if (copy_in(&part, argument(self, 1) + i * sizeof(part), sizeof(part)))
			return -EFAULT;
		if (part.bytes > left)
			part.bytes = left;
		if (renumber_program(part.base, part.bytes))
			return -EFAULT;
		left -= part.bytes;
	}
	return r;
}
