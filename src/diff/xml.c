#include "diff/xml.h"

#include <errno.h>
#include <string.h>

#include "diff/text.h"
#include "diff/xml_lines.h"

bool xml_is(const struct blob *blob)
{
	static const struct {
		const char *bytes;
		size_t count;
	} starts[] = {
		{ "<?xml ", 6 },
		{ "\xef\xbb\xbf<?xml ", 9 },
		{ "\xff\xfe<\0?\0x\0", 8 },
		{ "\xfe\xff\0<\0?\0x", 8 },
	};
	const char *dot = blob->name ? strrchr(blob->name, '.') : NULL;

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (blob_has(blob, 0, starts[i].bytes, starts[i].count))
			return true;
	return dot && blob_has(blob, 0, "<", 1) &&
	       (strcmp(dot, ".xml") == 0 || strcmp(dot, ".svg") == 0);
}

static enum compared compare_lines(
	struct diff *diff, struct node *node, const struct pair *lines, struct error *err)
{
	if (!blob_equal(&lines->a, &lines->b))
		return text_compare(diff, node, lines, err);
	if (node_say(node, LEVEL_CONTENT, NULL,
		    "the same elements: differs only in blanks between them, the order of "
		    "attributes, quotes or the encoding") == 0)
		return COMPARED;
	error_set(err, ENOMEM, "cannot compare %s", node->name);
	return COMPARE_FAILED;
}

enum compared xml_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	struct pair lines;
	enum compared done = xml_lines_make(diff, &pair->a, &lines.a, err);

	if (done != COMPARED)
		return done;
	done = xml_lines_make(diff, &pair->b, &lines.b, err);
	if (done == COMPARED) {
		done = compare_lines(diff, node, &lines, err);
		blob_unpacked_close(&lines.b, &diff->budget);
	}
	blob_unpacked_close(&lines.a, &diff->budget);
	return done;
}
