/* Two processes that talk over nonblocking pipes, and ask again and again: how often in vain. */
#include <fcntl.h>
#include <sched.h>

#include "race.h"

#define ROUNDS 40

static long asked;

static void take(int fd, char *byte)
{
	while (read(fd, byte, 1) != 1) {
		must(errno == EAGAIN);
		asked++;
		sched_yield();
	}
}

int main(void)
{
	int there[2], back[2];
	char byte = 0;

	must(pipe2(there, O_NONBLOCK) == 0 && pipe2(back, O_NONBLOCK) == 0);
	pid_t child = fork();

	for (int i = 0; i < ROUNDS; i++) {
		if (child)
			must(write(there[1], &byte, 1) == 1);
		take(child ? back[0] : there[0], &byte);
		compute(i * 100);
		if (!child)
			must(write(back[1], &byte, 1) == 1);
	}
	if (child)
		must(wait(NULL) == child);
	printf("%s asked %ld times in vain\n", child ? "parent" : "child", asked);
	return 0;
}
