/* A program that closes everything it can name closes only its own descriptors, and goes on. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* Lists /proc/self/fd without the descriptor that lists it. */
static void list(const char *when)
{
	DIR *directory = opendir("/proc/self/fd");
	must(directory);
	int count = 0, highest = -1;
	for (struct dirent *entry; (entry = readdir(directory));) {
		int fd = atoi(entry->d_name);
		if (entry->d_name[0] == '.' || fd == dirfd(directory))
			continue;
		count++;
		if (fd > highest)
			highest = fd;
	}
	closedir(directory);
	printf("%s: %d open, highest %d\n", when, count, highest);
}

static void still_alive(const char *when)
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		execl("/bin/sh", "sh", "-c", "true | true; exit 5", NULL);
		_exit(1);
	}
	must(waitpid(child, &status, 0) == child);
	expect(when, WEXITSTATUS(status), 5);
}

static int closed_by_loop(int end)
{
	int closed = 0;
	for (int fd = 3; fd < end; fd++)
		closed += close(fd) == 0;
	return closed;
}

int main(void)
{
	struct rlimit limit;
	list("at the start");
	expect("close of 3 to 70000", closed_by_loop(70000), 0);
	still_alive("fork and exec after it");
	must(open("/dev/null", O_RDONLY) == 3 && open("/dev/null", O_RDONLY) == 4);
	list("two opened");
	expect("close of 3 to 70000", closed_by_loop(70000), 2);
	must(syscall(SYS_close_range, 3, ~0u, 0) == 0);
	closefrom(3);
	still_alive("fork and exec after close_range");
	list("after close_range");
	must(open("/dev/null", O_RDONLY) == 3);
	must(syscall(SYS_close_range, 3, ~0u, 4 /* CLOSE_RANGE_CLOEXEC */) == 0);
	still_alive("fork and exec after CLOSE_RANGE_CLOEXEC");
	close(3);

	must(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	rlim_t soft = limit.rlim_cur;
	expect_errno("dup2 to the limit", dup2(1, (int)soft), EBADF);
	expect_errno("fcntl F_DUPFD at the limit", fcntl(1, F_DUPFD, (int)soft), EINVAL);
	expect("dup2 below the limit", dup2(1, (int)soft - 1), (int)soft - 1);
	close((int)soft - 1);
	for (int fd = 3; fd < (int)soft; fd++)
		if (dup(1) != fd)
			expect("lowest free descriptor", -1, fd);
	expect_errno("one more", dup(1), EMFILE);
	expect("closed again", closed_by_loop(70000), (int)soft - 3);
	expect_errno("dup of 2000", dup(2000), EBADF);
	expect_errno("fcntl of 2002", fcntl(2002, F_GETFD), EBADF);
	void *arena = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 2000, 0);
	expect_errno("mmap of 2000", arena == MAP_FAILED ? -1 : 0, EBADF);
	still_alive("at the end");
	return verdict();
}
