#include "diff/tar.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/cleanup.h"
#include "diff/archive.h"
#include "diff/cause.h"
#include "diff/printable.h"
#include "diff/tar_sparse.h"

#define VALUE_SHOWN 256 /* bytes of an attribute; of larger ones a checksum */

bool tar_is(const struct blob *blob)
{
	return tar_is_header(blob, 0) && blob->data[0];
}

static struct member *add(
	struct archive_side *archive, const struct tar_entry *entry, struct error *err)
{
	struct span last = archive_trim(entry->name);
	cleanup_free char *name = NULL;
	int size;

	if (entry->type == 'g')
		return archive_add(archive, span_of("pax_global_header"), err);
	if (!entry->prefix.size)
		return archive_add(archive, last, err);
	size = asprintf(&name, "%.*s/%.*s", (int)entry->prefix.size, entry->prefix.start,
		(int)last.size, last.start);
	if (size >= 0)
		return archive_add(archive, (struct span){ name, (size_t)size }, err);
	name = NULL;
	error_set(err, ENOMEM, "cannot list members");
	return NULL;
}

/* Of a hard link only where it has bytes of its own. */
static bool has_bytes(const struct blob *tar, const struct tar_entry *entry)
{
	if (entry->type == 'g' || entry->type == 'V')
		return false;
	return entry->type == '1' ? entry->stored > 0 : S_ISREG(tar_entry_facts(tar, entry).mode);
}

static enum compared list(struct archive_side *archive, struct error *err)
{
	struct tar_entry entry;
	enum tar_read read;

	while ((read = tar_entry_read(archive->blob, archive->end, &entry)) == TAR_ENTRY) {
		struct member *member;

		if (tar_is_sparse(&entry) &&
			tar_sparse_expand(archive->blob, &entry, NULL, err) != UNPACKED)
			return NOT_THIS;
		member = add(archive, &entry, err);
		if (!member)
			return COMPARE_FAILED;
		member->at = entry.start;
		member->has_bytes = has_bytes(archive->blob, &entry);
		archive->end = entry.end;
	}
	return read == TAR_END ? COMPARED : NOT_THIS;
}

/* How records of pax are told: those that are facts of their own are not told again. */
enum record { KNOWN, AS_TIME, AS_COMMENT, AS_ATTRIBUTE };

static enum record kind_of(struct span key)
{
	static const struct {
		const char *key;
		enum record kind;
	} kinds[] = {
		{ "path", KNOWN },
		{ "linkpath", KNOWN },
		{ "size", KNOWN },
		{ "uid", KNOWN },
		{ "gid", KNOWN },
		{ "uname", KNOWN },
		{ "gname", KNOWN },
		{ "mtime", KNOWN },
		{ "atime", AS_TIME },
		{ "ctime", AS_TIME },
		{ "LIBARCHIVE.creationtime", AS_TIME },
		{ "comment", AS_COMMENT },
		{ "hdrcharset", AS_COMMENT },
		{ "charset", AS_COMMENT },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (span_is(key, kinds[i].key))
			return kinds[i].kind;
	/* Files are compared with their holes filled. */
	return key.size > 11 && memcmp(key.start, "GNU.sparse.", 11) == 0 ? KNOWN : AS_ATTRIBUTE;
}

static void put_record(FILE *out, const struct tar_record *record)
{
	printable_put(out, record->key.start, record->key.size);
	if (record->value.size > VALUE_SHOWN)
		fprintf(out, "=(%zu bytes, CRC-32 %08lx)", record->value.size,
			crc32_z(0, (const unsigned char *)record->value.start, record->value.size));
	else
		putc('=', out), printable_put(out, record->value.start, record->value.size);
}

/* All records of a kind as one fact. Those of a header for all that follow are all told. */
static int add_records(struct member *member, const struct tar_entry *entry, enum record kind,
	const char *name, enum level level, const char *cause)
{
	cleanup_free char *text = NULL;
	size_t size, count = 0;
	FILE *out = open_memstream(&text, &size);
	struct tar_record record;
	uint64_t at = 0;

	if (!out)
		return -1;
	while (tar_pax_next(&entry->pax, &at, &record)) {
		enum record its = kind_of(record.key);

		if (entry->type == 'g' && its == KNOWN)
			its = AS_ATTRIBUTE;
		if (its != kind)
			continue;
		if (count++)
			fputs(", ", out);
		put_record(out, &record);
	}
	if (fclose(out))
		return -1;
	return count ? member_fact(member, name, level, cause, "%s", text) : 0;
}

static int add_pax(struct member *member, const struct tar_entry *entry)
{
	return add_records(member, entry, AS_TIME, "times", LEVEL_CONTENT, CAUSE_TIME) ||
	       add_records(member, entry, AS_COMMENT, "comment", LEVEL_CONTENT, NULL) ||
	       add_records(member, entry, AS_ATTRIBUTE, "attributes", LEVEL_STRUCTURE, NULL);
}

/* All bytes that say something of it: records that are for all that follow are its data. */
static struct blob header_of(const struct archive_side *archive, const struct tar_entry *entry)
{
	uint64_t end = entry->type == 'g' ? entry->end : entry->data;

	return blob_part(archive->blob, entry->start, end - entry->start, NULL);
}

/* Where headers say the same in other bytes: how they are written. */
static int add_form(
	struct member *member, const struct archive_side *archive, const struct tar_entry *entry)
{
	struct blob header = header_of(archive, entry);
	bool ustar = blob_has(archive->blob, entry->header + 257, "ustar", 5);

	return member_fact(member, "form of the header", LEVEL_CONTENT, NULL,
		"%s, %llu bytes, CRC-32 %08lx",
		entry->pax.size ? "pax"
		: entry->is_gnu ? "GNU"
		: ustar		? "ustar"
				: "v7",
		(unsigned long long)header.size, crc32_z(0, header.data, header.size));
}

/* Holes that were left out: the bytes are the same with them. */
static int add_holes(struct member *members[2], const struct tar_entry entries[2])
{
	if (tar_is_sparse(&entries[0]) == tar_is_sparse(&entries[1]))
		return 0;
	for (int i = 0; i < 2; i++)
		if (member_fact(members[i], "holes", LEVEL_CONTENT, NULL, "%s",
			    tar_is_sparse(&entries[i]) ? "left out" : "stored"))
			return -1;
	return 0;
}

/* Of headers that are the same, with the same maps of holes. */
static bool has_same_data(const struct archive_side sides[2], const struct tar_entry entries[2])
{
	struct blob a = blob_part(sides[0].blob, entries[0].data, entries[0].stored, NULL);
	struct blob b = blob_part(sides[1].blob, entries[1].data, entries[1].stored, NULL);

	return blob_equal(&a, &b);
}

static int facts(const struct archive_side sides[2], struct member *a, struct member *b)
{
	struct member *members[2] = { a, b };
	struct entry_facts known[2];
	struct tar_entry entries[2];
	struct blob headers[2];

	for (int i = 0; i < 2; i++) {
		tar_entry_read(sides[i].blob, members[i]->at, &entries[i]);
		headers[i] = header_of(&sides[i], &entries[i]);
	}
	if (blob_equal(&headers[0], &headers[1])) {
		a->same_bytes = has_same_data(sides, entries);
		return 0;
	}
	for (int i = 0; i < 2; i++) {
		known[i] = tar_entry_facts(sides[i].blob, &entries[i]);
		if (add_pax(members[i], &entries[i]))
			return -1;
	}
	if (entry_facts(a, b, &known[0], &known[1]) || add_holes(members, entries))
		return -1;
	if (!members_have_same_facts(a, b) || entries[0].stored != entries[1].stored)
		return 0;
	return add_form(a, &sides[0], &entries[0]) || add_form(b, &sides[1], &entries[1]);
}

static int load(const struct archive_side *archive, struct member *member, struct error *err)
{
	struct tar_entry entry;
	struct blob_writer writer;

	tar_entry_read(archive->blob, member->at, &entry);
	member->blob = blob_part(archive->blob, entry.data, entry.stored, NULL);
	if (!tar_is_sparse(&entry))
		return 0;
	blob_write_start(&writer, &archive->diff->budget);
	if (tar_sparse_expand(archive->blob, &entry, &writer, err) == UNPACKED) {
		member->unpacked = true;
		return blob_write_finish(&writer, &member->blob, NULL, err);
	}
	blob_write_cancel(&writer);
	if (!archive->diff->budget.exceeded)
		return -1;
	archive->diff->budget.exceeded = false;
	member->packed = "with its holes it has more than --memory-limit allows";
	return 0;
}

enum compared tar_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct archive_kind kind = {
		.outside = LEVEL_CONTENT, .list = list, .facts = facts, .load = load
	};

	return archive_compare(diff, node, pair, &kind, err);
}
