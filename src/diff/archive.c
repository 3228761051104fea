#include "diff/archive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/rest.h"

struct work {
	const struct archive_kind *kind;
	struct archive_side sides[2];
};

struct member *archive_add(struct archive_side *archive, struct span name, struct error *err)
{
	cleanup_free char *text = strndup(name.start, name.size);

	if (text)
		return members_add(&archive->members, archive->diff, text, err);
	error_set(err, ENOMEM, "cannot list members");
	return NULL;
}

struct span archive_trim(struct span name)
{
	while (name.size > 1 && name.start[name.size - 1] == '/')
		name.size--;
	return name;
}

const char *archive_last_name(const struct member *member)
{
	const char *slash = strrchr(member->name, '/');

	return slash && slash[1] ? slash + 1 : member->name;
}

static int get_facts(void *context, struct member *a, struct member *b, struct error *err)
{
	struct work *work = context;

	if (work->kind->facts(work->sides, a, b))
		return error_set(err, ENOMEM, "cannot compare %s", a->name);
	return 0;
}

static int load(void *context, struct member *member, int side, struct error *err)
{
	struct work *work = context;
	int failed = 0;

	if (work->kind->load)
		failed = work->kind->load(&work->sides[side], member, err);
	member->blob.name = archive_last_name(member);
	return failed;
}

static void drop(void *context, struct member *member, int side)
{
	struct work *work = context;

	if (!member->unpacked)
		return;
	blob_unpacked_close(&member->blob, &work->sides[side].diff->budget);
	member->unpacked = false;
}

static int compare_sides(struct work *work, struct node *node, struct error *err)
{
	struct archive_side *a = &work->sides[0], *b = &work->sides[1];
	const struct members_loader loader = { work, work->kind->facts ? get_facts : NULL, load,
		drop };
	const struct pair all = { *a->blob, *b->blob };
	const struct pair rests = { blob_part(a->blob, a->end, UINT64_MAX, NULL),
		blob_part(b->blob, b->end, UINT64_MAX, NULL) };

	if (members_compare(a->diff, node, &a->members, &b->members, &loader, err))
		return -1;
	if (work->kind->say && work->kind->say(work->sides, node, err))
		return -1;
	if (rest_compare(a->diff, node, &rests, a->end == b->end, err))
		return -1;
	return rest_say_unknown(node, &all, work->kind->outside)
		       ? error_set(err, ENOMEM, "cannot compare archives")
		       : 0;
}

enum compared archive_compare(struct diff *diff, struct node *node, const struct pair *pair,
	const struct archive_kind *kind, struct error *err)
{
	struct work work = { kind,
		{ { .diff = diff, .blob = &pair->a }, { .diff = diff, .blob = &pair->b } } };
	enum compared compared = kind->list(&work.sides[0], err);

	if (compared == COMPARED)
		compared = kind->list(&work.sides[1], err);
	if (compared == COMPARED && compare_sides(&work, node, err))
		compared = COMPARE_FAILED;
	for (int i = 0; i < 2; i++) {
		members_release(diff, &work.sides[i].members);
		free(work.sides[i].own);
		blob_unpacked_close(&work.sides[i].unpacked, &diff->budget);
	}
	return compared;
}
