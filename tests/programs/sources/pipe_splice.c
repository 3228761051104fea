/* From file to pipe, pipe to pipe, and memory to pipe without copies: how much each call moves is a
 * matter of what is in the pipes, and they wait when nothing can move. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define BYTES 300000

static void sends(int to)
{
	static char bytes[BYTES];
	const struct iovec part = { bytes, 1000 };
	int file = open("big", O_RDWR | O_CREAT | O_TRUNC, 0600);

	must(file >= 0 && write(file, bytes, BYTES) == BYTES && lseek(file, 0, SEEK_SET) == 0);
	for (ssize_t n, all = 0; all < BYTES; all += n)
		must((n = sendfile(to, file, NULL, BYTES)) > 0);
	must(lseek(file, 0, SEEK_SET) == 0);
	for (ssize_t n, all = 0; all < BYTES; all += n)
		must((n = splice(file, NULL, to, NULL, (size_t)(BYTES - all), 0)) > 0);
	for (int i = 0; i < 100; i++)
		must(vmsplice(to, &part, 1, 0) == 1000);
	_exit(0);
}

static void passes_on(int from, int to)
{
	while (splice(from, NULL, to, NULL, 20000, 0) > 0)
		;
	_exit(0);
}

int main(void)
{
	static char bytes[BYTES];
	int first[2], second[2];
	long all = 0;

	must(pipe(first) == 0 && pipe(second) == 0);
	must(splice(first[0], NULL, second[1], NULL, 10, SPLICE_F_NONBLOCK) < 0);
	printf("nothing: %s\n", strerror(errno));
	fflush(stdout);
	if (fork() == 0) {
		close(first[0]);
		sends(first[1]);
	}
	close(first[1]);
	if (fork() == 0)
		passes_on(first[0], second[1]);
	close(first[0]);
	close(second[1]);
	for (ssize_t n; (n = read(second[0], bytes, BYTES)) > 0; all += n)
		printf("%zd ", n);
	printf("\n%ld\n", all);
	must(all == 2 * BYTES + 100000 && wait(NULL) > 0 && wait(NULL) > 0);
	must(unlink("big") == 0);
	return 0;
}
