#include "guest/manners.h"

#include "guest/lines.h"
#include "guest/race.h"
#include "guest/sys.h"

#define NAME_BYTES 16

/* In calls, of which HotSpot's second compiler makes one in 140 us, and a program that it works for
 * one in 40 us. */
#define PLAIN_TURN   256
#define PATIENT_TURN 32
#define BURST	     500 /* that a patient task may make at once */
#define SHARE	     32	 /* of so many of the domain's one is its own, beyond that */

static const struct {
	const char *name; /* its beginning */
	enum manner manner;
} known[] = {
	{ "C1 Compiler", MANNER_EAGER },   /* HotSpot's: quick, and much depends on it */
	{ "C2 Compiler", MANNER_PATIENT }, /* slow, and worth it for what goes on for long */
};

static enum manner manner_of(const char *name)
{
	for (uint32_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (after_prefix(name, known[i].name))
			return known[i].manner;
	return MANNER_PLAIN;
}

void manner_by_name(struct thread *self)
{
	struct domain *domain = domain_of(self->task);
	char name[NAME_BYTES];

	if (!domain || sys(__NR_prctl, PR_GET_NAME, name))
		return;
	turn_of(self->task)->manner = manner_of(name);
	if (turn_of(self->task)->manner != MANNER_PLAIN)
		domain->has_manners = 1;
}

void manner_forget(struct thread *self)
{
	struct domain *domain = domain_of(self->task);

	turn_of(self->task)->manner = MANNER_PLAIN;
	if (domain && domain->members == 1)
		domain->has_manners = 0;
}

static bool is_within_share(const struct turn *turn, const struct domain *domain)
{
	return turn->used <= domain->calls + SHARE * BURST;
}

bool manner_is_urgent(uint32_t index)
{
	const struct turn *turn = turn_of(index);

	return turn->manner == MANNER_EAGER ||
	       (turn->manner == MANNER_PATIENT && is_within_share(turn, domain_of(index)));
}

static void use_share(struct turn *turn, const struct domain *domain)
{
	if (turn->used < domain->calls)
		turn->used = domain->calls;
	turn->used += SHARE;
}

/* A compiler looks at the clock between two pieces of work, and is not to be kept in the middle of
 * one that the program waits for. */
static bool is_in_between(const struct turn *turn, uint32_t number)
{
	return turn->manner != MANNER_PATIENT || number == __NR_clock_gettime;
}

bool manner_lets_others(struct thread *self, struct domain *domain, uint32_t number)
{
	struct turn *turn = turn_of(self->task);
	uint32_t most;

	if (!domain->has_manners)
		return false;
	domain->calls++;
	if (turn->manner == MANNER_PATIENT)
		use_share(turn, domain);
	most = turn->manner == MANNER_PATIENT ? PATIENT_TURN : PLAIN_TURN;
	if (manner_is_urgent(self->task) || ++turn->calls < most || !is_in_between(turn, number))
		return false;
	turn->calls = 0;
	return true;
}
