/* tsan race|none: two threads, with or without a race. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int counter;
static int racing;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused)
{
	for (int i = 0; i < 1000; i++) {
		if (!racing)
			pthread_mutex_lock(&mutex);
		counter++;
		if (!racing)
			pthread_mutex_unlock(&mutex);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t one, two;
	racing = argc > 1 && strcmp(argv[1], "race") == 0;
	pthread_create(&one, NULL, count, NULL);
	pthread_create(&two, NULL, count, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	if (!racing)
		printf("counter: %d\n", counter);
	return 0;
}
