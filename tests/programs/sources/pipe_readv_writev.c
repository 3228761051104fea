/* A vector that is larger than a pipe is written whole and in order, whatever its parts, and read
 * into parts; how much each read finds is one and the same. Does not differ natively: not always,
 * when both sides have a core of their own and keep pace. */
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define PARTS 200

static size_t part_size(int i)
{
	return (size_t)(i * 7919) % 3000; /* some are empty */
}

static void writes(int to)
{
	static unsigned char bytes[PARTS][3000];
	struct iovec parts[PARTS];
	size_t all = 0;

	for (int i = 0; i < PARTS; i++) {
		parts[i] = (struct iovec){ bytes[i], part_size(i) };
		for (size_t k = 0; k < part_size(i); k++)
			bytes[i][k] = (unsigned char)(all++ % 251);
	}
	must(writev(to, parts, PARTS) == (ssize_t)all);
	must(pwritev2(to, parts, PARTS, -1, 0) == (ssize_t)all);
	_exit(0);
}

int main(void)
{
	static unsigned char bytes[3][7000];
	const struct iovec parts[] = { { bytes[0], 7000 }, { bytes[1], 1 }, { bytes[2], 6999 } };
	int ends[2];
	size_t all = 0, half = 0;

	for (int i = 0; i < PARTS; i++)
		half += part_size(i);
	must(pipe(ends) == 0);
	if (fork() == 0)
		writes(ends[1]);
	close(ends[1]);
	for (;;) {
		ssize_t n = all % 2 ? readv(ends[0], parts, 3) : preadv2(ends[0], parts, 3, -1, 0);

		if (n <= 0)
			break;
		for (ssize_t i = 0; i < n; i++) {
			unsigned char byte = i < 7000	? bytes[0][i]
					     : i < 7001 ? bytes[1][0]
							: bytes[2][i - 7001];

			must(byte == (all + (size_t)i) % half % 251);
		}
		all += (size_t)n;
		printf("%zd ", n);
	}
	printf("\n%zu\n", all);
	must(all == 2 * half && wait(NULL) > 0);
	return 0;
}
