#include "cli/progress.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define EVERY_MS  100
#define WHAT_MOST 50 /* characters, for the line to fit in 80 columns */

static struct {
	const char *what; /* NULL: there is no terminal to show it on */
	struct timespec started, shown;
	bool visible;
} state;

static long since_ms(const struct timespec *then, struct timespec *now)
{
	clock_gettime(CLOCK_MONOTONIC, now);
	return (now->tv_sec - then->tv_sec) * 1000 + (now->tv_nsec - then->tv_nsec) / 1000000;
}

void progress_start(const char *what)
{
	state.what = isatty(STDERR_FILENO) ? what : NULL;
	state.visible = false;
	clock_gettime(CLOCK_MONOTONIC, &state.started);
	state.shown = state.started;
}

/* Names of files can have anything in them, which is not for the terminal to act on. */
static void put_what(void)
{
	for (size_t i = 0; i < WHAT_MOST && state.what[i]; i++)
		fputc(iscntrl((unsigned char)state.what[i]) ? '?' : state.what[i], stderr);
}

void progress_show(uint64_t done, uint64_t all)
{
	struct timespec now;
	double seconds;

	if (!state.what || since_ms(&state.shown, &now) < EVERY_MS)
		return;
	state.shown = now;
	state.visible = true;
	seconds = (double)since_ms(&state.started, &now) / 1000;
	fputs("\rstet: ", stderr);
	put_what();
	fputs(": ", stderr);
	if (all)
		fprintf(stderr, "%.0f %%, ", 100 * (double)done / (double)all);
	fprintf(stderr, "%.1f MB, %.1f s\033[K", (double)done / 1e6, seconds);
}

void progress_end(void)
{
	if (state.visible)
		fputs("\r\033[K", stderr);
	state.what = NULL;
	state.visible = false;
}
