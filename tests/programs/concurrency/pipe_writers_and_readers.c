/* Which of several readers of a pipe gets which of several writers' messages. */
#include "race.h"

#define MEMBERS 4
#define EACH	25

static int ends[2];
static char (*got)[MEMBERS * EACH * 4 + 1];

static void *work(void *number)
{
	long who = (long)number;

	if (who < MEMBERS) {
		char message[8];

		close(ends[0]);
		for (int i = 0; i < EACH; i++) {
			snprintf(message, sizeof(message), "%c%02d ", 'a' + (int)who, i);
			must(write(ends[1], message, 4) == 4);
			compute(200);
		}
		return NULL;
	}
	close(ends[1]);
	for (char *at = got[who - MEMBERS]; read(ends[0], at, 4) > 0; at += 4)
		compute(200);
	return NULL;
}

int main(void)
{
	got = shared_memory(sizeof(*got) * MEMBERS);
	must(pipe(ends) == 0);
	start_processes(2 * MEMBERS, work);
	close(ends[0]);
	close(ends[1]);
	end_processes(2 * MEMBERS);
	for (int i = 0; i < MEMBERS; i++)
		printf("reader %d: %s\n", i, got[i]);
	return 0;
}
