#include "fetch/interrupt.h"

#include <stddef.h>

static const int signals[INTERRUPT_SIGNALS] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static volatile sig_atomic_t noted;

static void note(int number)
{
	noted = number;
}

void interrupt_begin(struct interrupt *interrupt)
{
	const struct sigaction action = { .sa_handler = note };

	noted = 0;
	for (size_t i = 0; i < INTERRUPT_SIGNALS; i++) {
		sigaction(signals[i], NULL, &interrupt->before[i]);
		/* As in a run: nohup keeps its meaning. */
		if (signals[i] != SIGHUP || interrupt->before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

void interrupt_end(const struct interrupt *interrupt)
{
	for (size_t i = 0; i < INTERRUPT_SIGNALS; i++)
		sigaction(signals[i], &interrupt->before[i], NULL);
}

int interrupt_check(struct error *err)
{
	int number = noted;

	if (!number)
		return 0;
	error_set(err, 0, "--fetch: ended by signal %d; nothing was run", number);
	err->status = 128 + number;
	return -1;
}
