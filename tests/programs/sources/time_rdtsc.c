/* The time stamp counter is the logical clock: read by the program's code, and by code that it
 * makes at run time, which nobody could rewrite. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <x86intrin.h>

static const uint8_t rdtsc[] = { 0x0f, 0x31, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x09, 0xd0, 0xc3 };
static const uint8_t rdtscp[] = { 0x0f, 0x01, 0xf9, 0x89, 0x0f, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x09,
	0xd0, 0xc3 };

int main(void)
{
	unsigned auxiliary = 77, made_auxiliary = 77;
	uint64_t t[8];
	uint8_t *page = mmap(
		NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(page, rdtsc, sizeof(rdtsc));
	memcpy(page + 64, rdtscp, sizeof(rdtscp));
	t[0] = __rdtsc();
	t[1] = __rdtsc();
	t[2] = __rdtscp(&auxiliary);
	t[3] = ((uint64_t(*)(void))page)();
	t[4] = ((uint64_t(*)(void))page)();
	t[5] = ((uint64_t(*)(unsigned *))(page + 64))(&made_auxiliary);
	printf("starts at %llu s\n", (unsigned long long)t[0] / 1000000000);
	for (int i = 1; i < 6; i++)
		printf("step %llu\n", (unsigned long long)(t[i] - t[i - 1]));
	printf("CPU %u, %u\n", auxiliary, made_auxiliary);
	return 0;
}
