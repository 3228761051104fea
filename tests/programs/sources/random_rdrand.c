/*
 * rdrand and rdseed give bytes of the task's stream and always succeed; the other flags and the
 * rest of a 64-bit register are as the processor leaves them.
 */
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int flags_of(uint64_t flags)
{
	return (int)(flags & 0x8d5);
}

static void child(void)
{
	uint64_t a, b, flags;
	uint32_t c;
	uint16_t d = 0xffff;

	__asm__ volatile("rdrand %0\n\tpushfq\n\tpopq %1"
			 : "=r"(a), "=r"(flags)
			 :
			 : "cc", "memory");
	printf("%016lx %x\n", a, flags_of(flags));
	__asm__ volatile("rdseed %0\n\tpushfq\n\tpopq %1"
			 : "=r"(b), "=r"(flags)
			 :
			 : "cc", "memory");
	printf("%016lx %x\n", b, flags_of(flags));
	a = ~0ull;
	__asm__ volatile("rdrand %k0\n\tpushfq\n\tpopq %1"
			 : "+r"(a), "=r"(flags)
			 :
			 : "cc", "memory");
	printf("%016lx %x\n", a, flags_of(flags));
	__asm__ volatile("rdrand %0" : "=r"(c) : : "cc");
	printf("%08x\n", c);
	a = 0x1111222233334444;
	__asm__ volatile("rdseed %w0" : "+r"(a) : : "cc");
	printf("%016lx\n", a);
	__asm__ volatile("rdrand %0" : "+r"(d) : : "cc");
	printf("%04x\n", d);
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	if (fork() == 0) {
		child();
		_exit(0);
	}
	wait(NULL);
	return 0;
}
