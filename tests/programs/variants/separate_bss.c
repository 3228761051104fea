/* Its zeroed data is a segment of its own, which starts amid a page and has nothing in the file
 * (separate_bss.lds). */
#include <sys/syscall.h>

static char zeroed[16384];
static volatile int initialized = 5;

static long call(long number, long a, long b, long c)
{
	long result;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}

static int is_zero_and_writable(volatile char *bytes, unsigned long count)
{
	for (unsigned long i = 0; i < count; i++) {
		if (bytes[i] != 0)
			return 0;
		bytes[i] = 1;
	}
	return 1;
}

void _start(void)
{
	int good = initialized == 5 && is_zero_and_writable(zeroed, sizeof(zeroed));
	call(SYS_write, 1, (long)(good ? "good\n" : "bad!\n"), 5);
	call(SYS_exit, !good, 0, 0);
	__builtin_unreachable();
}
