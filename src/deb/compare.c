#include "deb/compare.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"

#define CHUNK (1 << 16)

/* One of the directories. */
struct side {
	int dir;
	struct dirent **names; /* sorted */
	int count, next;
};

static int is_visible(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int open_side(struct side *side, const char *path, struct error *err)
{
	side->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	side->count =
		side->dir < 0 ? -1 : scandirat(side->dir, ".", &side->names, is_visible, alphasort);
	return side->count < 0 ? error_set(err, errno, "cannot read %s", path) : 0;
}

static void close_side(struct side *side)
{
	for (int i = 0; i < side->count; i++)
		free(side->names[i]);
	if (side->count >= 0)
		free(side->names);
	cleanup_close_do(&side->dir);
}

/* 1 when the contents are the same, 0 when not. */
static int is_same(const struct side *a, const struct side *b, const char *name, struct error *err)
{
	cleanup_close int one = openat(a->dir, name, O_RDONLY | O_CLOEXEC);
	cleanup_close int other = openat(b->dir, name, O_RDONLY | O_CLOEXEC);
	char bytes[CHUNK], others[CHUNK];
	ssize_t n = 0, m = 0;

	if (one >= 0 && other >= 0)
		do {
			n = read(one, bytes, sizeof(bytes));
			m = read(other, others, sizeof(others));
		} while (n > 0 && n == m && memcmp(bytes, others, (size_t)n) == 0);
	if (one < 0 || other < 0 || n < 0 || m < 0)
		return error_set(err, errno, "cannot read %s", name);
	return n == 0 && m == 0;
}

static const char *next_name(const struct side *side)
{
	return side->next < side->count ? side->names[side->next]->d_name : NULL;
}

int compare_directories(const char *a, const char *b,
	void (*differs)(void *context, const char *name, const char *how), void *context,
	struct error *err)
{
	struct side sides[2] = { { .dir = -1, .count = -1 }, { .dir = -1, .count = -1 } };
	int all = 0, same = open_side(&sides[0], a, err) | open_side(&sides[1], b, err);

	for (; same >= 0; all++) {
		const char *one = next_name(&sides[0]), *other = next_name(&sides[1]);
		int order = !one ? 1 : !other ? -1 : strcmp(one, other);

		if (!one && !other)
			break;
		same = order ? 0 : is_same(&sides[0], &sides[1], one, err);
		if (same == 0)
			differs(context, order > 0 ? other : one,
				order > 0   ? "is missing from the first build"
				: order < 0 ? "is missing from the second build"
					    : "differs between the two builds");
		sides[0].next += order <= 0;
		sides[1].next += order >= 0;
	}
	close_side(&sides[0]);
	close_side(&sides[1]);
	return same < 0 ? -1 : all;
}
