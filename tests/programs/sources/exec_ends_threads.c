/* A process that executes while its threads wait in read goes on as one thread with the process's
 * id, whether the main thread executes or another one does. */
#include <dirent.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define THREADS 3

static sem_t ready;
static int never[2];

static void *block(void *unused)
{
	char byte;

	sem_post(&ready);
	must(read(never[0], &byte, 1) == 1);
	return unused;
}

static void *execute(void *unused)
{
	printf("thread %ld of %d executes\n", syscall(SYS_gettid), getpid());
	execl("/proc/self/exe", "exec_ends_threads", "after", NULL);
	_exit(127);
	return unused;
}

static void go(int from_main_thread)
{
	pthread_t thread;

	must(pipe(never) == 0);
	sem_init(&ready, 0, 0);
	for (int i = 0; i < THREADS; i++) {
		must(pthread_create(&thread, NULL, block, NULL) == 0);
		sem_wait(&ready);
	}
	if (from_main_thread)
		execute(NULL);
	must(pthread_create(&thread, NULL, execute, NULL) == 0);
	pthread_join(thread, NULL);
}

static int threads_now(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int count = 0;

	for (struct dirent *entry; (entry = readdir(tasks));)
		count += entry->d_name[0] != '.';
	closedir(tasks);
	return count;
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		printf("thread %ld of %d goes on, threads: %d\n", syscall(SYS_gettid), getpid(),
			threads_now());
		return 5;
	}
	for (int from_main_thread = 1; from_main_thread >= 0; from_main_thread--) {
		pid_t child = fork();
		int status;

		if (child == 0)
			go(from_main_thread);
		must(waitpid(child, &status, 0) == child);
		printf("child %d: status %d\n", child, WEXITSTATUS(status));
	}
	return 0;
}
