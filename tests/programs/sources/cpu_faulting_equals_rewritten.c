/* cpuid answers the same in code that was rewritten and in code made at run time, which faults.
 * Where it cannot fault, only the former is answered.
 * needs: cpuid_fault
 * Does not differ natively: there is only one way there. */
#include <cpuid.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

struct answer {
	unsigned a, b, c, d;
};

/* mov %edi, %eax; mov %esi, %ecx; mov %rdx, %r8; mov %rbx, %r9; cpuid; mov %eax, (%r8);
 * mov %ebx, 4(%r8); mov %ecx, 8(%r8); mov %edx, 12(%r8); mov %r9, %rbx; ret */
static const unsigned char code[] = { 0x89, 0xf8, 0x89, 0xf1, 0x49, 0x89, 0xd0, 0x49, 0x89, 0xd9,
	0x0f, 0xa2, 0x41, 0x89, 0x00, 0x41, 0x89, 0x58, 0x04, 0x41, 0x89, 0x48, 0x08, 0x41, 0x89,
	0x50, 0x0c, 0x4c, 0x89, 0xcb, 0xc3 };

static int differ(
	unsigned leaf, unsigned subleaf, void (*made)(unsigned, unsigned, struct answer *))
{
	struct answer text, run_time;

	__cpuid_count(leaf, subleaf, text.a, text.b, text.c, text.d);
	made(leaf, subleaf, &run_time);
	if (memcmp(&text, &run_time, sizeof(text)) == 0)
		return 0;
	printf("leaf %x.%x differs\n", leaf, subleaf);
	return 1;
}

int main(void)
{
	unsigned char *page = mmap(
		NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*made)(unsigned, unsigned, struct answer *);
	int bad = 0, asked = 0;

	memcpy(page, code, sizeof(code));
	memcpy(&made, &page, sizeof(made));
	for (unsigned leaf = 0; leaf < 0x24; leaf++)
		for (unsigned subleaf = 0; subleaf < 8; subleaf++, asked++)
			bad += differ(leaf, subleaf, made);
	for (unsigned leaf = 0x80000000; leaf < 0x80000022; leaf++, asked++)
		bad += differ(leaf, 0, made);
	bad += differ(0x40000000, 0, made);
	printf("%d answers, %d differ\n", asked + 1, bad);
	return 0;
}
