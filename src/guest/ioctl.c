/* Requests to devices whose answers are the host's. */
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/random.h"

#define RNDGETENTCNT 0x80045200u

static long entropy_count(struct thread *self)
{
	const int32_t bits = RANDOM_ENTROPY_BITS;
	long r = pass_on(self);

	if (r == 0 && file_of(self, (uint32_t)argument(self, 0))->kind == FILE_RANDOM)
		r = copy_out(argument(self, 2), &bits, sizeof(bits));
	return r;
}

long handle_ioctl(struct thread *self)
{
	switch ((uint32_t)argument(self, 1)) {
	case RNDGETENTCNT:
		return random_native() ? pass_on(self) : entropy_count(self);
	default:
		return pass_on(self);
	}
}
