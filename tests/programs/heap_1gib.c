/* Heaps of 1 GiB: by mmap, by brk, and copied on write by a child. */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define GIB (1ul << 30)

static unsigned long checksum(const char *memory)
{
	unsigned long sum = 0;
	for (unsigned long i = 0; i < GIB; i += 4096)
		sum = sum * 31 + (unsigned char)memory[i];
	return sum;
}

static void fill(char *memory, int seed)
{
	for (unsigned long i = 0; i < GIB; i += 4096)
		memory[i] = (char)(i / 4096 * 7 + (unsigned long)seed);
}

int main(void)
{
	int status;
	char *heap = malloc(GIB);
	must(heap);
	fill(heap, 1);
	unsigned long before = checksum(heap);
	pid_t child = fork();
	if (child == 0) {
		heap[0] = 99;
		_exit(checksum(heap) == before ? 1 : 0);
	}
	must(waitpid(child, &status, 0) == child);
	expect("a child's write stays its own", status, 0);
	expect_true("the sum is unchanged", checksum(heap) == before);
	heap = realloc(heap, GIB + GIB / 2);
	must(heap);
	expect_true("and after realloc", checksum(heap) == before);
	free(heap);

	char *start = sbrk(GIB);
	must(start != (void *)-1);
	fill(start, 2);
	expect_true("brk: the end has moved", (char *)sbrk(0) == start + GIB);
	expect("brk: first byte", start[0], 2);
	must(sbrk(-(long)GIB) != (void *)-1);
	expect_true("brk: and back", (char *)sbrk(0) == start);
	return verdict();
}
