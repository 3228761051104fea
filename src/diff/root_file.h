/*
 * A ROOT file as a list of records: what lies between fBEGIN and fEND, one behind the other, and
 * what the directories list besides, in the order of the file; each with the directory that it
 * belongs to. Payloads are not looked at. Everything is checked: sizes, places, directories that
 * contain themselves. Uses blob and root_key.
 */
#ifndef STET_DIFF_ROOT_FILE_H
#define STET_DIFF_ROOT_FILE_H

#include "diff/root_key.h"

/* Records that keep the file together, and those that are what it is for. */
enum root_kind {
	ROOT_FILE,	/* the first one: the top directory, with the file's name and UUID */
	ROOT_KEYS,	/* a directory's list of keys */
	ROOT_STREAMERS, /* the descriptions of classes */
	ROOT_FREE,	/* the list of free segments */
	ROOT_DIRECTORY, /* times, places and the UUID of a directory */
	ROOT_OBJECT,
};

struct root_record {
	uint64_t at;
	struct root_key key;
	uint32_t directory; /* its index */
	uint32_t again;	    /* of several with the same name, class and cycle: which; from 0 */
	enum root_kind kind;
	bool listed;		  /* by its directory: a reader finds it by name */
	struct root_record *mate; /* what it is compared with */
};

#define ROOT_UUID 16

struct root_directory {
	uint64_t at;	   /* of its record */
	uint32_t parent;   /* its index; the top one has itself */
	uint32_t identity; /* the same number for the same path in both files */
	struct root_text name;
	uint32_t created, modified;
	uint64_t keys_at; /* where its list is; 0: it has none */
};

struct root_file {
	const struct blob *blob;
	uint32_t version, compression;
	bool wide; /* seeks of the header have eight bytes: it may be larger than 2 GB */
	uint64_t begin, end, free_at, streamers_at;
	unsigned char uuid[ROOT_UUID]; /* zeros if there is none */

	struct root_record *records;
	size_t record_count, record_room;
	struct root_directory *directories; /* parents before children */
	size_t directory_count, directory_room;
	uint64_t gaps, gap_bytes; /* deleted records */
	uint64_t damage_at;	  /* where no record is that should be one; 0: nowhere */
	uint64_t scan_end;	  /* so far records follow each other */
	bool baskets_moved;	  /* some have mates elsewhere: the same tree may refer to others */
};

/* Not even the first record can be read: ROOT_DAMAGED. No memory, or more than `most` records:
 * ROOT_FAILED with err. To be released in any case. */
enum root_read { ROOT_READ, ROOT_DAMAGED, ROOT_FAILED };
enum root_read root_file_read(
	struct root_file *file, const struct blob *blob, uint64_t most, struct error *err);
void root_file_release(struct root_file *file);

bool root_file_is(const struct blob *blob);
/* The record that begins at `at`, or NULL. */
struct root_record *root_file_find(const struct root_file *file, uint64_t at);

/* Payload as it is in the file, and what a key has behind its texts. */
struct blob root_record_packed(const struct root_file *file, const struct root_record *record);
struct blob root_record_extra(const struct root_file *file, const struct root_record *record);

/* Gives the same identities to the directories of both; -1 without memory. */
int root_directories_identify(struct root_file *a, struct root_file *b);

#endif
