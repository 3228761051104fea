/*
 * The index of a bundle: what a run was given, what it looked at, and what it gave. A bundle is a
 * tar, compressed by zstd, whose first member is this index as JSON; doc/bundles.md has the format.
 * Uses base and jansson.
 */
#ifndef STET_BUNDLE_INDEX_H
#define STET_BUNDLE_INDEX_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/hash.h"

#define BUNDLE_VERSION	1
#define BUNDLE_INDEX	"index.json" /* members of the tar: the index, */
#define BUNDLE_INPUT	"stdin"	     /* what the command was fed, */
#define BUNDLE_ENTROPY	"entropy"    /* its random bytes, as --entropy replay takes them, */
#define BUNDLE_CONTENTS "files"	     /* and contents, by their paths inside */

enum bundle_type { BUNDLE_FILE, BUNDLE_DIRECTORY, BUNDLE_LINK, BUNDLE_FIFO, BUNDLE_SOCKET };

/* What is known of a file. */
enum bundle_state {
	BUNDLE_READ,   /* everything */
	BUNDLE_LOOKED, /* its attributes, but not its content */
	BUNDLE_LISTED, /* its name and type */
	BUNDLE_DENIED, /* its attributes, and that its content could not be read */
};

struct bundle_label {
	char *name;
	unsigned char *value;
	size_t bytes;
};

struct bundle_file {
	char *path; /* inside, without links on the way */
	enum bundle_type type;
	enum bundle_state state;
	mode_t mode;
	uid_t uid;
	gid_t gid;
	uint64_t size;
	char hash[HASH_TEXT]; /* of its content, when it has one; else "" */
	char *target;	      /* of a link */
	char *same;	      /* the path of an earlier one that is the same file, or NULL */
	unsigned links;	      /* how many names it has, in all */
	bool complete;	      /* of a directory: all names in it are known */
	bool timed;	      /* the time of its last change counts, in seconds */
	int64_t time;
	struct bundle_label *labels; /* extended attributes */
	size_t label_count;
};

/* Bytes that go with the bundle. */
struct bundle_bytes {
	bool present;
	uint64_t size;
	char hash[HASH_TEXT];
};

struct bundle_mount {
	char *place;
	char *mode; /* "rw", "ro" or "copy" */
	bool directory;
};

struct bundle_index {
	char **command, **environment; /* NULL-terminated */
	char *workdir;
	json_t *options; /* of `stet run`, by their names: texts */
	struct bundle_mount *mounts;
	size_t mount_count;
	char **plain; /* box_config.plain */
	bool tty;
	struct bundle_bytes input, entropy;
	bool input_is_file;	/* the command could seek in it */
	char digest[HASH_TEXT]; /* of the result */
	int status;
	struct bundle_file *files; /* sorted by path */
	size_t file_count;
	char **missing; /* sorted paths of what was looked for and not there */
	size_t missing_count;
};

/* The index as text, to be freed: on one line, or made to be read. NULL with err. */
char *index_write(const struct bundle_index *index, bool readable, struct error *err);
/* From such a text, which is checked. `name` is the bundle's, for messages. */
int index_read(struct bundle_index *index, const char *text, size_t bytes, const char *name,
	struct error *err);
void index_release(struct bundle_index *index);

/* Both NULL when there is none. */
const struct bundle_file *index_find(const struct bundle_index *index, const char *path);
bool index_is_missing(const struct bundle_index *index, const char *path);
/* The mount that holds the path: its number, or -1. */
int index_mount_of(const struct bundle_index *index, const char *path);

/* A NULL-terminated copy; NULL without memory. */
char **index_copy_list(char *const *list);

/* A word for each. */
extern const char *const bundle_types[5], *const bundle_states[4];

#endif
