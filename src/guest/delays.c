#include "guest/delays.h"

#include "guest/sys.h"
#include "guest/turn.h"

/* One place in ONE_IN is a delay: a program that does next to nothing passes some hundred places.
 * Most delays are within the time that waiting tasks spin or sleep before they look around; a long
 * one is beyond their patience. */
#define ONE_IN	     16
#define LONG_ONE_IN  64
#define SHORT_DELAYS 2000000  /* ns, at most */
#define LONG_DELAY   30000000 /* ns */

/* SplitMix64's finish: every bit of the answer depends on every bit of the number. */
static uint64_t mix(uint64_t number)
{
	number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
	number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
	return number ^ (number >> 31);
}

void delay_now(struct thread *self)
{
	static uint64_t places;
	uint64_t place = __atomic_add_fetch(&places, 1, __ATOMIC_RELAXED);
	uint64_t chance = mix(mix(process.arena->config.delays ^ self->task) + place);
	int64_t time[2] = { 0, (int64_t)((chance >> 32) % SHORT_DELAYS) };

	if (chance % ONE_IN)
		return;
	if (chance / ONE_IN % LONG_ONE_IN == 0)
		time[1] = LONG_DELAY;
	turn_hold(self);
	sys(__NR_nanosleep, time, 0);
	turn_release(self);
}
