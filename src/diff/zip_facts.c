#include "diff/zip_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/cleanup.h"
#include "diff/cause.h"
#include "diff/entry_facts.h"
#include "diff/time_text.h"

#define UNIX	    3
#define LEVEL_FLAGS 0x0006u
#define DOS_IS_DIR  0x10
#define TIMES	    0x5455 /* extra fields: of Info-ZIP */
#define OWNER	    0x7875

static const struct name {
	unsigned number;
	const char *name;
} methods[] = { { 0, "stored" }, { 8, "deflate" }, { 9, "deflate64" }, { 12, "bzip2" },
	{ 14, "LZMA" }, { 93, "Zstandard" }, { 95, "xz" } },
  systems[] = { { 0, "FAT" }, { 3, "Unix" }, { 10, "NTFS" }, { 19, "macOS" } };
#define COUNT(names) (sizeof(names) / sizeof((names)[0]))

static int add_named(struct member *member, const char *what, const char *cause,
	const struct name *names, size_t count, unsigned number)
{
	for (size_t i = 0; i < count; i++)
		if (names[i].number == number)
			return member_fact(member, what, LEVEL_CONTENT, cause, "%s", names[i].name);
	return member_fact(member, what, LEVEL_CONTENT, cause, "%u", number);
}

/* The field of this number, in its own header or else in the directory. */
static bool find_extra(const struct zip_entry *entry, unsigned id, struct zip_extra *field)
{
	const struct blob *places[] = { &entry->local_extra, &entry->extra };

	for (int i = 0; i < 2; i++)
		for (uint64_t at = 0; zip_extra_next(places[i], &at, field);)
			if (field->id == id)
				return true;
	return false;
}

/* Version 1, then for the user and the group: how many bytes the number has, and these. */
static void set_owner(const struct zip_entry *entry, struct entry_facts *facts)
{
	struct zip_extra field;
	unsigned user, group;

	if (!find_extra(entry, OWNER, &field) || blob_le(&field.data, 0, 1) != 1)
		return;
	user = (unsigned)blob_le(&field.data, 1, 1);
	group = (unsigned)blob_le(&field.data, 2 + user, 1);
	if (user > 8 || group > 8)
		return;
	facts->owned = true;
	facts->user = blob_le(&field.data, 2, user);
	facts->group = blob_le(&field.data, 3 + user, group);
}

static struct entry_facts known(const struct zip_entry *entry)
{
	struct entry_facts facts = { 0 };
	bool slash = entry->name.start[entry->name.size - 1] == '/';

	if (entry->made_by >> 8 == UNIX)
		facts.mode = (mode_t)(entry->external >> 16);
	if (!(facts.mode & S_IFMT))
		facts.mode |= slash || entry->external & DOS_IS_DIR ? S_IFDIR : S_IFREG;
	set_owner(entry, &facts);
	return facts;
}

static int add_dos_time(struct member *member, uint32_t time)
{
	return member_fact(member, "time of change", LEVEL_CONTENT, CAUSE_TIME,
		"%04u-%02u-%02uT%02u:%02u:%02u", (time >> 25) + 1980, time >> 21 & 15,
		time >> 16 & 31, time >> 11 & 31, time >> 5 & 63, (time & 31) * 2);
}

/* A byte of flags, then of these: the time of change, of use, and of creation. */
static int add_times(struct member *member, const struct zip_entry *entry)
{
	static const char *const names[] = { "time of change in seconds", "time of use",
		"time of creation" };
	struct zip_extra field;
	char text[TIME_TEXT];

	if (!find_extra(entry, TIMES, &field))
		return 0;
	for (unsigned i = 0, at = 1; i < 3 && at + 4 <= field.data.size; i++) {
		if (!(blob_le(&field.data, 0, 1) & 1u << i))
			continue;
		if (member_fact(member, names[i], LEVEL_CONTENT, CAUSE_TIME, "%s",
			    time_text(text, (int32_t)blob_le(&field.data, at, 4))))
			return -1;
		at += 4;
	}
	return 0;
}

/* Those whose meaning is bookkeeping: sizes, times, owners, names in UTF-8, alignment. */
static bool is_bookkeeping(unsigned id)
{
	static const unsigned ids[] = { 0x0001, 0x000a, TIMES, 0x5855, 0x6375, 0x7075, 0x7855,
		OWNER, 0xcafe, 0xd935 };

	for (size_t i = 0; i < COUNT(ids); i++)
		if (ids[i] == id)
			return true;
	return false;
}

static void put_extra(FILE *out, const struct blob *extra, bool bookkeeping)
{
	struct zip_extra field;

	for (uint64_t at = 0; zip_extra_next(extra, &at, &field);) {
		/* What is told as facts of their own. */
		if (is_bookkeeping(field.id) != bookkeeping || field.id == TIMES ||
			field.id == OWNER || field.id == 0x0001)
			continue;
		fprintf(out, " %04x(%llu bytes, CRC-32 %08lx)", field.id,
			(unsigned long long)field.data.size,
			crc32_z(0, field.data.data, field.data.size));
	}
}

static int add_extra(struct member *member, const struct zip_entry *entry, bool bookkeeping)
{
	cleanup_free char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return -1;
	put_extra(out, &entry->extra, bookkeeping);
	putc(';', out);
	put_extra(out, &entry->local_extra, bookkeeping);
	if (fclose(out))
		return -1;
	if (size == 1)
		return 0;
	return member_fact(member, bookkeeping ? "extra fields" : "unknown extra fields",
		bookkeeping ? LEVEL_CONTENT : LEVEL_STRUCTURE, NULL, "%s", text);
}

static int add_rest(struct member *member, const struct zip_entry *entry)
{
	if (add_dos_time(member, entry->time) || add_times(member, entry) ||
		add_named(member, "system", NULL, systems, COUNT(systems), entry->made_by >> 8) ||
		add_named(member, "method", CAUSE_COMPRESSION, methods, COUNT(methods),
			entry->method))
		return -1;
	if (member_fact(member, "version that made it", LEVEL_CONTENT, CAUSE_VERSION, "%u",
		    entry->made_by & 255) ||
		member_fact(member, "version needed", LEVEL_CONTENT, CAUSE_VERSION, "%u",
			entry->needs) ||
		member_fact(member, "level flags", LEVEL_CONTENT, CAUSE_COMPRESSION, "%x",
			entry->flags & LEVEL_FLAGS) ||
		member_fact(member, "flags", LEVEL_CONTENT, NULL, "%04x",
			entry->flags & ~LEVEL_FLAGS) ||
		member_fact(member, "DOS attributes", LEVEL_CONTENT, NULL, "%04x",
			entry->external & 0xffff) ||
		member_fact(member, "internal attributes", LEVEL_CONTENT, NULL, "%04x",
			entry->internal))
		return -1;
	if (entry->comment.size && member_fact(member, "comment", LEVEL_CONTENT, NULL, "%.*s",
					   (int)entry->comment.size, entry->comment.start))
		return -1;
	return add_extra(member, entry, true) || add_extra(member, entry, false) ? -1 : 0;
}

int zip_facts(struct member *a, struct member *b, const struct zip_entry *of_a,
	const struct zip_entry *of_b)
{
	struct entry_facts one = known(of_a), other = known(of_b);

	return entry_facts(a, b, &one, &other) || add_rest(a, of_a) || add_rest(b, of_b) ? -1 : 0;
}
