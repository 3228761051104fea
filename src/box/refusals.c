#include "box/refusals.h"

#include <asm/unistd.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "arena/calls.h"

/* The container can write anything there. */
void refusals_text(const struct fatal *from, char *text, size_t size)
{
	size_t n = size - 1 < sizeof(from->text) ? size - 1 : sizeof(from->text);

	memcpy(text, from->text, n);
	text[n] = '\0';
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
}

/* Every C library asks for rseq when it starts and does without. */
static bool is_remarkable(unsigned number, const struct arena *arena)
{
	return arena->config.refused[number] && number != __NR_rseq;
}

void refusals_describe(const struct arena *arena, char *text, size_t size)
{
	size_t at = 0;

	text[0] = '\0';
	if (__atomic_load_n(&arena->refusal.state, __ATOMIC_ACQUIRE) == 2) {
		refusals_text(&arena->refusal, text, size);
		return;
	}
	for (unsigned number = 0; number < SYSCALL_LIMIT; number++) {
		const struct call_info *call = call_info(number);

		if (!is_remarkable(number, arena) || at >= size)
			continue;
		at += (size_t)snprintf(text + at, size - at, "%s%s",
			at ? ", " : "calls refused during the run: ",
			call ? call->name : "unknown ones");
	}
}
