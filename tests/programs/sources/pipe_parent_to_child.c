/* A hundred bytes that a parent writes arrive at its child whole, however late either of them
 * comes. */
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static int child(int from)
{
	unsigned char got[200];
	ssize_t n = read(from, got, sizeof(got));
	unsigned int sum = 0;

	for (ssize_t i = 0; i < n; i++)
		sum += got[i];
	printf("child %d: %zd bytes, sum %u, then %zd\n", getpid(), n, sum,
		read(from, got, sizeof(got)));
	return 0;
}

int main(void)
{
	unsigned char bytes[100];
	int ends[2];

	for (int i = 0; i < 100; i++)
		bytes[i] = (unsigned char)i;
	must(pipe(ends) == 0);
	pid_t pid = fork();

	if (pid == 0) {
		close(ends[1]);
		_exit(child(ends[0]));
	}
	close(ends[0]);
	must(write(ends[1], bytes, sizeof(bytes)) == sizeof(bytes));
	close(ends[1]);
	must(waitpid(pid, NULL, 0) == pid);
	printf("parent %d: done\n", getpid());
	return 0;
}
