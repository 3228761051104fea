/* Futexes between threads and processes: waits, wakes, time limits, requeues, robust and PI
 * mutexes. */
#include <linux/futex.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

struct shared {
	int word, other, turns;
	pthread_mutex_t mutex;
};

static struct shared *shared;

static long futex(int *word, int operation, int value, const void *limit, int *second, int third)
{
	return syscall(SYS_futex, word, operation, value, limit, second, third);
}

static void check_simple(void)
{
	struct timespec short_time = { 0, 20000000 };
	shared->word = 1;
	expect_errno("wait for another value", futex(&shared->word, FUTEX_WAIT, 0, NULL, NULL, 0),
		EAGAIN);
	expect_errno("wait in vain", futex(&shared->word, FUTEX_WAIT, 1, &short_time, NULL, 0),
		ETIMEDOUT);
	expect("wake nobody", futex(&shared->word, FUTEX_WAKE, 1, NULL, NULL, 0), 0);
	expect_errno("an odd address",
		futex((int *)((char *)&shared->word + 1), FUTEX_WAIT, 0, NULL, NULL, 0), EINVAL);
}

/* 10000 hand-overs between two processes. */
static void check_ping_pong(void)
{
	int status;
	shared->word = 0;
	pid_t child = fork();
	for (int i = 0; i < 5000; i++) {
		int mine = child == 0 ? 1 : 0;
		while (__atomic_load_n(&shared->word, __ATOMIC_SEQ_CST) != mine)
			futex(&shared->word, FUTEX_WAIT, !mine, NULL, NULL, 0);
		shared->turns++;
		__atomic_store_n(&shared->word, !mine, __ATOMIC_SEQ_CST);
		futex(&shared->word, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
	if (child == 0)
		_exit(0);
	must(waitpid(child, &status, 0) == child);
	expect("turns of two processes", shared->turns, 10000);
}

static void check_requeue(void)
{
	int status;
	shared->word = shared->other = 0;
	pid_t children[3];
	for (int i = 0; i < 3; i++) {
		children[i] = fork();
		if (children[i] == 0) {
			futex(&shared->word, FUTEX_WAIT, 0, NULL, NULL, 0);
			_exit(0);
		}
	}
	long moved = 0;
	for (int i = 0; i < 1000 && moved < 3; i++) {
		usleep(10000);
		moved +=
			futex(&shared->word, FUTEX_REQUEUE, 0, (void *)(long)10, &shared->other, 0);
	}
	expect("requeued", moved, 3);
	expect("woken there", futex(&shared->other, FUTEX_WAKE, 10, NULL, NULL, 0), 3);
	for (int i = 0; i < 3; i++)
		must(waitpid(children[i], &status, 0) == children[i]);
}

static void check_robust(int protocol)
{
	int status;
	pthread_mutexattr_t kind;
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setprotocol(&kind, protocol);
	must(pthread_mutex_init(&shared->mutex, &kind) == 0);
	pid_t child = fork();
	if (child == 0) {
		pthread_mutex_lock(&shared->mutex);
		_exit(0);
	}
	must(waitpid(child, &status, 0) == child);
	expect("lock after its owner's death", pthread_mutex_lock(&shared->mutex), EOWNERDEAD);
	expect("made consistent", pthread_mutex_consistent(&shared->mutex), 0);
	pthread_mutex_unlock(&shared->mutex);
	expect("lock again", pthread_mutex_lock(&shared->mutex), 0);
	pthread_mutex_unlock(&shared->mutex);
}

int main(void)
{
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must(shared != MAP_FAILED);
	check_simple();
	check_ping_pong();
	check_requeue();
	check_robust(PTHREAD_PRIO_NONE);
	check_robust(PTHREAD_PRIO_INHERIT);
	return verdict();
}
