/* asan heap|stack|leak|none: makes the mistake that it is told to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int index_behind = 16;
static void *volatile lost;

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "none";
	char *heap = malloc(16);
	char stack[16] = "";
	if (strcmp(what, "heap") == 0)
		heap[index_behind] = 1;
	if (strcmp(what, "stack") == 0)
		stack[index_behind] = 1;
	if (strcmp(what, "leak") == 0) {
		lost = malloc(77);
		lost = NULL;
	}
	getppid();
	free(heap);
	puts("no mistake stopped it");
	return stack[0];
}
