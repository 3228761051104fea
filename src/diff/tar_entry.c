#include "diff/tar_entry.h"

#include <string.h>
#include <sys/stat.h>

/* Where headers have what. */
#define NAME		0
#define MODE		100
#define USER		108
#define GROUP		116
#define SIZE		124
#define TIME		136
#define CHECKSUM	148
#define TYPE		156
#define LINK		157
#define MAGIC		257
#define USER_NAME	265
#define GROUP_NAME	297
#define MAJOR		329
#define MINOR		337
#define PREFIX		345
#define NAME_SIZE	100
#define PREFIX_SIZE	155

#define GNU_EXTENDED	482 /* of sparse files: more of the map follows the header */
#define GNU_EXTENDED_ON 504 /* and more that block */

static bool binary_number(const struct blob *tar, uint64_t at, unsigned size, int64_t *number)
{
	bool negative = tar->data[at] & 0x40;
	uint64_t value = negative ? UINT64_MAX << 6 : 0;

	value |= tar->data[at] & 0x3f;
	for (unsigned i = 1; i < size; i++) {
		/* What is shifted out must be nothing but the sign. */
		if (value >> 55 != (negative ? 0x1ff : 0))
			return false;
		value = value << 8 | tar->data[at + i];
	}
	*number = (int64_t)value;
	return true;
}

bool tar_number(const struct blob *tar, uint64_t at, unsigned size, int64_t *number)
{
	unsigned i = 0;

	*number = 0;
	if (at > tar->size || tar->size - at < size)
		return false;
	if (tar->data[at] & 0x80)
		return binary_number(tar, at, size, number);
	while (i < size && tar->data[at + i] == ' ')
		i++;
	for (; i < size && tar->data[at + i] != ' ' && tar->data[at + i]; i++) {
		if (tar->data[at + i] < '0' || tar->data[at + i] > '7')
			return false;
		*number = *number << 3 | (tar->data[at + i] - '0');
	}
	return true;
}

/* The sum of all bytes, with blanks for the field itself. Some old programs took bytes for signed. */
bool tar_is_header(const struct blob *tar, uint64_t at)
{
	struct blob block = blob_part(tar, at, TAR_BLOCK, NULL);
	unsigned sum = 0, above = 0; /* of these, those that are negative when signed */
	int64_t stated;

	if (block.size < TAR_BLOCK || !tar_number(&block, CHECKSUM, 8, &stated))
		return false;
	for (unsigned i = 0; i < TAR_BLOCK; i++) {
		sum += block.data[i];
		above += block.data[i] >> 7;
	}
	for (unsigned i = CHECKSUM; i < CHECKSUM + 8; i++) {
		sum += ' ' - block.data[i];
		above -= block.data[i] >> 7;
	}
	return stated == sum || stated == (int64_t)sum - 256 * (int64_t)above;
}

static bool is_zero(const struct blob *tar, uint64_t at)
{
	static const unsigned char zeros[TAR_BLOCK];
	uint64_t left = at < tar->size ? tar->size - at : 0;

	return blob_has(tar, at, zeros, left < TAR_BLOCK ? left : TAR_BLOCK);
}

/* Links of these types have no bytes, whatever their size says: some writers give that of the file
 * that they are links to. */
static bool has_data(const struct blob *tar, const struct tar_entry *entry)
{
	if (entry->type == '1')
		return entry->stored && !is_zero(tar, entry->data) &&
		       !tar_is_header(tar, entry->data);
	return entry->type < '2' || entry->type > '6';
}

static bool set_end(const struct blob *tar, struct tar_entry *entry)
{
	uint64_t left = tar->size - entry->data;

	if (!has_data(tar, entry))
		entry->stored = 0;
	if (entry->stored > left)
		return false;
	entry->end = entry->data + entry->stored;
	entry->end += -entry->stored % TAR_BLOCK;
	if (entry->end > tar->size) /* the last, without its padding */
		entry->end = tar->size;
	return true;
}

/* Data of a header, with its size; more of GNU's map of a sparse file may be between them. */
static bool set_data(const struct blob *tar, struct tar_entry *entry)
{
	uint64_t extended = entry->header + GNU_EXTENDED;
	struct span size = tar_pax_find(&entry->pax, "size");
	int64_t stored;

	if (!tar_number(tar, entry->header + SIZE, 12, &stored) || stored < 0)
		return false;
	entry->stored = (uint64_t)stored;
	if (size.start && !tar_decimal(size, &entry->stored))
		return false;
	entry->data = entry->header + TAR_BLOCK;
	if (entry->type == 'S' && entry->is_gnu) {
		while (blob_le(tar, extended, 1)) {
			extended = entry->data + GNU_EXTENDED_ON;
			entry->data += TAR_BLOCK;
		}
	}
	return entry->data <= tar->size && set_end(tar, entry);
}

/* A header that is for the next one: a long name, a long target, records. */
static bool take_extension(const struct blob *tar, struct tar_entry *entry)
{
	switch (entry->type) {
	case 'L':
		entry->name = span_in(tar, entry->data, entry->stored);
		return true;
	case 'K':
		entry->link = span_in(tar, entry->data, entry->stored);
		return true;
	default:
		entry->pax = blob_part(tar, entry->data, entry->stored, NULL);
		return tar_pax_is_whole(&entry->pax);
	}
}

static void set_names(const struct blob *tar, struct tar_entry *entry)
{
	static const char *const keys[] = { "GNU.sparse.name", "path" };
	struct span found = { NULL, 0 }, link = tar_pax_find(&entry->pax, "linkpath");

	for (int i = 0; i < 2 && !found.start; i++)
		found = tar_pax_find(&entry->pax, keys[i]);
	if (found.start)
		entry->name = (struct span){ found.start, strnlen(found.start, found.size) };
	if (!entry->name.start) {
		entry->name = span_in(tar, entry->header + NAME, NAME_SIZE);
		if (blob_has(tar, entry->header + MAGIC, "ustar", 6))
			entry->prefix = span_in(tar, entry->header + PREFIX, PREFIX_SIZE);
	}
	if (link.start)
		entry->link = link;
	if (!entry->link.start)
		entry->link = span_in(tar, entry->header + LINK, NAME_SIZE);
}

static bool is_extension(char type)
{
	return type == 'L' || type == 'K' || type == 'x' || type == 'X';
}

enum tar_read tar_entry_read(const struct blob *tar, uint64_t at, struct tar_entry *entry)
{
	*entry = (struct tar_entry){ .start = at, .pax = blob_part(tar, 0, 0, NULL) };
	if (is_zero(tar, at))
		return TAR_END;
	for (;;) {
		struct blob records = entry->pax;

		if (!tar_is_header(tar, at))
			return TAR_DAMAGED;
		entry->header = at;
		entry->type = (char)tar->data[at + TYPE];
		entry->is_gnu = blob_has(tar, at + MAGIC, "ustar  ", 8);
		/* The size that records give is not that of further headers. */
		if (is_extension(entry->type))
			entry->pax.size = 0;
		if (!set_data(tar, entry))
			return TAR_DAMAGED;
		entry->pax = records;
		if (!is_extension(entry->type))
			break;
		if (!take_extension(tar, entry))
			return TAR_DAMAGED;
		at = entry->end;
	}
	if (entry->type == 'g') {
		entry->pax = blob_part(tar, entry->data, entry->stored, NULL);
		return tar_pax_is_whole(&entry->pax) ? TAR_ENTRY : TAR_DAMAGED;
	}
	set_names(tar, entry);
	return TAR_ENTRY;
}

static uint64_t number_or(
	const struct blob *tar, const struct tar_entry *entry, unsigned at, const char *key)
{
	struct span text = tar_pax_find(&entry->pax, key);
	uint64_t decimal;
	int64_t number;

	if (text.start && tar_decimal(text, &decimal))
		return decimal;
	tar_number(tar, entry->header + at, 8, &number);
	return (uint64_t)number;
}

static struct span text_or(
	const struct blob *tar, const struct tar_entry *entry, unsigned at, const char *key)
{
	struct span text = tar_pax_find(&entry->pax, key);

	if (text.start || !blob_has(tar, entry->header + MAGIC, "ustar", 5))
		return text;
	return span_in(tar, entry->header + at, 32);
}

/* Seconds, and what follows them in pax: ".25". Times before 1970 have a sign. */
static void set_time(
	const struct blob *tar, const struct tar_entry *entry, struct entry_facts *facts)
{
	struct span text = tar_pax_find(&entry->pax, "mtime"), seconds;
	const char *point = text.size ? memchr(text.start, '.', text.size) : NULL;
	bool before = text.size && text.start[0] == '-';
	uint64_t number;

	facts->timed = true;
	tar_number(tar, entry->header + TIME, 12, &facts->time);
	if (!text.start)
		return;
	seconds = (struct span){ text.start + before,
		(point ? (size_t)(point - text.start) : text.size) - before };
	if (!tar_decimal(seconds, &number))
		return;
	facts->time = before ? -(int64_t)number : (int64_t)number;
	if (point)
		facts->fraction = (struct span){ point, text.size - (size_t)(point - text.start) };
}

static mode_t type_bits(const struct tar_entry *entry)
{
	static const mode_t types[] = { ['2' - '0'] = S_IFLNK,
		['3' - '0'] = S_IFCHR,
		['4' - '0'] = S_IFBLK,
		['5' - '0'] = S_IFDIR,
		['6' - '0'] = S_IFIFO };
	unsigned type = (unsigned char)entry->type - '0';
	bool slash = entry->name.size && entry->name.start[entry->name.size - 1] == '/';

	if (type < sizeof(types) / sizeof(types[0]) && types[type])
		return types[type];
	return entry->type == '\0' && slash ? S_IFDIR : S_IFREG;
}

static const char *type_word(char type)
{
	switch (type) {
	case '1':
		return "hard link";
	case 'g':
		return "header for all that follow";
	case 'V':
		return "volume label";
	case 'M':
		return "continuation of another volume";
	case 'D':
		return "directory with a list of names";
	default:
		return NULL; /* as the mode says */
	}
}

struct entry_facts tar_entry_facts(const struct blob *tar, const struct tar_entry *entry)
{
	struct entry_facts facts = { .type = type_word(entry->type), .owned = true };
	int64_t mode, number;

	tar_number(tar, entry->header + MODE, 8, &mode);
	facts.mode = type_bits(entry) | ((mode_t)mode & 07777);
	facts.user = number_or(tar, entry, USER, "uid");
	facts.group = number_or(tar, entry, GROUP, "gid");
	facts.user_name = text_or(tar, entry, USER_NAME, "uname");
	facts.group_name = text_or(tar, entry, GROUP_NAME, "gname");
	if (entry->type == '1' || entry->type == '2')
		facts.target = entry->link;
	tar_number(tar, entry->header + MAJOR, 8, &number);
	facts.major = (uint64_t)number;
	tar_number(tar, entry->header + MINOR, 8, &number);
	facts.minor = (uint64_t)number;
	set_time(tar, entry, &facts);
	return facts;
}
