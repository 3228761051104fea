/* One pipe shared by a parent and its child, in all six ways that make sense (who writes, who
 * reads): who gets which bytes is the same each time, and each byte arrives once. */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define BYTES 1000
#define PIECE 50

enum { PARENT = 1, CHILD = 2, BOTH = 3 };

static const struct way {
	const char *name;
	int writers, readers;
} ways[] = {
	{ "parent writes, child reads", PARENT, CHILD },
	{ "child writes, parent reads", CHILD, PARENT },
	{ "both write, parent reads", BOTH, PARENT },
	{ "parent writes, both read", PARENT, BOTH },
	{ "child writes, both read", CHILD, BOTH },
	{ "both write, both read", BOTH, BOTH },
};

/* How many bytes of each process have been read, by anybody. */
static int (*arrived)[2];

static void do_write(int me, int to)
{
	for (int i = 0; i < BYTES / PIECE; i++) {
		unsigned char piece[PIECE];

		memset(piece, me == CHILD ? 0x80 + i : i, sizeof(piece));
		must(write(to, piece, sizeof(piece)) == sizeof(piece));
	}
}

static void do_read(int me, int from)
{
	unsigned char got[70];
	ssize_t n;

	while ((n = read(from, got, sizeof(got))) > 0) {
		printf("%s %d: %zd: %02x to %02x\n", me == CHILD ? "child" : "parent", getpid(), n,
			got[0], got[n - 1]);
		for (ssize_t i = 0; i < n; i++)
			__atomic_add_fetch(&(*arrived)[got[i] >> 7], 1, __ATOMIC_RELAXED);
	}
}

static void act(const struct way *way, int me, const int ends[2])
{
	if (way->writers & me)
		do_write(me, ends[1]);
	close(ends[1]);
	if (way->readers & me)
		do_read(me, ends[0]);
	close(ends[0]);
}

static void go(const struct way *way)
{
	int ends[2];

	printf("%s\n", way->name);
	memset(arrived, 0, sizeof(*arrived));
	must(pipe(ends) == 0);
	pid_t child = fork();

	if (child == 0) {
		act(way, CHILD, ends);
		_exit(0);
	}
	act(way, PARENT, ends);
	must(waitpid(child, NULL, 0) == child);
	printf("in all %d of the parent, %d of the child\n", (*arrived)[0], (*arrived)[1]);
	must((*arrived)[0] == (way->writers & PARENT ? BYTES : 0));
	must((*arrived)[1] == (way->writers & CHILD ? BYTES : 0));
}

int main(void)
{
	arrived = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must(arrived != MAP_FAILED);
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		go(&ways[i]);
	return 0;
}
