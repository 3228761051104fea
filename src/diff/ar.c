#include "diff/ar.h"

#include <string.h>

#include "diff/archive.h"
#include "diff/cause.h"
#include "diff/entry_facts.h"
#include "diff/tar_pax.h"

#define MAGIC  8
#define HEADER 60

/* Where headers have what, all in text that is padded by spaces. */
static const struct place {
	unsigned char at, width;
} name_place = { 0, 16 }, time_place = { 16, 12 }, user_place = { 28, 6 }, group_place = { 34, 6 },
  mode_place = { 40, 8 }, size_place = { 48, 10 };

struct entry {
	struct span name;
	uint64_t data, size, end;
	uint64_t time, user, group, mode;
	bool spaces; /* fields are empty, as those of tables are */
};

bool ar_is(const struct blob *blob)
{
	return blob_has(blob, 0, "!<arch>\n", MAGIC);
}

bool ar_is_deb(const struct blob *blob)
{
	return ar_is(blob) && blob_has(blob, MAGIC, "debian-binary", 13);
}

static struct span field(const struct blob *blob, uint64_t header, struct place place)
{
	struct span text = { (const char *)blob->data + header + place.at, place.width };

	while (text.size && text.start[text.size - 1] == ' ')
		text.size--;
	return text;
}

static bool number(const struct blob *blob, uint64_t header, struct place place, unsigned base,
	uint64_t *value)
{
	struct span text = field(blob, header, place);

	*value = 0;
	for (size_t i = 0; i < text.size; i++) {
		unsigned digit = (unsigned char)text.start[i] - '0';

		if (digit >= base)
			return false;
		*value = *value * base + digit;
	}
	return true;
}

/* GNU: a name of the table, which ends with a slash and a newline. */
static bool long_name(const struct blob *names, struct span offset, struct span *name)
{
	uint64_t at;
	const char *end;

	if (!tar_decimal(offset, &at) || at >= names->size)
		return false;
	name->start = (const char *)names->data + at;
	end = memchr(name->start, '\n', names->size - at);
	if (!end)
		return false;
	name->size = (size_t)(end - name->start);
	if (name->size && name->start[name->size - 1] == '/')
		name->size--;
	return name->size > 0;
}

/* BSD: the name is before the data, and counts for their size. */
static bool name_before_data(const struct blob *blob, struct span length, struct entry *entry)
{
	uint64_t size;

	if (!tar_decimal(length, &size) || size > entry->size)
		return false;
	entry->name = span_in(blob, entry->data, size);
	entry->data += size;
	entry->size -= size;
	return entry->name.size > 0;
}

static bool set_name(const struct blob *blob, const struct blob *names, struct entry *entry)
{
	struct span *name = &entry->name;

	if (name->size > 3 && memcmp(name->start, "#1/", 3) == 0)
		return name_before_data(
			blob, (struct span){ name->start + 3, name->size - 3 }, entry);
	if (name->size > 1 && name->start[0] == '/' && name->start[1] >= '0' &&
		name->start[1] <= '9')
		return long_name(names, (struct span){ name->start + 1, name->size - 1 }, name);
	/* Tables are "/", "//" and "/SYM64/"; other names of GNU end with a slash. */
	if (name->size > 1 && name->start[0] != '/' && name->start[name->size - 1] == '/')
		name->size--;
	return name->size > 0;
}

static bool read_entry(
	const struct blob *blob, uint64_t at, const struct blob *names, struct entry *entry)
{
	if (at > blob->size || blob->size - at < HEADER || !blob_has(blob, at + 58, "`\n", 2) ||
		!number(blob, at, size_place, 10, &entry->size) ||
		!number(blob, at, time_place, 10, &entry->time) ||
		!number(blob, at, user_place, 10, &entry->user) ||
		!number(blob, at, group_place, 10, &entry->group) ||
		!number(blob, at, mode_place, 8, &entry->mode))
		return false;
	entry->data = at + HEADER;
	if (entry->size > blob->size - entry->data)
		return false;
	entry->end = entry->data + entry->size;
	entry->end += entry->end % 2 && entry->end < blob->size;
	entry->spaces = !field(blob, at, mode_place).size;
	entry->name = field(blob, at, name_place);
	return set_name(blob, names, entry);
}

static enum compared list(struct archive_side *archive, struct error *err)
{
	struct blob names = blob_part(archive->blob, 0, 0, NULL);
	struct entry entry;

	for (archive->end = MAGIC; archive->end < archive->blob->size; archive->end = entry.end) {
		struct member *member;

		if (!read_entry(archive->blob, archive->end, &names, &entry))
			return NOT_THIS;
		member = archive_add(archive, entry.name, err);
		if (!member)
			return COMPARE_FAILED;
		member->at = archive->end;
		member->blob = blob_part(archive->blob, entry.data, entry.size, NULL);
		/* The table of names: what is in it is told by the names of members. */
		member->has_bytes = strcmp(member->name, "//") != 0;
		if (!member->has_bytes)
			names = member->blob;
	}
	return COMPARED;
}

static int facts(const struct archive_side sides[2], struct member *a, struct member *b)
{
	struct member *members[2] = { a, b };
	struct entry_facts all[2];

	for (int i = 0; i < 2; i++) {
		/* Names are known; the numbers are the same whatever they are. */
		const struct blob none = blob_part(sides[i].blob, 0, 0, NULL);
		struct entry entry = { 0 };

		read_entry(sides[i].blob, members[i]->at, &none, &entry);
		all[i] = (struct entry_facts){ .type = entry.spaces ? "table" : "member",
			.mode = (mode_t)entry.mode,
			.owned = true,
			.user = entry.user,
			.group = entry.group,
			.timed = true,
			.time = (int64_t)entry.time };
	}
	return entry_facts(a, b, &all[0], &all[1]);
}

enum compared ar_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct archive_kind kind = {
		.outside = LEVEL_CONTENT, .list = list, .facts = facts
	};

	return archive_compare(diff, node, pair, &kind, err);
}
