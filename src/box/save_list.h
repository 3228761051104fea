/*
 * What a run created, changed and deleted, as a layer of an OCI image says it: an item per name,
 * sorted by bytes, so that a directory comes before what is in it; also the directories that lead to
 * others. An empty file .wh.NAME says that NAME is gone, .wh..wh..opq in a directory that it took
 * the place of another. Sockets are left out.
 */
#ifndef STET_BOX_SAVE_LIST_H
#define STET_BOX_SAVE_LIST_H

#include "box/changes.h"

struct save_item {
	char *path;	    /* inside */
	struct stat status; /* as seen; without a mode: nothing is there */
	bool marker;	    /* of a deletion: no such file is there */
	bool gone;	    /* what was there at the start */
	bool anew;	    /* as in struct change */
	bool wanted;	    /* it is not only there because others may be below */
};

struct save_list {
	struct save_item *items;
	size_t count, room;
	const struct changes *changes;
};

/* To be released in any case. Names that would be taken for markers are an error. */
int save_list_make(struct save_list *list, const struct changes *changes, struct error *err);
void save_list_release(struct save_list *list);

#endif
