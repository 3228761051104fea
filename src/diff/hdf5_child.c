#include "diff/hdf5_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/write_all.h"
#include "diff/hdf5_walk.h"

#define SECONDS_MOST 600
#define MEMORY_MOST  (2ull << 30) /* beyond what this process has already */

/* What is mapped now counts, as the child has it, too. */
static rlim_t mapped_now(void)
{
	cleanup_file FILE *file = fopen("/proc/self/statm", "re");
	unsigned long long pages = 0;

	if (!file || fscanf(file, "%llu", &pages) != 1)
		return 0;
	return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static int set_limits(void)
{
	rlim_t memory = mapped_now() + MEMORY_MOST;
	const struct {
		int what;
		struct rlimit limit;
	} limits[] = {
		{ RLIMIT_CPU, { SECONDS_MOST, SECONDS_MOST } },
		{ RLIMIT_AS, { memory, memory } },
		{ RLIMIT_CORE, { 0, 0 } },
		{ RLIMIT_FSIZE, { 0, 0 } },
	};

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (setrlimit((__rlimit_resource_t)limits[i].what, &limits[i].limit))
			return -1;
	return 0;
}

/* Handlers are for faults of the process that has the files mapped, not of this one. */
static void reset_signals(void)
{
	static const int signals[] = { SIGBUS, SIGSEGV, SIGINT, SIGTERM, SIGHUP, SIGPIPE };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL);
}

/* Standard error is the library's when it fails an assertion, and nobody's. */
static void read_file(int fd, int to, pid_t parent)
{
	FILE *out = fdopen(to, "w");
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

	reset_signals();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || !out || nowhere < 0 || dup2(nowhere, STDERR_FILENO) < 0 ||
		set_limits() || setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1) ||
		setenv("HDF5_PLUGIN_PRELOAD", "::", 1))
		_exit(1);
	_exit(hdf5_walk(fd, out) ? 1 : 0);
}

static int copy_file(const struct blob *file, const struct budget *budget, struct error *err)
{
	int fd;

	if (file->size > budget->left)
		return error_set(err, 0, "more would be unpacked than --memory-limit allows");
	fd = blob_scratch_file();
	if (fd >= 0 && write_all(fd, file->data, file->size) == 0)
		return fd;
	error_set(err, errno, "cannot copy %s for libhdf5", file->name ? file->name : "a file");
	if (fd >= 0)
		close(fd);
	return -1;
}

static int start(struct hdf5_child *child, int fd, struct error *err)
{
	pid_t parent = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return error_set(err, errno, "cannot start a reader of HDF5");
	child->pid = fork();
	if (child->pid == 0)
		read_file(fd, ends[1], parent);
	close(ends[1]);
	child->records = child->pid < 0 ? NULL : fdopen(ends[0], "r");
	if (child->records)
		return 0;
	error_set(err, errno, "cannot start a reader of HDF5");
	close(ends[0]);
	hdf5_child_end(child);
	return -1;
}

int hdf5_child_start(
	struct hdf5_child *child, const struct blob *file, struct budget *budget, struct error *err)
{
	cleanup_close int fd = copy_file(file, budget, err);

	*child = (struct hdf5_child){ .pid = -1 };
	if (fd >= 0)
		return start(child, fd, err);
	budget->exceeded |= file->size > budget->left;
	return -1;
}

void hdf5_child_end(struct hdf5_child *child)
{
	if (child->records)
		fclose(child->records);
	if (child->pid > 0) {
		kill(child->pid, SIGKILL);
		while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	*child = (struct hdf5_child){ .pid = -1 };
}
