/*
 * The map of a process: program, heap, stack and auxiliary vector lie at addresses that depend on
 * the program and its arguments alone. It runs itself again with arguments of its own choice.
 */
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

extern char **environ;
extern char end[];

static const Elf64_auxv_t *vector(void)
{
	char **at = environ;

	while (*at)
		at++;
	return (const Elf64_auxv_t *)(at + 1);
}

static int second_life(char **argv, unsigned long heap)
{
	printf("argv %p %s %p\n", (void *)argv, argv[0], (void *)argv[0]);
	printf("environ %p %s %p\n", (void *)environ, environ[0], (void *)environ[0]);
	printf("name %s %p\n", (char *)getauxval(AT_EXECFN), (void *)getauxval(AT_EXECFN));
	printf("platform %s %p\n", (char *)getauxval(AT_PLATFORM), (void *)getauxval(AT_PLATFORM));
	printf("random %p\n", (void *)getauxval(AT_RANDOM));
	printf("auxv %p:", (void *)vector());
	for (const Elf64_auxv_t *at = vector(); at->a_type != AT_NULL; at++)
		printf(" %lu", (unsigned long)at->a_type);
	printf("\npage %lu ticks %lu secure %lu flags %lu\n", getauxval(AT_PAGESZ),
		getauxval(AT_CLKTCK), getauxval(AT_SECURE), getauxval(AT_FLAGS));
	printf("program %#lx\n", getauxval(AT_PHDR) & ~4095ul);
	printf("heap %ld behind the program's last page\n",
		(long)(heap - (((unsigned long)end + 4095) & ~4095ul)));
	printf("loader and mappings below the top: %d %d\n",
		0x7fff00000000 - getauxval(AT_BASE) < (1ul << 20),
		0x7fff00000000 - (unsigned long)&printf < (16ul << 20));
	return 0;
}

int main(int argc, char **argv)
{
	char *again[] = { "again", NULL }, *environment[] = { "A=1", "B=22", NULL };
	unsigned long heap = (unsigned long)sbrk(0); /* before stdio has its memory */

	if (argc == 1 && strcmp(argv[0], "again") == 0)
		return second_life(argv, heap);
	execve("/proc/self/exe", again, environment);
	perror("execve");
	return 1;
}
