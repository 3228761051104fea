#include "diff/cpio.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "diff/archive.h"
#include "diff/cause.h"
#include "diff/entry_facts.h"

#define TRAILER "TRAILER!!!"

enum field { DEVICE, INODE, MODE, USER, GROUP, LINKS, TIME, SIZE, NAME_SIZE, MAJOR, MINOR, FIELDS };

/* Numbers of one width, hexadecimal or octal, or binary ones. */
enum digits { HEXADECIMAL, OCTAL, LITTLE, BIG };

static const struct form {
	const char *name;
	unsigned char magic[6], magic_size;
	enum digits digits;
	unsigned header, alignment;
	/* Where each field is, and how wide; nothing where the format has none. */
	struct {
		unsigned char at, width;
	} fields[FIELDS];
} forms[] = {
	{ "newc", "070701", 6, HEXADECIMAL, 110, 4,
		{ { 62, 16 }, { 6, 8 }, { 14, 8 }, { 22, 8 }, { 30, 8 }, { 38, 8 }, { 46, 8 },
			{ 54, 8 }, { 94, 8 }, { 78, 8 }, { 86, 8 } } },
	{ "newc with checksums", "070702", 6, HEXADECIMAL, 110, 4,
		{ { 62, 16 }, { 6, 8 }, { 14, 8 }, { 22, 8 }, { 30, 8 }, { 38, 8 }, { 46, 8 },
			{ 54, 8 }, { 94, 8 }, { 78, 8 }, { 86, 8 } } },
	{ "odc", "070707", 6, OCTAL, 76, 1,
		{ { 6, 6 }, { 12, 6 }, { 18, 6 }, { 24, 6 }, { 30, 6 }, { 36, 6 }, { 48, 11 },
			{ 65, 11 }, { 59, 6 }, { 0, 0 }, { 42, 6 } } },
	{ "binary", { 0xc7, 0x71 }, 2, LITTLE, 26, 2,
		{ { 2, 2 }, { 4, 2 }, { 6, 2 }, { 8, 2 }, { 10, 2 }, { 12, 2 }, { 16, 4 },
			{ 22, 4 }, { 20, 2 }, { 0, 0 }, { 14, 2 } } },
	{ "binary, big-endian", { 0x71, 0xc7 }, 2, BIG, 26, 2,
		{ { 2, 2 }, { 4, 2 }, { 6, 2 }, { 8, 2 }, { 10, 2 }, { 12, 2 }, { 16, 4 },
			{ 22, 4 }, { 20, 2 }, { 0, 0 }, { 14, 2 } } },
};

struct entry {
	const struct form *form;
	uint64_t fields[FIELDS];
	struct span name;
	uint64_t data, end;
};

static const struct form *form_of(const struct blob *blob, uint64_t at)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (blob_has(blob, at, forms[i].magic, forms[i].magic_size))
			return &forms[i];
	return NULL;
}

/* Binary numbers of four bytes are two of two, the upper one first. */
static bool read_binary(
	const struct blob *blob, uint64_t at, unsigned width, bool little, uint64_t *number)
{
	*number = 0;
	for (; width; width -= 2, at += 2)
		*number = *number << 16 | (little ? blob_le(blob, at, 2) : blob_be(blob, at, 2));
	return true;
}

static bool read_digits(
	const struct blob *blob, uint64_t at, unsigned width, unsigned base, uint64_t *number)
{
	*number = 0;
	for (unsigned i = 0; i < width; i++) {
		static const char digits[] = "0123456789abcdefABCDEF";
		const char *digit = blob->data[at + i] ? strchr(digits, blob->data[at + i]) : NULL;
		unsigned value = digit ? (unsigned)(digit - digits) : base;

		if (value >= 16)
			value -= 6;
		if (value >= base)
			return false;
		*number = *number * base + value;
	}
	return true;
}

static bool read_field(
	const struct blob *blob, uint64_t at, enum digits digits, unsigned width, uint64_t *number)
{
	if (digits == LITTLE || digits == BIG)
		return read_binary(blob, at, width, digits == LITTLE, number);
	return read_digits(blob, at, width, digits == OCTAL ? 8 : 16, number);
}

/* Numbers from the start of the archive; those of the header and the name count together. */
static uint64_t aligned(uint64_t at, const struct form *form)
{
	return at + -at % form->alignment;
}

static bool read_entry(const struct blob *blob, uint64_t at, struct entry *entry)
{
	const struct form *form = entry->form = form_of(blob, at);
	uint64_t name_at, left = at < blob->size ? blob->size - at : 0;

	if (!form || left < form->header)
		return false;
	for (int i = 0; i < FIELDS; i++)
		if (!read_field(blob, at + form->fields[i].at, form->digits, form->fields[i].width,
			    &entry->fields[i]))
			return false;
	name_at = at + form->header;
	if (!entry->fields[NAME_SIZE] || entry->fields[NAME_SIZE] > blob->size - name_at)
		return false;
	entry->name = span_in(blob, name_at, entry->fields[NAME_SIZE]);
	entry->data = at + aligned(form->header + entry->fields[NAME_SIZE], form);
	if (entry->data > blob->size || entry->fields[SIZE] > blob->size - entry->data)
		return false;
	entry->end = entry->data + aligned(entry->fields[SIZE], form);
	if (entry->end > blob->size)
		entry->end = blob->size;
	return entry->name.size > 0;
}

bool cpio_is(const struct blob *blob)
{
	struct entry entry;

	return read_entry(blob, 0, &entry);
}

/* Of new ASCII archives only the last of several hard links has the bytes. */
struct link {
	uint64_t device, inode;
	size_t member;
	bool empty;
};

struct links {
	struct link *list;
	size_t count, room;
};

static int note_link(struct links *links, const struct entry *entry, size_t member)
{
	if (entry->fields[LINKS] < 2 || !S_ISREG(entry->fields[MODE]))
		return 0;
	if (links->count == links->room) {
		size_t room = links->room ? 2 * links->room : 16;
		struct link *list = reallocarray(links->list, room, sizeof(*list));

		if (!list)
			return -1;
		links->list = list;
		links->room = room;
	}
	links->list[links->count++] = (struct link){ entry->fields[DEVICE], entry->fields[INODE],
		member, !entry->fields[SIZE] };
	return 0;
}

/* Those with bytes come first. */
static int by_file(const void *a, const void *b)
{
	const struct link *one = a, *other = b;

	if (one->device != other->device)
		return one->device < other->device ? -1 : 1;
	if (one->inode != other->inode)
		return one->inode < other->inode ? -1 : 1;
	return one->empty - other->empty;
}

static void share_bytes(struct members *members, struct links *links)
{
	struct link *list = links->list;

	if (links->count)
		qsort(list, links->count, sizeof(*list), by_file);
	for (size_t i = 1; i < links->count; i++)
		if (list[i].empty && list[i].device == list[i - 1].device &&
			list[i].inode == list[i - 1].inode)
			members->list[list[i].member].blob = members->list[list[i - 1].member].blob;
}

/* Up to the trailer, which looks like a member. */
static enum compared list_with(struct archive_side *archive, struct links *links, struct error *err)
{
	struct entry entry;

	while (read_entry(archive->blob, archive->end, &entry)) {
		struct member *member;
		uint64_t at = archive->end;

		archive->end = entry.end;
		if (span_is(entry.name, TRAILER))
			return COMPARED;
		member = archive_add(archive, archive_trim(entry.name), err);
		if (!member || note_link(links, &entry, member->order))
			return COMPARE_FAILED;
		member->at = at;
		member->has_bytes = S_ISREG(entry.fields[MODE]);
		member->blob = blob_part(archive->blob, entry.data, entry.fields[SIZE], NULL);
	}
	return NOT_THIS;
}

static enum compared list(struct archive_side *archive, struct error *err)
{
	struct links links = { NULL, 0, 0 };
	enum compared compared = list_with(archive, &links, err);

	share_bytes(&archive->members, &links);
	free(links.list);
	return compared;
}

static struct entry_facts known(const struct blob *blob, const struct entry *entry)
{
	struct entry_facts facts = { .mode = (mode_t)entry->fields[MODE],
		.owned = true,
		.user = entry->fields[USER],
		.group = entry->fields[GROUP],
		.major = entry->fields[MAJOR],
		.minor = entry->fields[MINOR],
		.timed = true,
		.time = (int64_t)entry->fields[TIME] };

	if (S_ISLNK(facts.mode))
		facts.target = span_in(blob, entry->data, entry->fields[SIZE]);
	return facts;
}

/* What was taken over from the file system that the archive was made of. */
static int add_places(struct member *member, const struct entry *entry)
{
	return member_fact(member, "inode number", LEVEL_CONTENT, CAUSE_RANDOM, "%llu",
		       (unsigned long long)entry->fields[INODE]) ||
	       member_fact(member, "device of the file system", LEVEL_CONTENT, CAUSE_RANDOM, "%llx",
		       (unsigned long long)entry->fields[DEVICE]) ||
	       member_fact(member, "links", LEVEL_CONTENT, NULL, "%llu",
		       (unsigned long long)entry->fields[LINKS]) ||
	       member_fact(
		       member, "form of the header", LEVEL_CONTENT, NULL, "%s", entry->form->name);
}

static int facts(const struct archive_side sides[2], struct member *a, struct member *b)
{
	struct member *members[2] = { a, b };
	struct entry_facts all[2];
	struct entry entries[2] = { 0 };

	for (int i = 0; i < 2; i++) {
		read_entry(sides[i].blob, members[i]->at, &entries[i]);
		all[i] = known(sides[i].blob, &entries[i]);
	}
	return entry_facts(a, b, &all[0], &all[1]) || add_places(a, &entries[0]) ||
	       add_places(b, &entries[1]);
}

enum compared cpio_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct archive_kind kind = {
		.outside = LEVEL_CONTENT, .list = list, .facts = facts
	};

	return archive_compare(diff, node, pair, &kind, err);
}
