/* How much a read of a pipe finds there, while another process writes in pieces, is the same each
 * time. The bytes are right in any case. */
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define TOTAL 5000

static unsigned int following(unsigned int *state)
{
	*state = *state * 1103515245 + 12345;
	return *state >> 16;
}

static void write_in_pieces(int to)
{
	unsigned int values = 1, sizes = 2;
	size_t written = 0;

	while (written < TOTAL) {
		unsigned char piece[200];
		size_t size = 1 + following(&sizes) % sizeof(piece);

		if (size > TOTAL - written)
			size = TOTAL - written;
		for (size_t i = 0; i < size; i++)
			piece[i] = (unsigned char)following(&values);
		must(write(to, piece, size) == (ssize_t)size);
		written += size;
	}
}

int main(void)
{
	unsigned int values = 1;
	unsigned char chunk[79];
	int ends[2], wrong = 0;
	ssize_t n, total = 0;

	must(pipe(ends) == 0);
	pid_t child = fork();

	if (child == 0) {
		close(ends[0]);
		write_in_pieces(ends[1]);
		_exit(0);
	}
	close(ends[1]);
	printf("%d reads what %d writes\n", getpid(), child);
	while ((n = read(ends[0], chunk, sizeof(chunk))) > 0) {
		printf("%zd\n", n);
		total += n;
		for (ssize_t i = 0; i < n; i++)
			wrong += chunk[i] != (unsigned char)following(&values);
	}
	printf("%zd bytes, %d wrong\n", total, wrong);
	must(waitpid(child, NULL, 0) == child);
	return wrong || total != TOTAL;
}
