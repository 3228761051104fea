/*
 * getrandom gives bytes of the task's own stream, with the kernel's checks of flags and memory.
 * They are taken in a child, whose stream starts with its birth whatever the C library took before.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static long take(void *to, size_t bytes, unsigned flags)
{
	long r = syscall(SYS_getrandom, to, bytes, flags);

	return r < 0 ? -errno : r;
}

static void show(const unsigned char *bytes, int count)
{
	for (int i = 0; i < count; i++)
		printf("%02x", bytes[i]);
	putchar('\n');
}

static void child(void)
{
	unsigned char bytes[100], *pages;

	take(bytes, 100, 0);
	setvbuf(stdout, NULL, _IONBF, 0); /* the library's buffer may take randomness */
	show(bytes, 100);
	take(bytes, 7, 1 /* GRND_NONBLOCK */);
	take(bytes + 7, 9, 2 /* GRND_RANDOM */);
	show(bytes, 16);
	printf("insecure %ld\n", take(bytes, 8, 4));
	printf("random and insecure %ld, unknown flag %ld\n", take(bytes, 8, 6), take(bytes, 8, 8));
	printf("nothing %ld, nowhere %ld\n", take(NULL, 0, 0), take(NULL, 8, 0));
	pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(pages + 4096, 4096);
	printf("half there %ld\n", take(pages + 4000, 200, 0));
	show(pages + 4080, 16);
	take(bytes, 4, 0);
	show(bytes, 4);
}

int main(void)
{
	fflush(stdout);
	if (fork() == 0) {
		child();
		_exit(0);
	}
	wait(NULL);
	return 0;
}
