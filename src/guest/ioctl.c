/* Requests to devices and files whose answers are the host's. */
#include "guest/clock.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/nonblocking.h"
#include "guest/random.h"
#include "guest/storage.h"
#include "guest/terminals.h"

#define RNDGETENTCNT 0x80045200u
#define SIOCGSTAMP   0x8906u
#define SIOCGSTAMPNS 0x8907u

static long entropy_count(struct thread *self)
{
	const int32_t bits = RANDOM_ENTROPY_BITS;
	long r = pass_on(self);

	if (r == 0 && file_of(self, (uint32_t)argument(self, 0))->kind == FILE_RANDOM)
		r = copy_out(argument(self, 2), &bits, sizeof(bits));
	return r;
}

/* When a packet came: seconds, and micro- or nanoseconds. */
static long packet_time(struct thread *self, int64_t fraction)
{
	long r = pass_on(self);
	int64_t time[2];

	if (r)
		return r;
	clock_wall(clock_look(self), &time[0], &time[1]);
	time[1] /= fraction;
	return copy_out(argument(self, 2), time, sizeof(time));
}

static bool is_stored(struct thread *self)
{
	uint8_t kind = file_of(self, (uint32_t)argument(self, 0))->kind;

	return (kind == FILE_REGULAR || kind == FILE_DIRECTORY) && !(process.relax & RELAX_INODE);
}

long handle_ioctl(struct thread *self)
{
	switch ((uint32_t)argument(self, 1)) {
	case RNDGETENTCNT:
		return random_native() ? pass_on(self) : entropy_count(self);
	case SIOCGSTAMP:
		return process.relax & RELAX_TIME ? pass_on(self) : packet_time(self, 1000);
	case SIOCGSTAMPNS:
		return process.relax & RELAX_TIME ? pass_on(self) : packet_time(self, 1);
	case FIONBIO:
		flags_changed(); /* it is, by the time that anybody else asks */
				 /* fallthrough */
	default:
		if (file_of(self, (uint32_t)argument(self, 0))->kind == FILE_TERMINAL)
			return terminal_ioctl(self);
		return is_stored(self) ? storage_ioctl(self) : pass_on(self);
	}
}
