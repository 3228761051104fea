/*
 * Takes off gzip, and checks the sums that it has of the content: libarchive would pass over them.
 * Members may follow each other; anything else behind one is an error.
 */
#ifndef STET_IMAGE_GUNZIP_H
#define STET_IMAGE_GUNZIP_H

#include <stdbool.h>
#include <sys/types.h>
#include <zlib.h>

#define GUNZIP_CHUNK (1 << 17)

struct gunzip {
	z_stream state;
	bool is_between; /* members: the input may end here */
	unsigned char output[GUNZIP_CHUNK];
};

/* Do these bytes begin like it? */
bool gunzip_is(const unsigned char *data, size_t size);
/* NULL: no memory. */
struct gunzip *gunzip_new(void);
/* What comes of the input so far, 0 when more is needed, -1 with a reason. The input has to stay
 * until then. */
ssize_t gunzip_read(struct gunzip *gunzip, const void **data, const char **why);
void gunzip_give(struct gunzip *gunzip, const void *data, size_t size);
/* May the input end here? */
bool gunzip_is_complete(const struct gunzip *gunzip);
void gunzip_free(struct gunzip *gunzip);

#endif
