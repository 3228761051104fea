#include "diff/bundled.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "diff/archive.h"
#include "diff/cause.h"
#include "diff/directory_pair.h"
#include "diff/time_text.h"

#define ISO_SECTOR  2048
#define ISO_SYSTEM  (16 * ISO_SECTOR) /* what the format leaves to boot loaders */
#define ISO_CREATED 813		      /* in the descriptor that follows */
#define ISO_CHANGED 830
#define ISO_DATE    16
#define ISO_VOLUME  40
#define ISO_NAME    32

#define IN_PLACE    UINT64_MAX /* as `at` of members whose bytes are in the file as they are */

bool seven_zip_is(const struct blob *blob)
{
	return blob_has(blob, 0, "7z\xbc\xaf\x27\x1c", 6);
}

bool iso9660_is(const struct blob *blob)
{
	return blob_has(blob, ISO_SYSTEM + 1, "CD001", 5);
}

static int add_facts(struct member *member, struct archive_entry *entry)
{
	const struct stat *status = archive_entry_stat(entry);
	const char *target = archive_entry_symlink(entry);
	char text[TIME_TEXT];

	if (member_fact(member, "type", LEVEL_DIFFERENT, NULL, "%s", entry_type(status)) ||
		member_fact(
			member, "mode", LEVEL_STRUCTURE, NULL, "%04o", status->st_mode & 07777) ||
		member_fact(member, "owner", LEVEL_CONTENT, CAUSE_OWNER, "%u:%u", status->st_uid,
			status->st_gid))
		return -1;
	if (archive_entry_mtime_is_set(entry) &&
		member_fact(member, "time of change", LEVEL_CONTENT, CAUSE_TIME, "%s",
			time_text(text, archive_entry_mtime(entry))))
		return -1;
	return target ? member_fact(member, "target", LEVEL_STRUCTURE, NULL, "%s", target) : 0;
}

/* Holes of files are not in the blocks that libarchive gives. */
static int fill_hole(struct blob_writer *writer, uint64_t count, struct error *err)
{
	static const unsigned char zeros[4096];

	while (count) {
		size_t part = count < sizeof(zeros) ? count : sizeof(zeros);

		if (blob_write(writer, zeros, part, err))
			return -1;
		count -= part;
	}
	return 0;
}

static bool is_within(const struct blob *blob, const void *data, size_t size)
{
	uintptr_t start = (uintptr_t)blob->data, at = (uintptr_t)data;

	return at >= start && at - start <= blob->size && size <= blob->size - (at - start);
}

/* Unpacks a member, behind those before it; or finds where it is in the file, in one piece. */
static enum compared unpack(struct archive_side *side, struct archive *reader,
	struct member *member, struct blob_writer *writer, struct error *err)
{
	uint64_t start = writer->size;
	const void *data;
	size_t size;
	la_int64_t offset;
	int state;

	member->at = start;
	while ((state = archive_read_data_block(reader, &data, &size, &offset)) == ARCHIVE_OK) {
		uint64_t written = writer->size - start;

		if (offset < 0 || (uint64_t)offset < written || member->at == IN_PLACE)
			return NOT_THIS;
		if (!offset && size == member->blob.size && is_within(side->blob, data, size)) {
			member->at = IN_PLACE;
			member->blob.data = data;
			continue;
		}
		if (fill_hole(writer, (uint64_t)offset - written, err) ||
			blob_write(writer, data, size, err))
			return COMPARE_FAILED;
	}
	if (member->at != IN_PLACE)
		member->blob.size = writer->size - start;
	return state == ARCHIVE_EOF ? COMPARED : NOT_THIS;
}

static enum compared add(struct archive_side *side, struct archive *reader,
	struct archive_entry *entry, struct blob_writer *writer, struct error *err)
{
	const char *name = archive_entry_pathname_utf8(entry);
	struct member *member;

	if (!name)
		name = archive_entry_pathname(entry);
	if (!name)
		return NOT_THIS;
	member = archive_add(side, archive_trim(span_of(name)), err);
	if (!member || add_facts(member, entry))
		return COMPARE_FAILED;
	member->has_bytes = archive_entry_filetype(entry) == AE_IFREG;
	if (!member->has_bytes)
		return COMPARED;
	member->blob.size = (uint64_t)archive_entry_size(entry);
	return unpack(side, reader, member, writer, err);
}

static enum compared read_all(struct archive_side *side, struct archive *reader,
	struct blob_writer *writer, struct error *err)
{
	enum compared compared = COMPARED;
	struct archive_entry *entry;
	int state = archive_read_open_memory(reader, side->blob->data, side->blob->size);

	if (state != ARCHIVE_OK)
		return NOT_THIS;
	while (compared == COMPARED &&
		(state = archive_read_next_header(reader, &entry)) != ARCHIVE_EOF)
		compared = state == ARCHIVE_OK || state == ARCHIVE_WARN
				   ? add(side, reader, entry, writer, err)
				   : NOT_THIS;
	return compared;
}

static enum compared list_by(
	struct archive_side *side, int (*support)(struct archive *reader), struct error *err)
{
	struct archive *reader = archive_read_new();
	enum compared compared = COMPARE_FAILED;
	struct blob_writer writer;

	blob_write_start(&writer, &side->diff->budget);
	if (reader && support(reader) >= ARCHIVE_WARN)
		compared = read_all(side, reader, &writer, err);
	archive_read_free(reader);
	if (compared != COMPARED)
		blob_write_cancel(&writer);
	else if (blob_write_finish(&writer, &side->unpacked, NULL, err))
		compared = COMPARE_FAILED;
	side->end = side->blob->size;
	return compared;
}

static int load(const struct archive_side *side, struct member *member, struct error *err)
{
	(void)err;
	if (member->at != IN_PLACE)
		member->blob = blob_part(&side->unpacked, member->at, member->blob.size, NULL);
	return 0;
}

static enum compared list_seven_zip(struct archive_side *side, struct error *err)
{
	return list_by(side, archive_read_support_format_7zip, err);
}

static int say_compression(const struct archive_side sides[2], struct node *node, struct error *err)
{
	if (node->level != LEVEL_BITS || node->ignored_objects)
		return 0;
	if (node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION,
		    "the same members are compressed in another way"))
		return error_set(err, ENOMEM, "cannot compare %s", sides[0].blob->name);
	return 0;
}

enum compared seven_zip_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct archive_kind kind = {
		.list = list_seven_zip, .load = load, .say = say_compression
	};

	return archive_compare(diff, node, pair, &kind, err);
}

static enum compared list_iso9660(struct archive_side *side, struct error *err)
{
	return list_by(side, archive_read_support_format_iso9660, err);
}

static const struct field {
	const char *what;
	unsigned at, size;
	enum level level;
	const char *cause;
} fields[] = {
	{ "name of the volume", ISO_VOLUME, ISO_NAME, LEVEL_STRUCTURE, NULL },
	{ "time of creation", ISO_CREATED, ISO_DATE, LEVEL_CONTENT, CAUSE_TIME },
	{ "time of change", ISO_CHANGED, ISO_DATE, LEVEL_CONTENT, CAUSE_TIME },
};

static int say_volume(const struct archive_side sides[2], struct node *node, struct error *err)
{
	const struct pair systems = { blob_part(sides[0].blob, 0, ISO_SYSTEM, "system area"),
		blob_part(sides[1].blob, 0, ISO_SYSTEM, "system area") };

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct field *field = &fields[i];
		struct blob a = blob_part(sides[0].blob, ISO_SYSTEM + field->at, field->size, NULL);
		struct blob b = blob_part(sides[1].blob, ISO_SYSTEM + field->at, field->size, NULL);

		if (!blob_equal(&a, &b) &&
			node_say(node, field->level, field->cause, "%s: %.*s, %.*s", field->what,
				(int)a.size, (const char *)a.data, (int)b.size,
				(const char *)b.data))
			return error_set(err, ENOMEM, "cannot compare volumes");
	}
	return compare_part(sides[0].diff, node, "system area", &systems, err);
}

enum compared iso9660_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct archive_kind kind = {
		.list = list_iso9660, .load = load, .say = say_volume
	};

	return archive_compare(diff, node, pair, &kind, err);
}
