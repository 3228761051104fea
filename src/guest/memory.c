/* The program's memory, and the few functions that the compiler calls by name. */
#include "guest/sys.h"

/* Few bytes are copied by words: the instruction takes a while to start. */
#define FEW_BYTES 256

__attribute__((noinline)) void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	void *start = to;

	for (; bytes >= 8 && bytes <= FEW_BYTES; bytes -= 8) {
		*(uint64_t *)to = *(const uint64_t *)from;
		to = (char *)to + 8;
		from = (const char *)from + 8;
		__asm__ volatile(""); /* or the compiler calls memcpy for it */
	}
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
	return start;
}

void *memmove(void *to, const void *from, size_t bytes)
{
	char *t = (char *)to + bytes - 1;
	const char *f = (const char *)from + bytes - 1;

	if ((uint64_t)to - (uint64_t)from >= bytes)
		return memcpy(to, from, bytes);
	__asm__ volatile("std\n\trep movsb\n\tcld" : "+D"(t), "+S"(f), "+c"(bytes) : : "memory");
	return to;
}

void *memset(void *to, int byte, size_t bytes)
{
	void *start = to;

	__asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(byte) : "memory");
	return start;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
	const unsigned char *x = a, *y = b;

	for (size_t i = 0; i < bytes; i++)
		if (x[i] != y[i])
			return x[i] - y[i];
	return 0;
}

size_t strlen(const char *string)
{
	size_t n = 0;

	while (string[n])
		n++;
	return n;
}

static long copy(void *to, const void *from, size_t bytes)
{
	struct fault_frame frame;

	if (fault_arm(&frame))
		return -EFAULT;
	memcpy(to, from, bytes);
	fault_disarm();
	return 0;
}

long copy_in(void *to, uint64_t from, size_t bytes)
{
	return copy(to, (const void *)from, bytes);
}

long copy_out(uint64_t to, const void *from, size_t bytes)
{
	return copy((void *)to, from, bytes);
}

long string_length(uint64_t string, size_t limit)
{
	struct fault_frame frame;
	const volatile char *s = (const char *)string;
	size_t n = 0;

	if (fault_arm(&frame))
		return -EFAULT;
	while (n < limit && s[n])
		n++;
	fault_disarm();
	return (long)n;
}
