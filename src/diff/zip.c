#include "diff/zip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "diff/archive.h"
#include "diff/bzip2.h"
#include "diff/cause.h"
#include "diff/inflate.h"
#include "diff/packed.h"
#include "diff/xz.h"
#include "diff/zip_facts.h"
#include "diff/zstd.h"

#define STORED 0

/* What is a zip archive by another name. */
static const struct {
	const char *suffix, *format;
} kinds[] = {
	{ ".jar", "jar" },
	{ ".war", "jar" },
	{ ".whl", "wheel" },
	{ ".egg", "egg" },
	{ ".docx", "Office Open XML" },
	{ ".xlsx", "Office Open XML" },
	{ ".pptx", "Office Open XML" },
	{ ".odt", "OpenDocument" },
	{ ".ods", "OpenDocument" },
	{ ".odp", "OpenDocument" },
	{ ".epub", "EPUB" },
	{ ".apk", "Android package" },
};

/* By its start; or by its end, as programs that unpack themselves are. */
bool zip_is(const struct blob *blob)
{
	return blob_has(blob, 0, "PK\3\4", 4) || blob_has(blob, 0, "PK\5\6", 4) ||
	       (blob->size > 22 && blob_has(blob, blob->size - 22, "PK\5\6", 4));
}

/* What is known of one side. */
struct own {
	struct zip_end end;
	uint64_t first; /* where the first member is */
};

static bool find(const struct archive_side *archive, uint64_t at, struct zip_entry *entry)
{
	const struct own *own = archive->own;

	return zip_entry_read(archive->blob, &own->end, at, entry);
}

static enum compared list_entries(struct archive_side *archive, struct own *own, struct error *err)
{
	uint64_t packed = 0;
	struct zip_entry entry;

	for (uint64_t at = own->end.directory; at < own->end.directory_end; at = entry.next) {
		struct member *member;

		if (!find(archive, at, &entry))
			return NOT_THIS;
		/* Members that share their bytes are how small archives become large. */
		packed += entry.packed;
		if (packed > archive->blob->size)
			return NOT_THIS;
		member = archive_add(archive, archive_trim(entry.name), err);
		if (!member)
			return COMPARE_FAILED;
		member->at = at;
		member->has_bytes = entry.name.start[entry.name.size - 1] != '/' || entry.size;
		if (entry.local < own->first)
			own->first = entry.local;
	}
	return COMPARED;
}

static enum compared list(struct archive_side *archive, struct error *err)
{
	struct own *own = archive->own = calloc(1, sizeof(*own));

	if (!own) {
		error_set(err, ENOMEM, "cannot list members");
		return COMPARE_FAILED;
	}
	if (!zip_end_find(archive->blob, &own->end))
		return NOT_THIS;
	archive->end = own->end.end;
	own->first = own->end.directory;
	return list_entries(archive, own, err);
}

static struct blob packed_bytes(const struct archive_side *archive, const struct zip_entry *entry)
{
	return blob_part(archive->blob, entry->data, entry->packed, NULL);
}

/* The same payload, by its checksum, in other compressed bytes. */
static int add_packed(
	struct member *member, const struct zip_entry *entry, const struct blob *packed)
{
	return member_fact(member, "compressed bytes", LEVEL_CONTENT, CAUSE_COMPRESSION,
		"%llu, CRC-32 %08lx", (unsigned long long)entry->packed,
		crc32_z(0, packed->data, packed->size));
}

static int facts(const struct archive_side sides[2], struct member *a, struct member *b)
{
	struct blob packed_a, packed_b;
	struct zip_entry one, other;

	if (!find(&sides[0], a->at, &one) || !find(&sides[1], b->at, &other))
		return -1;
	if (zip_facts(a, b, &one, &other))
		return -1;
	packed_a = packed_bytes(&sides[0], &one);
	packed_b = packed_bytes(&sides[1], &other);
	if (one.method != other.method || one.crc != other.crc || one.size != other.size)
		return 0;
	a->same_bytes = b->same_bytes = blob_equal(&packed_a, &packed_b);
	if (a->same_bytes || one.method == STORED)
		return 0;
	return add_packed(a, &one, &packed_a) || add_packed(b, &other, &packed_b) ? -1 : 0;
}

static enum unpacked unpack_deflate(
	const struct blob *from, struct blob_writer *to, uint64_t *used, struct error *err)
{
	return inflate_part(from, INFLATE_RAW, to, used, err);
}

static unpack_function *unpacker(unsigned method)
{
	static const struct {
		unsigned method;
		unpack_function *unpack;
	} unpackers[] = { { 8, unpack_deflate }, { 12, bzip2_unpack }, { 93, zstd_unpack },
		{ 95, xz_unpack } };

	for (size_t i = 0; i < sizeof(unpackers) / sizeof(unpackers[0]); i++)
		if (unpackers[i].method == method)
			return unpackers[i].unpack;
	return NULL;
}

static int finish(struct member *member, struct blob_writer *writer, const struct zip_entry *entry,
	const struct archive_side *archive, struct error *err)
{
	struct blob unpacked;

	if (blob_write_finish(writer, &unpacked, NULL, err))
		return -1;
	if (unpacked.size == entry->size &&
		crc32_z(0, unpacked.data, unpacked.size) == entry->crc) {
		member->blob = unpacked;
		member->unpacked = true;
		return 0;
	}
	member->packed = "it is damaged";
	blob_unpacked_close(&unpacked, &archive->diff->budget);
	return 0;
}

/* What cannot be unpacked is compared as it is, with the reason. */
static int load(const struct archive_side *archive, struct member *member, struct error *err)
{
	struct blob_writer writer;
	struct zip_entry entry;
	unpack_function *unpack;
	enum unpacked unpacked;
	uint64_t used;

	if (!find(archive, member->at, &entry))
		return error_set(err, 0, "%s changed while it was compared", member->name);
	member->blob = packed_bytes(archive, &entry);
	unpack = unpacker(entry.method);
	if (!unpack) {
		member->packed = entry.method == STORED ? NULL : "its compression is not known";
		return 0;
	}
	blob_write_start(&writer, &archive->diff->budget);
	unpacked = unpack(&member->blob, &writer, &used, err);
	if (unpacked == UNPACKED)
		return finish(member, &writer, &entry, archive, err);
	blob_write_cancel(&writer);
	member->packed = "it is damaged";
	if (unpacked == UNPACK_FAILED) {
		if (!archive->diff->budget.exceeded)
			return -1;
		archive->diff->budget.exceeded = false;
		member->packed = "unpacked it has more than --memory-limit allows";
	}
	return 0;
}

static int say_comment(struct node *node, struct span a, struct span b)
{
	if (a.size == b.size && memcmp(a.start, b.start, a.size) == 0)
		return 0;
	return node_say(node, LEVEL_CONTENT, cause_of_text(a.start, a.size, b.start, b.size),
		"comment: %.*s, %.*s", a.size ? (int)a.size : 4, a.size ? a.start : "none",
		b.size ? (int)b.size : 4, b.size ? b.start : "none");
}

/* The comment, and what is before the first member: a program that unpacks the rest. */
static int say(const struct archive_side sides[2], struct node *node, struct error *err)
{
	const struct own *a = sides[0].own, *b = sides[1].own;
	const struct pair before = { blob_part(sides[0].blob, 0, a->first, "before"),
		blob_part(sides[1].blob, 0, b->first, "before") };

	if (say_comment(node, a->end.comment, b->end.comment))
		return error_set(err, ENOMEM, "cannot compare archives");
	if (!before.a.size && !before.b.size)
		return 0;
	return compare_part(sides[0].diff, node, "before the first member", &before, err);
}

static const char *format_of(const char *name)
{
	size_t length = name ? strlen(name) : 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t ends = strlen(kinds[i].suffix);

		if (length > ends && strcasecmp(name + length - ends, kinds[i].suffix) == 0)
			return kinds[i].format;
	}
	return "zip";
}

enum compared zip_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct archive_kind kind = {
		.list = list, .facts = facts, .load = load, .say = say
	};

	node->format = format_of(pair->a.name);
	return archive_compare(diff, node, pair, &kind, err);
}
