#include "guest/newer.h"

#include "guest/dispatch.h"

enum newer_kind { NEWER_FLAGS, NEWER_BITS, NEWER_VALUES, NEWER_OPTION, NEWER_BEHIND, NEWER_DEVICE };

static const struct newer {
	uint16_t number;
	uint8_t argument, kind; /* enum newer_kind */
	uint32_t low, high;
	int error;
} newer[] = {
#define NEWER(call, argument, kind, low, high, error, since, what)                                 \
	{ __NR_##call, argument, NEWER_##kind, low, high, error },
#include "guest/newer.def"
#undef NEWER
};
#define ROWS (sizeof(newer) / sizeof(newer[0]))

/* Most calls have none: one look tells. A call with several rows is named several times. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const bool concerned[SYSCALL_LIMIT] = {
#define NEWER(call, argument, kind, low, high, error, since, what) [__NR_##call] = true,
#include "guest/newer.def"
#undef NEWER
};
#pragma GCC diagnostic pop

bool newer_concerns(uint32_t number)
{
	return concerned[number];
}

/* What cannot be read is for the call itself to complain about. */
static bool unknown_behind(uint64_t pointer, uint32_t known)
{
	uint64_t word;

	return copy_in(&word, pointer, sizeof(word)) == 0 && (word & ~(uint64_t)known);
}

static bool matches(const struct newer *row, const struct thread *self)
{
	uint32_t value = (uint32_t)argument(self, row->argument);

	switch (row->kind) {
	case NEWER_FLAGS:
		return value & ~row->low;
	case NEWER_BITS:
		return value & row->low;
	case NEWER_BEHIND:
		return unknown_behind(argument(self, row->argument) + row->high, row->low);
	case NEWER_DEVICE:
		return (value >> 8 & 0xff) == row->low;
	case NEWER_OPTION:
		return (uint32_t)argument(self, 1) == SOL_SOCKET && value >= row->low &&
		       value <= row->high;
	default:
		return value >= row->low && value <= row->high;
	}
}

long newer_refusal(const struct thread *self, uint32_t number)
{
	for (uint32_t i = 0; i < ROWS; i++)
		if (newer[i].number == number && matches(&newer[i], self))
			return -newer[i].error;
	return 0;
}
