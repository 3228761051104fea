#include "diff/root_name.h"

#include <stdio.h>
#include <stdlib.h>

#define TEXT_MOST 1000 /* bytes of one name that are shown */
#define DEEP_MOST 100  /* directories above it that are shown */

static void put_text(FILE *out, const struct root_text *text)
{
	for (uint32_t i = 0; i < text->size && i < TEXT_MOST; i++)
		fputc(text->text[i] ? text->text[i] : '?', out);
	if (text->size > TEXT_MOST)
		fputs("...", out);
}

static void put_path(FILE *out, const struct root_file *file, uint32_t directory)
{
	uint32_t above[DEEP_MOST];
	unsigned deep = 0;

	for (; directory && deep < DEEP_MOST; directory = file->directories[directory].parent)
		above[deep++] = directory;
	if (directory)
		fputs(".../", out);
	while (deep-- > 0) {
		put_text(out, &file->directories[above[deep]].name);
		fputc('/', out);
	}
}

static void put_object(FILE *out, const struct root_record *record)
{
	put_text(out, &record->key.name);
	fprintf(out, ";%d (", record->key.cycle);
	put_text(out, &record->key.class);
	/* The title of a TBasket is the name of its tree. */
	if (root_text_is(&record->key.class, "TBasket")) {
		fputs(" of ", out);
		put_text(out, &record->key.title);
	}
	fputc(')', out);
}

static char *finish(FILE *out, char **text)
{
	if (fclose(out) == 0)
		return *text;
	free(*text);
	return NULL;
}

char *root_record_name(const struct root_file *file, const struct root_record *record)
{
	static const char *const kinds[] = {
		[ROOT_FILE] = "TFile",
		[ROOT_KEYS] = "KeysList",
		[ROOT_STREAMERS] = "StreamerInfo",
		[ROOT_FREE] = "FreeSegments",
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	put_path(out, file, record->directory);
	if (record->kind < ROOT_DIRECTORY)
		fputs(kinds[record->kind], out);
	else
		put_object(out, record);
	if (record->again)
		fprintf(out, " #%u", record->again + 1);
	return finish(out, &text);
}

char *root_text_copy(const struct root_text *text)
{
	char *copy = NULL;
	size_t size;
	FILE *out = open_memstream(&copy, &size);

	if (!out)
		return NULL;
	put_text(out, text);
	return finish(out, &copy);
}
