/* Threads that are named as a Java machine's compilers: the first one has done its work when who
 * woke it goes on, and the second one, that has endless work, leaves most of the time to the
 * others, but not all of it, and not in the midst of a piece of work.
 * shows: ^first: done at once 100 times of 100$
 * shows: ^second: its share is neither nothing nor most$
 * shows: ^second: kept in the midst 0 times$ */
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#include "race.h"

#define JOBS   100
#define LOOKS  100000
#define PIECES 20 /* calls in a piece of work */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int wanted;
static volatile int done, made, in_the_midst, over;

static void look(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
}

static void *first(void *unused)
{
	prctl(PR_SET_NAME, "C1 CompilerThread0");
	pthread_mutex_lock(&lock);
	while (done < JOBS) {
		while (wanted == done)
			pthread_cond_wait(&changed, &lock);
		done++;
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	prctl(PR_SET_NAME, "C2 CompilerThread0");
	while (!over) {
		in_the_midst = 1;
		for (int i = 0; i < PIECES; i++)
			syscall(SYS_gettid);
		in_the_midst = 0;
		made++;
		look();
	}
	return unused;
}

static pthread_t start(void *(*run)(void *))
{
	pthread_t thread;

	pthread_create(&thread, NULL, run, NULL);
	usleep(1000);
	return thread;
}

static void ask_first(void)
{
	pthread_t thread = start(first);
	int at_once = 0;

	for (int i = 1; i <= JOBS; i++) {
		pthread_mutex_lock(&lock);
		wanted = i;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
		at_once += done == i;
		while (done < i)
			usleep(100);
	}
	pthread_join(thread, NULL);
	printf("first: done at once %d times of %d\n", at_once, JOBS);
}

static void live_beside_second(void)
{
	pthread_t thread = start(second);
	int before = made, kept = 0, calls;

	for (int i = 0; i < LOOKS; i++) {
		look();
		kept += in_the_midst;
	}
	calls = (made - before) * (PIECES + 1);
	over = 1;
	pthread_join(thread, NULL);
	printf("second: its share is %s\n",
		calls > LOOKS / 100 && calls < LOOKS / 2 ? "neither nothing nor most" : "wrong");
	printf("second: kept in the midst %d times\n", kept);
	printf("second: %d pieces beside %d looks\n", made, LOOKS);
}

int main(void)
{
	ask_first();
	live_beside_second();
	return 0;
}
