/*
 * The container: builds it, runs one command in it, relays, reaps, and takes it down again whatever
 * happens. Uses arena, code, event and base; knows nothing of command lines. Never prints, never
 * exits: messages come back in struct error.
 */
#ifndef STET_BOX_BOX_H
#define STET_BOX_BOX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "arena/machine.h"
#include "base/error.h"

enum box_mount_mode {
	BOX_MOUNT_RW,
	BOX_MOUNT_RO,
	BOX_MOUNT_COPY,
	BOX_MOUNT_HELD, /* as rw, but what changes is held back until the end: see write_back */
};

struct box_mount {
	const char *host, *inside;
	enum box_mount_mode mode;
};

/* Who owns a file of the image, by its absolute path there. */
struct box_owner {
	const char *path;
	uid_t uid;
	gid_t gid;
};

/* A file of the host that is there from the start, as if it were one of the image's: root's, 0644. */
struct box_file {
	const char *host, *inside;
};

enum box_net { BOX_NET_LOOPBACK, BOX_NET_NONE };

struct looks;

/* Somebody who wants to know what the run looks at (box/looks.h). Called when the command has come
 * to its end, before anything is written back; a failure is the run's. */
struct box_observer {
	void *context;
	int (*ended)(void *context, const struct looks *looks, struct error *err);
};

struct box_config {
	char **command;	    /* argv, NULL-terminated */
	char **environment; /* complete, NULL-terminated */
	const char
		*image; /* directory whose files the container starts with; NULL: this machine's */
	/* Files of the image belong to these, all others to root; unless they have owners of their
	 * own, which the container must be able to have: for root only. */
	const struct box_owner *owners;
	size_t owner_count;
	bool own_owners;
	/* Directory with files that lie over the image's, in the form of overlays: packages that
	 * were installed for the run. Or NULL. What --save and --digest take for changed is relative
	 * to the image alone. */
	const char *over;
	const char *workdir;
	bool make_workdir; /* when it is missing */
	const struct box_mount *mounts;
	size_t mount_count;
	bool write_back;    /* mounts that are held get their changes at the end */
	char *const *plain; /* places that are not to be overlays, NULL-terminated: as another
			     * container had it (looks.h); NULL: as this machine needs it */
	bool bundled;	    /* the files may be there without their content (arena/looks.h) */
	const struct box_observer *observer; /* or NULL */
	int input_copy;			     /* gets what the command is fed; 0: nobody does */
	const struct box_file *files;
	size_t file_count;
	const char *save; /* directory or tar to write changed files to, or NULL */
	uid_t uid;
	gid_t gid;
	const char *hostname;
	enum box_net net;
	const char *stdin_path; /* NULL: none; "-": stet's own; else a file */
	bool tty;
	double timeout;		      /* seconds; 0: none */
	uint32_t relax;		      /* enum relax bits */
	mode_t umask_change;	      /* bits in which the command's umask is not 022: for verify */
	bool backwards;		      /* names in directories come in reverse: for verify */
	unsigned pids_taken;	      /* before the command gets its own: for verify */
	struct machine machine;	      /* without names and ids, which are above */
	const char *entropy_file;     /* of --entropy record or replay, or NULL */
	bool digest;		      /* result.digest is wanted */
	bool list;		      /* and result.listing */
	const char *const *own_files; /* that may lie in mounts and are not the run's, or NULL */
	const char *log;	      /* --log file or NULL */
	const char *cache;	      /* directory of the code cache, or NULL to run uncached */
	bool stats;		      /* --stats: print the table on standard error at the end */
	bool strict;		      /* --strict-order: nothing runs ahead of its turn */
	uint32_t conflict_at;	      /* for tests: start again at this event; 0: do not */
	uint64_t delays;	      /* for tests: seed of delays in the guest; 0: none */
	bool logs_ahead; /* for debugging: a log does not keep tasks from running ahead */
	bool verbose;
	void (*note)(const char *line); /* takes remarks, or NULL */
};

/* What came out of a stream. */
struct box_output {
	uint64_t bytes;
	char hash[65]; /* SHA-256 in hexadecimal */
};

/* How a run ended. */
struct box_result {
	int status;	 /* exit status for stet, as stet-run(1) has it */
	bool timed_out;	 /* the status is that of the timeout */
	const char *cut; /* why it did not come to its own end, or NULL */
	char digest[65]; /* SHA-256 in hexadecimal, when it was wanted; "" when there is none, */
	const char *no_digest; /* and why */
	char saved
		[65]; /* SHA-256 of the tar of `save`, when there is one, and a digest was wanted */
	struct box_output output[2]; /* standard output and error, when there is a digest */
	/* What that says of files (doc/digest.md), when it was wanted: a line each. Before each
	 * stands what the run did to it: a letter of enum box_deed. To be freed. */
	char *listing;
	char refusals[512]; /* what was refused to the command, a line; "" when nothing was */
};

/* Can a container have all users of this machine, and not only the one that it is run as? Then files
 * can have owners of their own. */
bool box_has_all_ids(void);

enum box_deed {
	BOX_FOUND = ' ',
	BOX_MADE = '+',
	BOX_CHANGED = '*',
	BOX_DELETED = '-',
	BOX_UNKNOWN = '?'
};

/* Runs the command. 0 when it ran, whatever its status; -1 with err when Stet itself failed. */
int box_run(const struct box_config *config, struct box_result *result, struct error *err);

#endif
