/* Two threads over a pipe: the reader gets all that the writer wrote, and both are joined. */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../check.h"

static int ends[2];

static void *reader(void *unused)
{
	char bytes[100];
	ssize_t total = 0;

	while (total < (ssize_t)sizeof(bytes)) {
		ssize_t n = read(ends[0], bytes + total, sizeof(bytes) - (size_t)total);

		must(n > 0);
		total += n;
	}
	printf("thread %ld read %zd bytes, the last is %d\n", syscall(SYS_gettid), total,
		bytes[total - 1]);
	return unused;
}

static void *writer(void *unused)
{
	char bytes[100];

	for (int i = 0; i < 100; i++)
		bytes[i] = (char)i;
	printf("thread %ld writes\n", syscall(SYS_gettid));
	must(write(ends[1], bytes, sizeof(bytes)) == sizeof(bytes));
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	must(pipe(ends) == 0);
	must(pthread_create(&threads[0], NULL, reader, NULL) == 0);
	must(pthread_create(&threads[1], NULL, writer, NULL) == 0);
	must(pthread_join(threads[0], NULL) == 0 && pthread_join(threads[1], NULL) == 0);
	printf("process %d: both are over\n", getpid());
	return 0;
}
