/* From names that were looked at to files of the bundle. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/attributes.h"
#include "base/cleanup.h"
#include "base/within.h"
#include "bundle/pack.h"

/* A file with several names: what is known by one is known by all. */
struct group {
	dev_t device;
	ino_t inode;
	size_t first; /* in the index */
	uint32_t kinds;
};

struct gathering {
	struct packing *packing;
	const struct looks *looks;
	struct group *groups;
	size_t group_count;
	struct error *err;
};

static int no_memory(struct gathering *g)
{
	return error_set(g->err, ENOMEM, "cannot pack what the command looked at");
}

static int fail(struct gathering *g, const char *path)
{
	return error_set(g->err, errno, "cannot pack %s", path);
}

/* Without following links, on the way or at the end: they were not there in the run. */
static int open_host(const char *path)
{
	/* A link itself can be named by its directory only. */
	cleanup_free char *copy = strdup(path);
	char *slash = copy ? strrchr(copy, '/') : NULL;
	cleanup_close int parent = -1;

	if (!slash)
		return -1;
	if (!slash[1])
		return open("/", O_PATH | O_CLOEXEC);
	*slash = '\0';
	parent = open_within(AT_FDCWD, slash == copy ? "/" : copy, O_PATH | O_CLOEXEC,
		RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
	return parent < 0 ? -1 : openat(parent, slash + 1, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

static struct group *find_group(struct gathering *g, const struct stat *status)
{
	for (size_t i = 0; i < g->group_count; i++)
		if (g->groups[i].inode == status->st_ino && g->groups[i].device == status->st_dev)
			return &g->groups[i];
	return NULL;
}

/* Files with several names are few, so a list will do. */
static int note_group(
	struct gathering *g, const struct looked *looked, size_t index, const struct stat *status)
{
	struct group *group = find_group(g, status);

	if (!group) {
		group = reallocarray(g->groups, g->group_count + 1, sizeof(*group));
		if (!group)
			return no_memory(g);
		g->groups = group;
		group += g->group_count++;
		*group = (struct group){ status->st_dev, status->st_ino, index, 0 };
	}
	group->kinds |= looked->kinds;
	return 0;
}

static bool has_links(const struct stat *status)
{
	return S_ISREG(status->st_mode) && status->st_nlink > 1;
}

static int take_type(struct gathering *g, struct bundle_file *file, mode_t mode)
{
	static const struct {
		mode_t mode;
		enum bundle_type type;
	} types[] = { { S_IFREG, BUNDLE_FILE }, { S_IFDIR, BUNDLE_DIRECTORY },
		{ S_IFLNK, BUNDLE_LINK }, { S_IFIFO, BUNDLE_FIFO }, { S_IFSOCK, BUNDLE_SOCKET } };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if ((mode & S_IFMT) != types[i].mode)
			continue;
		file->type = types[i].type;
		return 0;
	}
	return error_set(g->err, 0, "cannot pack %s: it is a device", file->path);
}

static int take_target(struct gathering *g, struct bundle_file *file, int fd)
{
	char target[PATH_MAX + 1];
	ssize_t n = readlinkat(fd, "", target, PATH_MAX);

	if (n < 0)
		return fail(g, file->path);
	target[n] = '\0';
	file->target = strdup(target);
	return file->target ? 0 : no_memory(g);
}

static int copy_label(struct bundle_file *file, const struct attribute *attribute)
{
	struct bundle_label *label = &file->labels[file->label_count++];

	label->name = strdup(attribute->name);
	label->value = malloc(attribute->bytes + 1);
	if (!label->name || !label->value)
		return -1;
	memcpy(label->value, attribute->value, attribute->bytes);
	label->bytes = attribute->bytes;
	return 0;
}

/* What may not be opened has none that could be asked for. */
static int take_labels(struct gathering *g, struct bundle_file *file, int path_fd)
{
	struct attributes attributes = { 0 };
	cleanup_close int fd = -1;
	char link[64];
	int failed;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", path_fd);
	fd = open(link, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return 0;
	failed = attributes_read(fd, &attributes);
	file->labels = failed ? NULL : calloc(attributes.count + 1, sizeof(*file->labels));
	failed |= !file->labels;
	for (size_t i = 0; i < attributes.count && !failed; i++)
		failed = copy_label(file, &attributes.list[i]);
	attributes_release(&attributes);
	return failed ? no_memory(g) : 0;
}

static bool was_changed(const struct gathering *g, const struct stat *status)
{
	const struct timespec *start = &g->packing->start, *change = &status->st_ctim;

	return change->tv_sec > start->tv_sec ||
	       (change->tv_sec == start->tv_sec && change->tv_nsec > start->tv_nsec);
}

static int add_content(struct gathering *g, struct bundle_file *file, int path_fd)
{
	cleanup_free char *member = NULL;
	cleanup_close int fd = -1;
	char link[64];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", path_fd);
	fd = open(link, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && (errno == EACCES || errno == EPERM)) {
		file->state = BUNDLE_DENIED;
		return 0;
	}
	if (fd < 0)
		return fail(g, file->path);
	if (asprintf(&member, BUNDLE_CONTENTS "%s", file->path) < 0)
		return no_memory(g);
	return packing_add_member(g->packing, member, file->mode, fd, file->hash, g->err);
}

static enum bundle_state state_of(uint32_t kinds)
{
	if (!kinds)
		return BUNDLE_LISTED;
	return kinds & LOOK_READ ? BUNDLE_READ : BUNDLE_LOOKED;
}

/* A file that has been packed by another name is not packed again. */
static int add_regular(
	struct gathering *g, struct bundle_file *file, int fd, const struct stat *status)
{
	const struct group *group = has_links(status) ? find_group(g, status) : NULL;
	size_t index = (size_t)(file - g->packing->index.files);

	file->size = (uint64_t)status->st_size;
	file->links = (unsigned)status->st_nlink;
	if (group)
		file->state = state_of(group->kinds);
	if (group && group->first != index) {
		const struct bundle_file *first = &g->packing->index.files[group->first];

		file->state = first->state;
		file->same = strdup(first->path);
		return file->same ? 0 : no_memory(g);
	}
	if (file->state != BUNDLE_READ)
		return 0;
	if (was_changed(g, status))
		return error_set(g->err, 0,
			"cannot pack %s: somebody else changed it while the command ran; pack "
			"again",
			file->path);
	return add_content(g, file, fd);
}

static int add_host(struct gathering *g, const struct looked *looked, struct bundle_file *file,
	int fd, const struct stat *status)
{
	file->mode = (looked->mode ? looked->mode : status->st_mode) & 07777;
	g->packing->owner(g->packing->owner_context, file, status);
	if (take_type(g, file, status->st_mode))
		return -1;
	if (file->type == BUNDLE_LINK) {
		file->state = BUNDLE_LOOKED;
		return take_target(g, file, fd);
	}
	if (file->state == BUNDLE_LISTED && !has_links(status))
		return 0;
	file->complete = file->type == BUNDLE_DIRECTORY && (looked->kinds & LOOK_LIST);
	file->timed = (looked->kinds & LOOK_TIME) || g->packing->keep_times;
	file->time = status->st_mtim.tv_sec;
	if ((looked->kinds & (LOOK_READ | LOOK_LABELS)) &&
		(file->type == BUNDLE_FILE || file->type == BUNDLE_DIRECTORY) &&
		take_labels(g, file, fd))
		return -1;
	if (file->type == BUNDLE_FILE)
		return add_regular(g, file, fd, status);
	file->state = BUNDLE_LOOKED;
	return 0;
}

static int add_text(struct gathering *g, const struct looked *looked, struct bundle_file *file)
{
	cleanup_close int fd = memfd_create("stet-text", MFD_CLOEXEC);
	cleanup_free char *member = NULL;
	size_t length = strlen(looked->text);

	file->mode = 0644;
	file->size = length;
	file->links = 1;
	if (file->state != BUNDLE_READ)
		return 0;
	if (fd < 0 || write(fd, looked->text, length) != (ssize_t)length)
		return fail(g, file->path);
	if (asprintf(&member, BUNDLE_CONTENTS "%s", file->path) < 0)
		return no_memory(g);
	return packing_add_member(g->packing, member, file->mode, fd, file->hash, g->err);
}

static int add_missing(struct gathering *g, const char *path)
{
	struct bundle_index *index = &g->packing->index;

	index->missing[index->missing_count] = strdup(path);
	return index->missing[index->missing_count++] ? 0 : no_memory(g);
}

static int add_looked(struct gathering *g, const struct looked *looked)
{
	struct bundle_index *index = &g->packing->index;
	struct bundle_file *file = &index->files[index->file_count];
	cleanup_close int fd = looked->source == LOOKED_HOST ? open_host(looked->host) : -1;
	struct stat status;

	if (looked->source == LOOKED_NOTHING || (looked->source == LOOKED_HOST && fd < 0))
		return looked->kinds ? add_missing(g, looked->path) : 0;
	*file = (struct bundle_file){ .path = strdup(looked->path),
		.state = state_of(looked->kinds) };
	index->file_count++;
	if (!file->path)
		return no_memory(g);
	if (looked->source == LOOKED_TEXT)
		return add_text(g, looked, file);
	if (looked->source == LOOKED_HOST)
		return fstat(fd, &status) ? fail(g, looked->path)
					  : add_host(g, looked, file, fd, &status);
	file->type = BUNDLE_DIRECTORY;
	file->state = looked->kinds ? BUNDLE_LOOKED : BUNDLE_LISTED;
	file->mode = looked->mode;
	file->complete = (looked->kinds & LOOK_LIST) != 0;
	return 0;
}

/* Which names are of one file, before any is packed. */
static int find_groups(struct gathering *g)
{
	size_t index = 0;

	for (size_t i = 0; i < g->looks->count; i++) {
		const struct looked *looked = &g->looks->list[i];
		cleanup_close int fd = looked->source == LOOKED_HOST ? open_host(looked->host) : -1;
		struct stat status;

		if (looked->source == LOOKED_NOTHING || (looked->source == LOOKED_HOST && fd < 0))
			continue;
		if (fd >= 0 && fstat(fd, &status) == 0 && has_links(&status) &&
			note_group(g, looked, index, &status))
			return -1;
		index++;
	}
	return 0;
}

int packing_add_looks(struct packing *packing, const struct looks *looks, struct error *err)
{
	struct gathering g = { .packing = packing, .looks = looks, .err = err };
	struct bundle_index *index = &packing->index;
	int failed = 0;

	index->files = calloc(looks->count + 1, sizeof(*index->files));
	index->missing = calloc(looks->count + 1, sizeof(*index->missing));
	if (!index->files || !index->missing)
		return no_memory(&g);
	failed = find_groups(&g);
	for (size_t i = 0; !failed && i < looks->count; i++)
		failed = add_looked(&g, &looks->list[i]);
	free(g.groups);
	return failed;
}
