/*
 * The descriptions of classes that a ROOT file has in itself (StreamerInfo): which members a class
 * of a version has, in which order, and of which types. Uses root_stream.
 */
#ifndef STET_DIFF_ROOT_STREAMERS_H
#define STET_DIFF_ROOT_STREAMERS_H

#include "diff/root_stream.h"

struct root_member {
	struct root_text name;	   /* of the member, or of the base class */
	struct root_text class;	   /* of the member */
	struct root_text count_by; /* of an array with a variable length: the member that has it */
	uint32_t type;		   /* as ROOT numbers them */
	uint32_t length;	   /* of an array */
};

struct root_class {
	struct root_text name;
	uint32_t version;
	size_t first, count; /* of its members */
};

/* Zeroed at first. Texts are parts of the payload that it was read from. */
struct root_streamers {
	struct root_class *classes;
	size_t class_count, class_room;
	struct root_member *members;
	size_t member_count, member_room;
};

/* From the unpacked payload of the record. What cannot be read is not there. -1 without memory. */
int root_streamers_read(
	struct root_streamers *streamers, const struct blob *payload, uint32_t key_bytes);
void root_streamers_release(struct root_streamers *streamers);

const struct root_class *root_streamers_find(
	const struct root_streamers *streamers, const struct root_text *name, uint32_t version);

#endif
