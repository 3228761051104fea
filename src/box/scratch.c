#include "box/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/cleanup.h"

static void remove_tree(int parent, const char *name)
{
	struct dirent *entry;
	DIR *dir;
	int fd;

	if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
		return;
	/* Overlays leave directories behind that even their owner may not enter. */
	fchmodat(parent, name, 0700, 0);
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			remove_tree(fd, entry->d_name);
	if (dir)
		closedir(dir);
	unlinkat(parent, name, AT_REMOVEDIR);
}

/* In a session of its own, so that no terminal's signal reaches it. */
static _Noreturn void wait_and_remove(int watched, const char *path)
{
	sigset_t all;
	char byte;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	if (dup2(watched, 0) < 0)
		_exit(1);
	close_range(1, ~0u, 0);
	while (read(0, &byte, 1) < 0 && errno == EINTR)
		;
	remove_tree(AT_FDCWD, path);
	_exit(0);
}

static char *make_directory(void)
{
	const char *base = getenv("TMPDIR");
	cleanup_free char *path = NULL;

	if (asprintf(&path, "%s/stet-XXXXXX", base && *base ? base : "/var/tmp") < 0)
		return NULL;
	return mkdtemp(path) ? realpath(path, NULL) : NULL;
}

int scratch_make(struct scratch *scratch, struct error *err)
{
	int ends[2];

	scratch->path = make_directory();
	if (!scratch->path)
		return error_set(err, errno,
			"cannot make a directory for the private layer; set TMPDIR to a place for "
			"it");
	if (pipe2(ends, O_CLOEXEC) || (scratch->cleaner = fork()) < 0) {
		rmdir(scratch->path);
		return error_set(err, errno, "cannot start a process");
	}
	if (scratch->cleaner == 0) {
		close(ends[1]);
		wait_and_remove(ends[0], scratch->path);
	}
	close(ends[0]);
	scratch->guard = ends[1];
	return 0;
}

void scratch_remove(struct scratch *scratch)
{
	if (!scratch->path)
		return;
	if (scratch->cleaner > 0) {
		close(scratch->guard);
		while (waitpid(scratch->cleaner, NULL, 0) < 0 && errno == EINTR)
			;
	}
	free(scratch->path);
}
