/* A vfork's child has the descriptors that its process had at that moment in logical time, while
 * another thread opens and closes them. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN 40
#define MOST	 60

static atomic_int over;

static void *open_and_close(void *none)
{
	while (!over) {
		int fd = dup(0);

		if (fd < 0 || fd >= MOST)
			for (int i = 10; i < fd; i++)
				close(i);
		if (fd >= MOST)
			close(fd);
	}
	return none;
}

static int count_open(void)
{
	int count = 0;

	for (int fd = 0; fd <= MOST; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

int main(void)
{
	pthread_t thread;
	int status;

	pthread_create(&thread, NULL, open_and_close, NULL);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = vfork();

		if (pid == 0)
			_exit(count_open());
		waitpid(pid, &status, 0);
		printf("%d%c", WEXITSTATUS(status), i % 10 == 9 ? '\n' : ' ');
	}
	over = 1;
	pthread_join(thread, NULL);
	return 0;
}
