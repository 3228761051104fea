/* What the programs of this folder share: threads and processes that start together, and work that
 * takes a while of real time. */
#ifndef STET_TESTS_RACE_H
#define STET_TESTS_RACE_H

#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define MEMBERS_MAX 16

/* Without any call. */
__attribute__((unused)) static void compute(long rounds)
{
	for (volatile long i = 0; i < rounds; i++)
		;
}

/* Calls work(0), work(1), ... in threads, and joins them. */
__attribute__((unused)) static void in_threads(long count, void *(*work)(void *))
{
	pthread_t threads[MEMBERS_MAX];

	for (long i = 0; i < count; i++)
		must(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	for (long i = 0; i < count; i++)
		must(pthread_join(threads[i], NULL) == 0);
}

/* The same in processes, which must all succeed. */
__attribute__((unused)) static void start_processes(long count, void *(*work)(void *))
{
	for (long i = 0; i < count; i++) {
		pid_t child = fork();

		must(child >= 0);
		if (child == 0) {
			work((void *)i);
			_exit(0);
		}
	}
}

__attribute__((unused)) static void end_processes(long count)
{
	for (long i = 0; i < count; i++) {
		int status;

		must(wait(&status) > 0 && status == 0);
	}
}

__attribute__((unused)) static void in_processes(long count, void *(*work)(void *))
{
	start_processes(count, work);
	end_processes(count);
}

/* Memory that children share. */
__attribute__((unused)) static void *shared_memory(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	must(memory != MAP_FAILED);
	return memory;
}

#endif
