#include "diff/pyc.h"

#include <time.h>

#include "diff/cause.h"
#include "diff/listed.h"

typedef unsigned long long number;

/* Magic numbers of Python 3.7, which made the header four words, and of versions to come. */
#define MAGIC_LEAST 3390
#define MAGIC_MOST  3999
#define HEADER	    16
#define BY_HASH	    1 /* a flag: a hash of the source instead of its time and size */
#define FLAGS_ALL   3 /* the other: whether the hash is to be checked */
#define CODE	    'c'
#define REFERENCE   0x80 /* a bit of that: the object is referred to later */

bool pyc_is(const struct blob *blob)
{
	uint64_t magic = blob_le(blob, 0, 2);

	return blob->size > HEADER && blob_has(blob, 2, "\r\n", 2) && magic >= MAGIC_LEAST &&
	       magic <= MAGIC_MOST && blob_le(blob, 4, 4) <= FLAGS_ALL &&
	       (blob->data[HEADER] & ~REFERENCE) == CODE;
}

static int time_fact(struct member *header, uint64_t seconds)
{
	time_t when = (time_t)seconds;
	char text[32] = "";
	struct tm parts;

	if (gmtime_r(&when, &parts))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &parts);
	return member_fact(header, "time of the source", LEVEL_CONTENT, CAUSE_TIME, "%s", text);
}

static int add_facts(struct member *header, const struct blob *blob)
{
	uint64_t flags = blob_le(blob, 4, 4);

	if (member_fact(header, "magic number", LEVEL_DIFFERENT, CAUSE_VERSION, "%llu",
		    (number)blob_le(blob, 0, 2)) ||
		member_fact(header, "known by", LEVEL_CONTENT, NULL, "%s",
			!(flags & BY_HASH)   ? "time and size"
			: flags == FLAGS_ALL ? "hash"
					     : "hash, unchecked"))
		return -1;
	if (flags & BY_HASH)
		return member_fact(header, "hash of the source", LEVEL_CONTENT, CAUSE_HASH,
			"%016llx", (number)blob_be(blob, 8, 8));
	if (time_fact(header, blob_le(blob, 8, 4)))
		return -1;
	return member_fact(header, "size of the source", LEVEL_CONTENT, NULL, "%llu",
		(number)blob_le(blob, 12, 4));
}

static enum compared list_parts(
	struct diff *diff, const struct blob *blob, struct members *members, struct error *err)
{
	struct member *header = listed_add(members, diff, "header", NULL, err);
	struct blob code = blob_part(blob, HEADER, UINT64_MAX, NULL);

	if (!header || add_facts(header, blob) || !listed_add(members, diff, "code", &code, err))
		return COMPARE_FAILED;
	return COMPARED;
}

enum compared pyc_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct remainder remainder = { "another header", NULL };

	return listed_compare(diff, node, pair, list_parts, &remainder, err);
}
