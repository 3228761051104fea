#include "diff/jpeg_exif.h"

#include <string.h>

#include "diff/cause.h"

#define TAG_EXIF   0x8769 /* where the directory of Exif is */
#define ENTRY	   12
#define DATE	   20 /* with its end */
#define TYPE_ASCII 2
#define FACTS_MOST 12 /* of one segment; what is beyond stays in the bytes */

static const struct {
	unsigned tag;
	const char *name;
} dates[] = { { 0x0132, "changed" }, { 0x9003, "taken" }, { 0x9004, "digitized" } };

/* The TIFF file in a segment. */
struct tiff {
	struct member *member;
	struct blob blob;
	unsigned char *copy;
	bool big; /* endian */
};

static uint64_t number(const struct tiff *tiff, uint64_t at, unsigned bytes)
{
	return tiff->big ? blob_be(&tiff->blob, at, bytes) : blob_le(&tiff->blob, at, bytes);
}

static int take_entry(struct tiff *tiff, uint64_t at)
{
	uint64_t tag = number(tiff, at, 2), place = number(tiff, at + 8, 4);

	if (number(tiff, at + 2, 2) != TYPE_ASCII || number(tiff, at + 4, 4) != DATE ||
		place > tiff->blob.size || tiff->blob.size - place < DATE)
		return 0;
	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++) {
		if (dates[i].tag != tag || tiff->member->fact_count == FACTS_MOST)
			continue;
		if (member_fact(tiff->member, dates[i].name, LEVEL_CONTENT, CAUSE_TIME, "%.*s",
			    DATE - 1, (const char *)tiff->blob.data + place))
			return -1;
		memset(tiff->copy + place, 0, DATE);
	}
	return 0;
}

/* The entries of a directory; *exif, if not NULL, is set to where that of Exif is, or to 0. */
static int take_directory(struct tiff *tiff, uint64_t at, uint64_t *exif)
{
	uint64_t count = number(tiff, at, 2);

	for (uint64_t i = 0; i < count; i++) {
		uint64_t entry = at + 2 + ENTRY * i;

		if (exif && number(tiff, entry, 2) == TAG_EXIF)
			*exif = number(tiff, entry + 8, 4);
		else if (take_entry(tiff, entry))
			return -1;
	}
	return 0;
}

int jpeg_exif_take_dates(struct member *member, const struct blob *segment, unsigned char *copy)
{
	struct tiff tiff = { .member = member,
		.blob = blob_part(segment, JPEG_EXIF_MARK_BYTES, UINT64_MAX, NULL),
		.copy = copy + JPEG_EXIF_MARK_BYTES };
	uint64_t exif = 0;

	tiff.big = blob_has(&tiff.blob, 0, "MM\0*", 4);
	if (!tiff.big && !blob_has(&tiff.blob, 0, "II*\0", 4))
		return 0;
	if (take_directory(&tiff, number(&tiff, 4, 4), &exif))
		return -1;
	return exif ? take_directory(&tiff, exif, NULL) : 0;
}
