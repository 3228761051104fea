/* Futexes by the call itself. */
#ifndef STET_TESTS_FUTEX_H
#define STET_TESTS_FUTEX_H

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

#include "race.h"

__attribute__((unused)) static long futex(
	void *word, int operation, uint32_t value, void *timeout, void *other, uint32_t third)
{
	return syscall(SYS_futex, word, operation, value, timeout, other, third);
}

__attribute__((unused)) static void sleep_ms(long ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

#endif
