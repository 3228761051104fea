/*
 * mmap, munmap, mremap, shmat and brk choose addresses by rules of their own: the same sequence
 * gives the same distances, and hints that are free are taken. Sizes are larger than any hole that
 * the loader may have left, so that addresses count from the first mapping.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#define MIB 0x100000l
#define BIG (64 * MIB + 4096) /* not a multiple of 2 MiB: not aligned to it */

static char *base;

static char *map(void *hint, long bytes, int flags)
{
	return mmap(hint, (size_t)bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

static void show(const char *what, const char *at)
{
	if (at == MAP_FAILED)
		printf("%s: %s\n", what, strerror(errno));
	else
		printf("%s: %#lx below\n", what, (unsigned long)(base - at));
}

static void show_absolute(const char *what, const char *at)
{
	if (at == MAP_FAILED)
		printf("%s: %s\n", what, strerror(errno));
	else
		printf("%s: %p\n", what, (void *)at);
}

static void holes(void)
{
	char *a = map(NULL, BIG, 0), *b = map(NULL, BIG, 0), *c = map(NULL, BIG, 0);

	show("a", a);
	show("b", b);
	show("c", c);
	munmap(b, BIG);
	show("fits where b was", b = map(NULL, BIG, 0));
	munmap(a, BIG);
	munmap(c, BIG);
	show("does not fit where a was", a = map(NULL, BIG + 4096, 0));
	munmap(b, BIG);
	show("fits into the holes of a, b and c", b = map(NULL, 2 * BIG, 0));
	munmap(b + 4096, 4096);
	munmap(a, BIG + 4096);
	munmap(b, 2 * BIG);
	show("all is free again", a = map(NULL, BIG, 0));
	munmap(a, BIG);
}

static void hints(void)
{
	char *wanted = (char *)0x123456789000, *a;

	show_absolute("a free hint", a = map(wanted, BIG, 0));
	show("a hint in use", map(wanted + 4096, BIG, 0));
	munmap(base - BIG, BIG);
	munmap(a, BIG);
	show_absolute("free once more, unaligned", a = map(wanted + 5, BIG, 0));
	munmap(a, BIG);
	show_absolute("a hint near 0", a = map((void *)4096, 4096, 0));
	munmap(a, 4096);
	show("a hint in the stack's range", map((char *)0x7ffff0000000, BIG, 0));
	munmap(base - BIG, BIG);
	show_absolute("fixed", map(wanted, 4096, MAP_FIXED));
	show_absolute("fixed, in use", map(wanted, 4096, MAP_FIXED_NOREPLACE));
}

static void kinds(void)
{
	char *a, *b;

	show_absolute("low", a = map(NULL, MIB, MAP_32BIT));
	show_absolute("low, next", b = map(NULL, MIB, MAP_32BIT));
	munmap(a, MIB);
	show_absolute("low, reused", map(NULL, 4096, MAP_32BIT));
	show_absolute("low, too large", map(NULL, 0x40000000, MAP_32BIT));
	show("huge pages", map(NULL, 64 * MIB, MAP_HUGETLB));
	a = map(NULL, 64 * MIB, 0);
	printf("multiples of 2 MiB are aligned: %d\n", (unsigned long)a % (2 * MIB) == 0);
	munmap(a, 64 * MIB);
	a = map(NULL, BIG, MAP_GROWSDOWN);
	b = map(NULL, BIG, 0);
	show("grows down", a);
	show("keeps its distance", b);
	munmap(a, BIG);
	munmap(b, BIG);
	show_absolute("nothing", map(NULL, 0, 0));
	show_absolute("too much", map(NULL, 1l << 47, 0));
	show_absolute("far too much", map(NULL, -4096, 0));
}

static void moves(void)
{
	char *a = map(NULL, BIG, 0), *b = map(NULL, BIG, 0);

	a[0] = 'a';
	b[0] = 'b';
	show("grown into the next one", b = mremap(b, BIG, 3 * BIG, MREMAP_MAYMOVE));
	show("grown with room", b = mremap(b, 3 * BIG, BIG, 0));
	show("grown in its place", b = mremap(b, BIG, 2 * BIG, MREMAP_MAYMOVE));
	show("cannot grow", mremap(a, BIG, 2 * BIG, 0));
	show("what was left is used again", map(NULL, BIG, 0));
	printf("contents %c %c\n", a[0], b[0]);
	munmap(base - 8 * BIG, 8 * BIG);
}

static void shared(void)
{
	int id = shmget(IPC_PRIVATE, BIG, IPC_CREAT | 0600);
	char *a = shmat(id, NULL, 0), *b = shmat(id, NULL, 0);

	show("shared", a);
	show("shared again", b);
	shmdt(a);
	show("shared at the first place", a = shmat(id, NULL, 0));
	shmdt(a);
	shmdt(b);
	shmctl(id, IPC_RMID, NULL);
	show("free again", a = map(NULL, BIG, 0));
	munmap(a, BIG);
}

int main(void)
{
	char *start = sbrk(0);

	printf("heap\n");
	base = map(NULL, BIG, 0);
	holes();
	hints();
	kinds();
	moves();
	shared();
	printf("the heap grows in its place: %d\n", sbrk(1 << 20) >= (void *)start);
	return 0;
}
