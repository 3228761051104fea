/* Makes entries of the cache: unpacks tars and OCI layouts, once, whoever else does the same. */
#ifndef STET_IMAGE_MAKE_H
#define STET_IMAGE_MAKE_H

#include "image/store.h"
#include "image/unpack.h"

/* An image on its way to an entry that is in use. */
struct making {
	const char *name; /* what messages call it */
	const char *path; /* where it is, absolute */
	const char *tag;  /* which of several, or NULL */
	const struct image_options *options;
	struct image_store store;
	struct image_info info; /* of the entry, and */
	int lock;		/* its lock, in the end */
};

/* All three: 1 when the entry is in use. 0: it was pruned in the last moment, or there is none. -1 on
 * errors. */
int make_from_tar(struct making *making, int file, struct error *err);
int make_from_layout(struct making *making, int dir, struct error *err);
int make_from_entry(struct making *making, const char *entry, struct error *err);

/* Unpacks the files of a new entry; sets info->entry. */
typedef int make_filler(struct making *making, struct unpack *unpack, struct image_info *info,
	const void *from, struct error *err);
/* Makes an entry, of which `info` has the kind so far. */
int make_entry(struct making *making, struct image_info *info, make_filler *fill, const void *from,
	struct error *err);

#endif
