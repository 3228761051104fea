/* Large reads of /dev/zero while somebody waits, and asks whether the reader spins: a signal that is
 * none for the program must not cut them short. Does not differ natively. */
#include <fcntl.h>
#include <sys/uio.h>

#include "race.h"

#define BYTES (16 << 20)
#define READS 6

static void *read_zeros(void *number)
{
	char *memory = malloc(BYTES);
	struct iovec parts[2] = { { memory, BYTES / 2 }, { memory + BYTES / 2, BYTES / 2 } };
	int zero = open("/dev/zero", O_RDONLY), whole = 0;

	must(memory);
	for (int i = 0; i < READS; i++)
		whole += (i % 2 ? readv(zero, parts, 2) : read(zero, memory, BYTES)) == BYTES;
	printf("%ld: %d of %d were whole\n", (long)number, whole, READS);
	fflush(stdout);
	must(whole == READS);
	return NULL;
}

int main(void)
{
	in_processes(2, read_zeros);
	return 0;
}
