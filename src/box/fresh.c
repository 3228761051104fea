#include "box/fresh.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "arena/layout.h"
#include "base/cleanup.h"
#include "box/copy.h"
#include "box/foreign.h"

static const struct {
	const char *path;
	mode_t mode;
} directories[] = { { "/run", 0755 }, { "/tmp", 01777 }, { "/var/tmp", 01777 } };

/* A function of the seed from which the seed cannot be told. */
static uint64_t digest(const uint8_t seed[32], uint64_t hash)
{
	for (int i = 0; i < 32; i++)
		hash = (hash ^ seed[i]) * 0x100000001b3;
	hash ^= hash >> 32;
	hash *= 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

static void write_machine_id(const struct box_config *config, char text[FRESH_TEXT])
{
	const uint8_t *seed = config->machine.seed;

	snprintf(text, FRESH_TEXT, "%016llx%016llx\n",
		(unsigned long long)digest(seed, 0xcbf29ce484222325),
		(unsigned long long)digest(seed, 0x84222325cbf29ce4));
}

static void write_hostname(const struct box_config *config, char text[FRESH_TEXT])
{
	snprintf(text, FRESH_TEXT, "%s\n", config->hostname);
}

static void write_hosts(const struct box_config *config, char text[FRESH_TEXT])
{
	snprintf(text, FRESH_TEXT,
		"127.0.0.1\tlocalhost %s\n::1\tlocalhost ip6-localhost ip6-loopback\n",
		config->hostname);
}

static void write_resolver(const struct box_config *config, char text[FRESH_TEXT])
{
	(void)config;
	snprintf(text, FRESH_TEXT, "# There is no network.\n");
}

static const struct file {
	const char *path;
	void (*write)(const struct box_config *config, char text[FRESH_TEXT]);
	bool always;   /* also when the host has none */
	bool in_image; /* also when an image has none: who runs images adds it */
} files[] = {
	{ "/etc/hostname", write_hostname, true, true },
	{ "/etc/hosts", write_hosts, true, true },
	{ "/etc/machine-id", write_machine_id, true, false },
	{ "/etc/resolv.conf", write_resolver, true, true },
	{ "/var/lib/dbus/machine-id", write_machine_id, false, false },
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool wanted(const struct stage *stage)
{
	return !(stage->config->relax & RELAX_PROC);
}

bool fresh_directory(const struct stage *stage, const char *inside, mode_t *mode)
{
	for (size_t i = 0; wanted(stage) && i < COUNT(directories); i++) {
		if (strcmp(directories[i].path, inside) == 0) {
			*mode = directories[i].mode;
			return true;
		}
	}
	return false;
}

/* Locks have a place in /run that everybody can write to. */
static int make_locks(const char *run)
{
	char path[STAGE_PATH];

	snprintf(path, sizeof(path), "%s/lock", run);
	return mkdir(path, 0755) || chmod(path, 01777) ? -1 : 0;
}

static bool record_fresh(struct stage *stage, const char *inside)
{
	struct placed *item = record_add(&stage->record, PLACED_DIRECTORY, inside);

	if (item)
		item->fresh = true;
	return item;
}

int fresh_make(struct stage *stage, const char *inside, const char *target, struct error *err)
{
	mode_t mode = 0755;

	fresh_directory(stage, inside, &mode);
	if (mkdir(target, 0755) || chmod(target, mode) || !record_fresh(stage, inside))
		return error_set(err, errno, "cannot make %s in the container", inside);
	if (strcmp(inside, "/run") != 0)
		return 0;
	if (make_locks(target) || !record_fresh(stage, "/run/lock"))
		return error_set(err, errno, "cannot make /run/lock in the container");
	return 0;
}

mode_t fresh_mode(const char *inside)
{
	for (size_t i = 0; i < COUNT(directories); i++)
		if (strcmp(directories[i].path, inside) == 0)
			return directories[i].mode;
	return 01777; /* what lies in them: /run/lock */
}

bool fresh_text(const struct box_config *config, const char *inside, char text[FRESH_TEXT])
{
	for (size_t i = 0; i < COUNT(files); i++) {
		if (strcmp(files[i].path, inside) != 0)
			continue;
		files[i].write(config, text);
		return true;
	}
	return false;
}

static int write_text(struct stage *stage, const struct file *file, const char *target)
{
	cleanup_close int fd = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	char text[FRESH_TEXT];
	struct placed *item;
	struct stat status;

	file->write(stage->config, text);
	if (fd < 0 || write(fd, text, strlen(text)) < 0 || fstat(fd, &status))
		return -1;
	item = record_add(&stage->record, PLACED_FILE, file->path);
	if (!item)
		return -1;
	item->fresh = true;
	item->inode = status.st_ino;
	item->ctime = status.st_ctim;
	return 0;
}

int fresh_file(struct stage *stage, const char *inside, const char *target, struct error *err)
{
	for (size_t i = 0; wanted(stage) && i < COUNT(files); i++) {
		if (strcmp(files[i].path, inside) != 0)
			continue;
		if (write_text(stage, &files[i], target))
			return error_set(err, errno, "cannot make %s in the container", inside);
		return 1;
	}
	return 0;
}

/* Behind the overlay's path in a longer one, or NULL. */
static const char *below(const char *overlay, const char *path)
{
	size_t length = strlen(overlay);

	return strncmp(path, overlay, length) == 0 && path[length] == '/' ? path + length : NULL;
}

static int put_file(struct stage *stage, const char *overlay, const char *upper,
	const struct file *file, struct error *err)
{
	char host[STAGE_PATH], target[STAGE_PATH], parent[STAGE_PATH];
	const char *rest = below(overlay, file->path);

	snprintf(host, sizeof(host), STAGE_HOST "%s", file->path);
	if (!rest || (!file->always && access(host, F_OK)))
		return 0;
	snprintf(parent, sizeof(parent), "%.*s", (int)(strrchr(file->path, '/') - file->path),
		file->path);
	if (foreign_make(stage, overlay, parent, upper, err))
		return -1;
	snprintf(target, sizeof(target), "%s%s", upper, rest);
	return fresh_file(stage, file->path, target, err) < 0 ? -1 : 0;
}

/* An empty directory that hides the host's. */
static int put_directory(struct stage *stage, const char *overlay, const char *upper,
	const char *path, struct error *err)
{
	const char *rest = below(overlay, path);
	char target[STAGE_PATH];

	if (!rest)
		return 0;
	snprintf(target, sizeof(target), "%s%s", upper, rest);
	if (fresh_make(stage, path, target, err))
		return -1;
	if (setxattr(target, "user.overlay.opaque", "y", 1, 0))
		return error_set(err, errno, "cannot hide the host's %s", path);
	return 0;
}

int fresh_put(struct stage *stage, const char *overlay, const char *upper, struct error *err)
{
	if (!wanted(stage))
		return 0;
	for (size_t i = 0; i < COUNT(files); i++)
		if (put_file(stage, overlay, upper, &files[i], err))
			return -1;
	for (size_t i = 0; i < COUNT(directories); i++)
		if (put_directory(stage, overlay, upper, directories[i].path, err))
			return -1;
	return 0;
}

/* 1: it was added. A layer that is read-only stays as it is. */
static int add_file(struct stage *stage, const struct file *file, struct error *err)
{
	char target[STAGE_PATH];

	snprintf(target, sizeof(target), STAGE_ROOT "%s", file->path);
	if (write_text(stage, file, target) == 0)
		return 1;
	if (errno == EEXIST || errno == EROFS)
		return 0;
	return error_set(err, errno, "cannot make %s in the container", file->path);
}

int fresh_complete(struct stage *stage, struct error *err)
{
	static const char place[] = "/etc", target[] = STAGE_ROOT "/etc";
	struct stat status;
	int added = 0;

	/* What a bundle does not have was not there, or nobody looked at it. */
	if (stage->own_root || stage->config->bundled || !wanted(stage) || lstat(target, &status) ||
		!S_ISDIR(status.st_mode))
		return 0;
	for (size_t i = 0; i < COUNT(files); i++) {
		int done = files[i].in_image ? add_file(stage, &files[i], err) : 0;

		if (done < 0)
			return -1;
		added += done;
	}
	if (added == 0)
		return 0;
	if (!record_add(&stage->record, PLACED_POINT, place))
		return error_set(err, ENOMEM, "cannot make files in %s", place);
	copy_attributes(AT_FDCWD, target, &status);
	return 0;
}
