/*
 * Processes that do at random what processes do to each other: births, programs, ends, waits and
 * polls for them, signals with handlers, timers, sleeps, pipes, selects, files that several have
 * open, locks, kills. The seed says what each does; each tells what it saw, and when. An argument
 * is the seed, or else there are a few.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "clock.h"
#include "race.h"

#define SEEDS  4
#define JOBS   5
#define STEPS  30
#define DEPTH  2
#define SHARED 10 /* a file */
#define PIPE   11 /* and its other end */

static unsigned long state;
static char told[4096], name[32];
static size_t used;
static const char *program;
static volatile sig_atomic_t children, alarms, users;

static unsigned long random_below(unsigned long limit)
{
	state = state * 6364136223846793005ul + 1442695040888963407ul;
	return (state >> 33) % limit;
}

/* One write at the end tells all: what others do in between must not depend on it. */
static void tell(const char *what, long value)
{
	used += (size_t)snprintf(told + used, sizeof(told) - used, "%s %s %ld at %ld\n", name, what,
		value, clock_us());
	must(used < sizeof(told));
}

static void take_signal(int signal)
{
	children += signal == SIGCHLD;
	alarms += signal == SIGALRM;
	users += signal == SIGUSR1;
}

static void take_signals(void)
{
	struct sigaction action = { .sa_handler = take_signal };

	for (int signal = 1; signal < 32; signal++)
		if (signal == SIGCHLD || signal == SIGALRM || signal == SIGUSR1)
			must(sigaction(signal, &action, NULL) == 0);
}

static void use_files(void)
{
	char path[64];
	struct stat status;
	DIR *directory;
	int fd;

	snprintf(path, sizeof(path), "%s.%lu", name, random_below(3));
	switch (random_below(6)) {
	case 0:
		fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
		must(fd >= 0 && write(fd, path, random_below(40)) >= 0 && close(fd) == 0);
		break;
	case 1:
		tell("unlink", unlink(path));
		break;
	case 2:
		tell("stat", stat(path, &status) ? -1 : status.st_mtim.tv_nsec / 1000);
		break;
	case 3:
		tell("write", write(SHARED, "x", 1));
		break;
	case 4:
		must(fstat(SHARED, &status) == 0);
		tell("shared", status.st_size);
		break;
	default:
		directory = opendir("/etc");
		must(directory && readdir(directory) && closedir(directory) == 0);
	}
}

static void use_pipe(void)
{
	struct timeval limit = { 0, (long)random_below(3000) };
	char bytes[8];
	fd_set set;

	if (random_below(2)) {
		tell("put", write(PIPE + 1, "abcdefgh", 1 + random_below(8)));
		return;
	}
	FD_ZERO(&set);
	FD_SET(PIPE, &set);
	if (select(PIPE + 1, &set, NULL, NULL, &limit) == 1)
		tell("got", read(PIPE, bytes, sizeof(bytes)));
	else
		tell("nothing", errno == EINTR ? 1 : 0);
}

static void use_time(void)
{
	struct itimerval timer = { { 0, 0 }, { 0, (long)(1 + random_below(4000)) } };

	switch (random_below(4)) {
	case 0:
		must(setitimer(ITIMER_REAL, &timer, NULL) == 0);
		break;
	case 1:
		tell("slept", usleep((useconds_t)random_below(3000)));
		break;
	case 2:
		pass_us((long)random_below(1500));
		break;
	default:
		compute((long)random_below(300000));
	}
}

static void take_lock(void)
{
	int fd = open("lock", O_RDWR | O_CREAT, 0600), r;

	must(fd >= 0);
	do
		r = flock(fd, LOCK_EX);
	while (r && errno == EINTR);
	tell("locked", r);
	pass_us((long)random_below(500));
	close(fd);
}

static void work(int depth, int steps);

static void begin_job(int depth, int number)
{
	char text[2][16], *arguments[] = { (char *)program, name, text[0], text[1], NULL };
	size_t end = strlen(name);

	snprintf(name + end, sizeof(name) - end, ".%d", number);
	state ^= (unsigned long)number * 0x9e3779b97f4a7c15ul;
	used = 0;
	children = alarms = users = 0;
	if (random_below(3) == 0) {
		snprintf(text[0], sizeof(text[0]), "%lu", random_below(1000000));
		snprintf(text[1], sizeof(text[1]), "%d", depth);
		execv(program, arguments);
	}
	work(depth, STEPS / 2);
}

static int reap(pid_t *jobs, int *count, int options)
{
	struct rusage usage;
	int status;
	pid_t pid = wait4(-1, &status, options, &usage);

	if (pid <= 0) {
		tell("no end", pid ? errno : 0);
		return 0;
	}
	for (int i = 0; i < *count; i++)
		if (jobs[i] == pid) {
			tell("end of", i);
			jobs[i] = 0;
		}
	tell("status", status);
	tell("used", usage.ru_utime.tv_usec);
	return 1;
}

static void use_jobs(int depth, pid_t *jobs, int *count)
{
	unsigned long which = *count ? random_below((unsigned long)*count) : 0;

	if (depth > 0 && *count < JOBS && random_below(2)) {
		pid_t job = fork();

		must(job >= 0);
		if (job == 0)
			begin_job(depth - 1, *count);
		jobs[(*count)++] = job;
	} else if (*count && jobs[which] && random_below(3) == 0) {
		tell("kill", kill(jobs[which], random_below(2) ? SIGUSR1 : SIGKILL));
	} else if (*count) {
		reap(jobs, count, WNOHANG);
	}
}

static void work(int depth, int steps)
{
	pid_t jobs[JOBS];
	int count = 0;

	take_signals();
	for (int i = 0; i < steps; i++) {
		switch (random_below(6)) {
		case 0:
			use_time();
			break;
		case 1:
			use_pipe();
			break;
		case 2:
		case 3:
			use_jobs(depth, jobs, &count);
			break;
		case 4:
			if (random_below(4) == 0)
				take_lock();
			break;
		default:
			use_files();
		}
	}
	while (reap(jobs, &count, 0) || errno == EINTR)
		;
	tell("children", children);
	tell("alarms", alarms);
	tell("users", users);
	must(write(STDOUT_FILENO, told, used) == (ssize_t)used);
	_exit((int)random_below(50));
}

static void run(unsigned long seed)
{
	int ends[2], status;
	pid_t first;

	must(dup2(open("shared", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600), SHARED) == SHARED);
	must(pipe(ends) == 0 && dup2(ends[0], PIPE) == PIPE && dup2(ends[1], PIPE + 1) == PIPE + 1);
	close(ends[0]);
	close(ends[1]);
	first = fork();
	must(first >= 0);
	if (first == 0) {
		state = seed;
		snprintf(name, sizeof(name), "%lu", seed);
		work(DEPTH, STEPS);
	}
	must(waitpid(first, &status, 0) == first && WIFEXITED(status));
	printf("%lu: status %d, at %ld\n", seed, WEXITSTATUS(status), clock_us());
	fflush(stdout);
}

int main(int argc, char **argv)
{
	char directory[] = "/tmp/random_jobs.XXXXXX";

	program = realpath(argv[0], NULL);
	must(program);
	if (argc == 4) {
		snprintf(name, sizeof(name), "%s", argv[1]);
		state = strtoul(argv[2], NULL, 10);
		work(atoi(argv[3]), STEPS / 2);
	}
	must(mkdtemp(directory) && chdir(directory) == 0);
	for (unsigned long seed = 1; seed <= SEEDS && argc < 2; seed++)
		run(seed);
	if (argc == 2)
		run(strtoul(argv[1], NULL, 10));
	return 0;
}
