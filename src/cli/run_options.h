/* The options of `stet run`, and what they make of a container's configuration. */
#ifndef STET_CLI_RUN_OPTIONS_H
#define STET_CLI_RUN_OPTIONS_H

#include "box/box.h"
#include "cli/fetches.h"
#include "cli/image_owners.h"
#include "cli/options.h"
#include "image/image.h"

struct inputs;
/* Looks at the inputs of a run that is prepared, before it starts. */
typedef int inputs_check(void *context, const struct inputs *inputs, struct error *err);

struct run_options {
	struct box_config box;
	struct box_mount *mounts;
	size_t mount_count;
	char **assignments; /* of --env, in their order: NAME=VALUE */
	size_t assignment_count;
	struct fetches fetches;
	const char *image; /* of --image, or NULL */
	uint64_t image_limit;
	struct image files;   /* what that turned out to be */
	char **image_command; /* the image's own, when none was given */
	struct image_owners owners;
	uint32_t relax;
	const char *attest, *json; /* files, or NULL */
	char **environment;	   /* the whole of it, NULL-terminated; NULL: it is to be made */
	/* Called when all is prepared, before the command runs; or NULL. */
	int (*adjust)(struct run_options *options, struct error *err);
	inputs_check *check; /* or NULL */
	void *check_context;
	bool digest;	   /* --digest: it is to be printed */
	bool keep_listing; /* in the result, for the caller to free */
	bool has_epoch;	   /* --epoch was given */
	bool has_user;	   /* --user was given */
	bool bare;	   /* the current directory is not mounted; not an option */
	bool quiet, help;
};

/* Reads the options behind argv[0]; box.command is what is left, which an image may have to say. */
int run_options_read(struct run_options *options, char **argv, struct error *err);
/* The same for subcommands that have read their options by a table of their own; `rest` is what is
 * left of the words. */
int run_options_settle(struct run_options *options, char **rest, struct error *err);
/* An error when nobody said what to run. */
int run_options_need_command(const struct run_options *options, struct error *err);

/* Sets an option by its long name. */
int run_options_set(
	struct run_options *options, const char *name, const char *value, struct error *err);

/* The table, for subcommands that have these options, too. */
const struct option_row *run_options_rows(size_t *count);
/* A copy with lists of its own, without downloads, and with the image still to be opened; *copy is to
 * be released in any case. */
int run_options_copy(
	struct run_options *copy, const struct run_options *options, struct error *err);
/* Adds a mount, or an assignment NAME=VALUE. */
int run_options_mount(struct run_options *options, const char *host, const char *inside,
	enum box_mount_mode mode, struct error *err);
int run_options_assign(struct run_options *options, const char *assignment, struct error *err);

void run_options_help(void);
void run_options_release(struct run_options *options);

#endif
