/* The options of `stet run`, and what they make of a container's configuration. */
#ifndef STET_CLI_RUN_OPTIONS_H
#define STET_CLI_RUN_OPTIONS_H

#include "box/box.h"
#include "cli/fetches.h"
#include "image/image.h"

struct run_options {
	struct box_config box;
	struct box_mount *mounts;
	size_t mount_count;
	char **assignments; /* of --env, in their order: NAME=VALUE */
	size_t assignment_count;
	struct fetches fetches;
	const char *image;  /* of --image, or NULL */
	struct image files; /* what that turned out to be */
	uint32_t relax;
	bool has_epoch; /* --epoch was given */
	bool quiet, help;
};

/* Reads the options behind argv[0]; box.command is what is left. */
int run_options_read(struct run_options *options, char **argv, struct error *err);

void run_options_help(void);
void run_options_release(struct run_options *options);

#endif
