/* Says what it is told, in ways that need threads, signals, processes and files to work in any
 * libc. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int signals;

static void handler(int number)
{
	(void)number;
	signals++;
}

static void *thread(void *argument)
{
	kill(getpid(), SIGUSR1);
	return (char *)argument + 1;
}

int main(int argc, char **argv)
{
	pthread_t id;
	void *result;
	int status;
	char name[256], *end;
	if (argc > 1)
		return atoi(argv[1]);
	signal(SIGUSR1, handler);
	pthread_create(&id, NULL, thread, (void *)41);
	pthread_join(id, &result);
	printf("thread: %ld\nsignals: %d\n", (long)result, signals);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		execl(argv[0], argv[0], "33", (char *)NULL);
		_exit(1);
	}
	waitpid(child, &status, 0);
	printf("itself: %d\n", WEXITSTATUS(status));
	fflush(stdout);
	printf("shell: %d\n", WEXITSTATUS(system("exit 8")));
	ssize_t length = readlink("/proc/self/exe", name, sizeof(name) - 1);
	name[length > 0 ? length : 0] = 0;
	end = strrchr(name, '/');
	printf("/proc/self/exe: %s\n", end ? end + 1 : "?");
	int comm = open("/proc/self/comm", O_RDONLY);
	length = read(comm, name, sizeof(name) - 1);
	name[length > 0 ? length : 0] = 0;
	printf("/proc/self/comm: %s", name);
	char *heap = malloc(100 << 20);
	memset(heap, 1, 100 << 20);
	printf("heap: %d\n", heap[50 << 20]);
	printf("environment: %s\n", getenv("LANG"));
	return 5;
}
