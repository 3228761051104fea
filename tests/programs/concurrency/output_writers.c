/* Lines that six processes print on both streams, unordered by anything. */
#include "race.h"

static void *speak(void *number)
{
	for (int i = 0; i < 12; i++) {
		dprintf(1 + i % 2, "process %ld: line %d\n", (long)number, i);
		compute(300);
	}
	return NULL;
}

int main(void)
{
	in_processes(6, speak);
	printf("all are over\n");
	return 0;
}
