#include "base/stop.h"

#include <signal.h>
#include <stddef.h>

static const int signals[] = { SIGHUP, SIGINT, SIGTERM };
#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

static struct sigaction before[SIGNALS];
static volatile sig_atomic_t noted;

static void note_signal(int number)
{
	noted = number;
}

void stop_watch(void)
{
	/* Without SA_RESTART: who waits for a lock is to look whether to go on. */
	struct sigaction action = { .sa_handler = note_signal };

	noted = 0;
	for (size_t i = 0; i < SIGNALS; i++) {
		sigaction(signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

bool stop_wanted(void)
{
	return noted != 0;
}

void stop_heed(void)
{
	int number = noted;

	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
	noted = 0;
	if (number)
		raise(number);
}
