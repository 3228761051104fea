/* What the subcommands of `stet image` share, and how `stet run` gets at an image. */
#ifndef STET_CLI_IMAGE_H
#define STET_CLI_IMAGE_H

#include "image/image.h"
#include "image/refs.h"

/* Opens an image with what a command line has for it: the cache, a line that shows how far it is,
 * and an end without leftovers when a signal asks for it. */
int image_prepare(
	const char *name, uint64_t limit, bool quiet, struct image *image, struct error *err);

/* What the words behind `stet image SUBCOMMAND` say. */
struct image_words {
	const char *words[2];
	size_t count;
	const char *json;
	uint64_t limit, older;
	bool all, dry_run, check, quiet, help;
};

/* Subcommands: 0 or another exit status, or -1 with an error. */
int image_list(const struct image_words *words, struct error *err);
int image_inspect(const struct image_words *words, struct error *err);
int image_import(const struct image_words *words, struct error *err);
int image_prune(const struct image_words *words, struct error *err);
int image_remove(const struct image_words *words, struct error *err);
int image_tell_digest(const struct image_words *words, struct error *err);

/* The cache, for who looks at it. */
int image_cache_open(struct image_store *store, struct error *err);

#define SHORT_DIGEST 12 /* digits that are enough for people */
#define SIZE_TEXT    16
/* Bytes for people: 298.4 MB */
void image_size_text(uint64_t bytes, char text[SIZE_TEXT]);

#endif
