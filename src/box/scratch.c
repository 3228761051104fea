#include "box/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
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
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			remove_tree(fd, entry->d_name);
	if (dir)
		closedir(dir);
	unlinkat(parent, name, AT_REMOVEDIR);
}

/* An empty string when it fails. */
static void make_directory(const char *place, char path[PATH_MAX])
{
	char name[PATH_MAX];

	path[0] = '\0';
	snprintf(name, sizeof(name), "%s/stet-XXXXXX", place);
	if (mkdtemp(name) && !realpath(name, path)) {
		rmdir(name);
		path[0] = '\0';
	}
}

/*
 * Makes the directory, tells its name, and removes it when the other end is closed: at no moment is
 * there a directory without somebody who will remove it. In a session of its own, so that no
 * terminal's signal reaches this process.
 */
static _Noreturn void clean(const char *place, int socket)
{
	char path[PATH_MAX], byte;
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	if (dup2(socket, 0) < 0)
		_exit(1);
	close_range(1, ~0u, 0);
	make_directory(place, path);
	(void)!send(0, path, strlen(path) + 1, MSG_NOSIGNAL);
	while (recv(0, &byte, 1, 0) < 0 && errno == EINTR)
		;
	if (path[0])
		remove_tree(AT_FDCWD, path);
	_exit(0);
}

static const char *usual_place(void)
{
	const char *place = getenv("TMPDIR");

	return place && *place ? place : "/var/tmp";
}

int scratch_make(struct scratch *scratch, const char *place, struct error *err)
{
	char path[PATH_MAX] = "";
	int ends[2];

	if (!place)
		place = usual_place();
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return error_set(err, errno, "cannot make a pair of sockets");
	scratch->guard = ends[0];
	scratch->cleaner = fork();
	if (scratch->cleaner == 0) {
		close(ends[0]);
		clean(place, ends[1]);
	}
	close(ends[1]);
	if (scratch->cleaner < 0)
		return error_set(err, errno, "cannot start a process");
	if (recv(scratch->guard, path, sizeof(path), 0) <= 1)
		return error_set(err, 0,
			"cannot make a temporary directory in %s; set TMPDIR to a place for it",
			place);
	scratch->path = strdup(path);
	return scratch->path ? 0 : error_set(err, ENOMEM, "cannot name the private layer");
}

void scratch_remove(struct scratch *scratch)
{
	if (scratch->guard >= 0)
		close(scratch->guard);
	while (scratch->cleaner > 0 && waitpid(scratch->cleaner, NULL, 0) < 0 && errno == EINTR)
		;
	free(scratch->path);
}
