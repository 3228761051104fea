/* Low resource limits hurt the program as they do natively, and nothing else. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void limit(int resource, rlim_t value)
{
	struct rlimit now;
	must(getrlimit(resource, &now) == 0);
	now.rlim_cur = value;
	must(setrlimit(resource, &now) == 0);
}

static int in_child(int (*life)(void))
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0)
		_exit(life());
	must(waitpid(child, &status, 0) == child);
	return status;
}

static int three_descriptors(void)
{
	limit(RLIMIT_NOFILE, 3);
	expect_errno("open with 3 descriptors", open("/dev/null", O_RDONLY), EMFILE);
	close(0);
	expect("open after a close", open("/dev/null", O_RDONLY), 0);
	close(0); /* the loader needs one to map the C library */
	execl("/bin/sh", "sh", "-c", "exit 4", NULL);
	return 1;
}

static int hard_three_descriptors(void)
{
	struct rlimit three = { 3, 3 };
	must(setrlimit(RLIMIT_NOFILE, &three) == 0);
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	must(waitpid(child, NULL, 0) == child);
	return 4;
}

static int little_memory(void)
{
	limit(RLIMIT_AS, 64 << 20);
	expect_true("malloc of 256 MiB with 64", malloc(256 << 20) == NULL);
	void *much = mmap(NULL, 256 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect_errno("mmap of 256 MiB", much == MAP_FAILED ? -1 : 0, ENOMEM);
	void *some = malloc(8 << 20);
	expect_true("malloc of 8 MiB", some != NULL);
	pid_t child = fork();
	if (child == 0) {
		execl("/bin/sh", "sh", "-c", "exit 4", NULL);
		_exit(1);
	}
	int status;
	must(waitpid(child, &status, 0) == child);
	return WEXITSTATUS(status);
}

static int small_files(void)
{
	static char block[8192];
	limit(RLIMIT_FSIZE, 4096);
	int file = open("limited", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	must(file >= 0 && unlink("limited") == 0);
	expect("write up to the limit", write(file, block, sizeof(block)), 4096);
	(void)!write(file, block, 1);
	return 1;
}

static int little_time(void)
{
	limit(RLIMIT_CPU, 1);
	for (volatile long i = 0;; i++)
		;
	return 1;
}

static int small_stack(void)
{
	limit(RLIMIT_STACK, 256 << 10);
	execl("/bin/sh", "sh", "-c", "exit 4", NULL);
	return 1;
}

static void check_inheritance(void)
{
	struct rlimit now;
	must(getrlimit(RLIMIT_NOFILE, &now) == 0);
	expect("soft limit on descriptors", (long)now.rlim_cur, 1024);
	now.rlim_cur = 64;
	must(setrlimit(RLIMIT_NOFILE, &now) == 0);
	int status = system("test $(ulimit -n) = 64");
	expect("inherited by a shell", status, 0);
	now.rlim_cur = 1024;
	must(setrlimit(RLIMIT_NOFILE, &now) == 0);
}

int main(void)
{
	expect("3 descriptors: exit", WEXITSTATUS(in_child(three_descriptors)), 4);
	expect("3 descriptors, hard: exit", WEXITSTATUS(in_child(hard_three_descriptors)), 4);
	expect("64 MiB: exit", WEXITSTATUS(in_child(little_memory)), 4);
	expect("small files: killed by", WTERMSIG(in_child(small_files)), SIGXFSZ);
	expect("1 s of processor time: killed by", WTERMSIG(in_child(little_time)), SIGXCPU);
	expect("small stack: exit", WEXITSTATUS(in_child(small_stack)), 4);
	check_inheritance();
	return verdict();
}
