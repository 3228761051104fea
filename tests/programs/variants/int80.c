/* Asks for its user id by the 32-bit door of a 64-bit kernel. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	long answer;
	__asm__ volatile("int $0x80" : "=a"(answer) : "a"(199) : "memory");
	printf("int 0x80 answered %ld\n", answer);
	return answer == (long)getuid() ? 0 : 1;
}
