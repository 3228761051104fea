/* The options of `stet run`, and what they make of a container's configuration. */
#ifndef STET_CLI_RUN_OPTIONS_H
#define STET_CLI_RUN_OPTIONS_H

#include "box/box.h"
#include "image/image.h"

struct run_options {
	struct box_config box;
	struct box_mount *mounts;
	size_t mount_count;
	char **assignments; /* of --env, in their order: NAME=VALUE */
	size_t assignment_count;
	const char *image;  /* of --image, or NULL */
	struct image files; /* what that turned out to be */
	uint32_t relax;
	char **environment; /* the whole of it, NULL-terminated; NULL: it is to be made */
	/* Called when all is prepared, before the command runs; or NULL. */
	int (*adjust)(struct run_options *options, struct error *err);
	bool digest;	/* --digest: it is to be printed */
	bool has_epoch; /* --epoch was given */
	bool quiet, help;
};

/* What a subcommand that runs a command has besides the options of `stet run`. Setters get the
 * struct run_options. */
struct option_row;
struct run_extension {
	const char *name; /* of the subcommand */
	const char *usage, *summary;
	const struct option_row *rows;
	size_t row_count;
};

/* Reads the options behind argv[0]; box.command is what is left, which may be nothing. `extension`
 * may be NULL. */
int run_options_read(struct run_options *options, const struct run_extension *extension,
	char **argv, struct error *err);
/* Sets an option by its long name. */
int run_options_set(
	struct run_options *options, const char *name, const char *value, struct error *err);

/* To be called when there is to be a command. */
int run_options_need_command(
	const struct run_options *options, const char *usage, struct error *err);

void run_options_help(const struct run_extension *extension);
void run_options_release(struct run_options *options);

#endif
