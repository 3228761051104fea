#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <poll.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
int main(void)
{
	int fd[2], st;
	if (pipe(fd))
		return 1;
	for (int i = 0; i < 4; i++)
		if (!fork()) {
			close(fd[0]);
			char b[700];
			for (int k = 0; k < 60; k++) {
				int n = 1 + (k * 131 + i * 17) % 690;
				memset(b, 'A' + i, n);
				if (write(fd[1], b, n) < 0)
					_exit(1);
			}
			_exit(0);
		}
	close(fd[1]);
	char buf[4096];
	ssize_t n;
	long reads = 0;
	unsigned h = 5381;
	printf("first reads");
	while ((n = read(fd[0], buf, sizeof buf)) > 0) {
		if (reads < 12)
			printf(" %zd%c", n, buf[0]);
		reads++;
		for (ssize_t i = 0; i < n; i++)
			h = h * 33 + buf[i];
	}
	printf("\nreads %ld hash %08x\n", reads, h);
	while (wait(&st) > 0)
		;
	struct pollfd p[5];
	for (int i = 0; i < 5; i++) {
		int q[2];
		if (pipe(q))
			return 1;
		if (!fork()) {
			volatile long x = 0;
			for (int k = 0; k < 400000; k++)
				x += k * i;
			if (write(q[1], "x", 1) < 0)
				_exit(1);
			_exit(0);
		}
		close(q[1]);
		p[i].fd = q[0];
		p[i].events = POLLIN;
	}
	printf("ready");
	for (int left = 5; left;) {
		int r = poll(p, 5, 1000);
		if (r <= 0)
			break;
		printf(" (%d)", r);
		for (int i = 0; i < 5; i++)
			if (p[i].fd >= 0 && p[i].revents) {
				printf(" %d", i);
				p[i].fd = -1;
				left--;
			}
	}
	puts("");
	while (wait(&st) > 0)
		;
	int z[2];
	if (pipe2(z, O_NONBLOCK))
		return 1;
	long w = 0;
	while (write(z[1], buf, 1000) > 0)
		w++;
	printf("pipe capacity writes %ld\n", w);
	return 0;
}
