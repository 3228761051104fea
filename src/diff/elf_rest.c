#include "diff/elf_rest.h"

#include <errno.h>
#include <stdlib.h>

struct range {
	uint64_t start, end;
};

static int by_start(const void *a, const void *b)
{
	const struct range *one = a, *other = b;

	return (one->start > other->start) - (one->start < other->start);
}

static void add(struct range *ranges, size_t *count, uint64_t start, uint64_t bytes)
{
	if (bytes)
		ranges[(*count)++] = (struct range){ start, start + bytes };
}

/* All that is compared elsewhere, by places. */
static struct range *list_known(const struct elf *elf, size_t *count)
{
	struct range *ranges = calloc(elf->section_count + 3, sizeof(*ranges));

	*count = 0;
	if (!ranges)
		return NULL;
	add(ranges, count, 0, elf->wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
	add(ranges, count, elf->segments_at,
		elf->segment_count * (elf->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)));
	add(ranges, count, elf->sections_at,
		elf->section_count * (elf->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)));
	for (size_t i = 0; i < elf->section_count; i++)
		add(ranges, count, elf->sections[i].offset, elf->sections[i].bytes.size);
	qsort(ranges, *count, sizeof(*ranges), by_start);
	return ranges;
}

/* What lies between two ranges; zeros alone are padding. */
static int write_gap(struct blob_writer *writer, const struct blob *blob, uint64_t start,
	uint64_t end, struct error *err)
{
	for (uint64_t at = start; at < end; at++)
		if (blob->data[at])
			return blob_write(writer, blob->data + start, end - start, err);
	return 0;
}

static int write_gaps(struct blob_writer *writer, const struct elf *elf, struct error *err)
{
	size_t count;
	struct range *ranges = list_known(elf, &count);
	uint64_t end = 0;
	int failed = 0;

	if (!ranges)
		return error_set(err, ENOMEM, "cannot compare the rest");
	for (size_t i = 0; i < count && !failed; i++) {
		if (ranges[i].start > end)
			failed = write_gap(writer, elf->blob, end, ranges[i].start, err);
		if (ranges[i].end > end)
			end = ranges[i].end;
	}
	if (!failed)
		failed = write_gap(writer, elf->blob, end, elf->blob->size, err);
	free(ranges);
	return failed;
}

static int gaps_of(struct diff *diff, const struct elf *elf, struct blob *gaps, struct error *err)
{
	struct blob_writer writer;

	blob_write_start(&writer, &diff->budget);
	if (write_gaps(&writer, elf, err) == 0)
		return blob_write_finish(&writer, gaps, NULL, err);
	blob_write_cancel(&writer);
	return -1;
}

int elf_rest_compare(
	struct diff *diff, struct node *node, const struct elf sides[2], struct error *err)
{
	struct pair pair;
	int failed = -1;

	if (gaps_of(diff, &sides[0], &pair.a, err))
		return -1;
	if (gaps_of(diff, &sides[1], &pair.b, err) == 0) {
		failed = blob_equal(&pair.a, &pair.b)
				 ? 0
				 : compare_part(diff, node, "outside of sections", &pair, err);
		blob_unpacked_close(&pair.b, &diff->budget);
	}
	blob_unpacked_close(&pair.a, &diff->budget);
	if (!failed && sides[0].blob->size != sides[1].blob->size && node->level == LEVEL_BITS &&
		!node->ignored_objects &&
		node_say(node, LEVEL_CONTENT, NULL, "padding: the files have %llu and %llu bytes",
			(unsigned long long)sides[0].blob->size,
			(unsigned long long)sides[1].blob->size))
		failed = error_set(err, ENOMEM, "cannot compare the rest");
	return failed;
}
