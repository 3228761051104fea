/* repeat N COMMAND [ARG...]: fork, exec and wait, N times over; ends with the last bad status. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int status, worst = 0;
	if (argc < 3) {
		fprintf(stderr, "usage: repeat N COMMAND [ARG...]\n");
		return 2;
	}
	for (long i = atol(argv[1]); i > 0; i--) {
		pid_t child = fork();
		if (child == 0) {
			execvp(argv[2], argv + 2);
			_exit(127);
		}
		if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
			worst = 1;
	}
	return worst;
}
