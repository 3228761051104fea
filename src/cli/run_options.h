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
	const char *image; /* of --image, or NULL */
	uint64_t image_limit;
	struct image files;   /* what that turned out to be */
	char **image_command; /* the image's own, when none was given */
	uint32_t relax;
	bool has_epoch; /* --epoch was given */
	bool has_user;	/* --user was given */
	bool quiet, help;
};

/* Reads the options behind argv[0]; box.command is what is left, which an image may have to say. */
int run_options_read(struct run_options *options, char **argv, struct error *err);
/* An error when nobody said what to run. */
int run_options_need_command(const struct run_options *options, struct error *err);

void run_options_help(void);
void run_options_release(struct run_options *options);

#endif
