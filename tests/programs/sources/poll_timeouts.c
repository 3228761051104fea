/* poll over two pipes and three processes, with a timeout of zero, a positive and a negative one:
 * what is ready when depends on logical time alone. */
#include <poll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Writes its pid when so much time has passed, and hangs up half a second later. */
static void writer(int pipes[2][2], int mine, int milliseconds)
{
	if (fork() != 0)
		return;
	for (int i = 0; i < 2; i++) {
		close(pipes[i][0]);
		if (i != mine)
			close(pipes[i][1]);
	}
	usleep((useconds_t)milliseconds * 1000);
	dprintf(pipes[mine][1], "%d", getpid());
	usleep(500000);
	_exit(0);
}

static void look(struct pollfd polled[2], int timeout)
{
	double start = seconds();
	int ready = poll(polled, 2, timeout);

	printf("timeout %d: %d ready after about %.1f s\n", timeout, ready, seconds() - start);
	for (int i = 0; i < 2; i++) {
		char text[100];

		if (!polled[i].revents || polled[i].fd < 0)
			continue;
		ssize_t n = read(polled[i].fd, text, sizeof(text));

		printf("  pipe %d:%s%s: %zd bytes %.*s\n", i,
			polled[i].revents & POLLIN ? " in" : "",
			polled[i].revents & POLLHUP ? " hung up" : "", n, (int)n, text);
		if (n == 0)
			polled[i].fd = -1;
	}
}

int main(void)
{
	int pipes[2][2];

	must(pipe(pipes[0]) == 0 && pipe(pipes[1]) == 0);
	struct pollfd polled[2] = { { pipes[0][0], POLLIN, 0 }, { pipes[1][0], POLLIN, 0 } };

	printf("process %d\n", getpid());
	look(polled, 0);
	look(polled, 200);
	writer(pipes, 0, 1000);
	writer(pipes, 1, 3000);
	close(pipes[0][1]);
	close(pipes[1][1]);
	look(polled, 500);
	look(polled, 5000);
	must(wait(NULL) > 0);
	look(polled, 0);
	look(polled, -1);
	must(wait(NULL) > 0);
	look(polled, -1);
	look(polled, 100);
	return 0;
}
