/* A thread reads a timer's ticks while the main thread starts programs, at all moments between two of
 * them. A vfork's child sees the memory, and not the timer: by what it finds due, the thread must not
 * come to wait for ever. */
#include <pthread.h>
#include <semaphore.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>

#include "race.h"

#define SPAWNS 120
#define PERIOD 10000000

extern char **environ;
static int timer;
static sem_t ticked;

static void *count(void *arg)
{
	uint64_t ticks, total = 0;

	(void)arg;
	while (read(timer, &ticks, sizeof(ticks)) == sizeof(ticks)) {
		total += ticks;
		printf("tick %llu\n", (unsigned long long)total);
		must(sem_post(&ticked) == 0);
	}
	return NULL;
}

static void spawn(void)
{
	char *const command[] = { "true", NULL };
	pid_t pid;

	must(posix_spawnp(&pid, command[0], NULL, NULL, command, environ) == 0);
	must(waitpid(pid, NULL, 0) == pid);
}

int main(void)
{
	const struct itimerspec every = { { 0, PERIOD }, { 0, PERIOD } };
	pthread_t thread;

	setlinebuf(stdout);
	timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	must(timer >= 0 && timerfd_settime(timer, 0, &every, NULL) == 0 &&
		sem_init(&ticked, 0, 0) == 0);
	must(pthread_create(&thread, NULL, count, NULL) == 0);
	for (int i = 0; i < SPAWNS; i++) {
		nanosleep(&(struct timespec){ 0, i * (PERIOD / SPAWNS) }, NULL);
		spawn();
		while (sem_trywait(&ticked) == 0)
			;
		must(sem_wait(&ticked) == 0);
	}
	return 0;
}
