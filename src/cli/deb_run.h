/* Scripts in a container: the steps of `stet deb`. */
#ifndef STET_CLI_DEB_RUN_H
#define STET_CLI_DEB_RUN_H

#include "cli/run_options.h"

/* Where scripts find things. */
#define DEB_INPUT   "/run/stet/input"
#define DEB_RESULTS "/run/stet/results"

enum { DEB_ARGUMENTS = 3 };

struct deb_script {
	const char *text; /* of a shell; what it and its programs say goes to the log */
	const char *arguments[DEB_ARGUMENTS]; /* $1 and so on, as far as they are not NULL */
	const char *input;		      /* directory of the host: seen at DEB_INPUT */
	const char *results;		      /* likewise, to be written to; or NULL */
	const char *over;		      /* files over the image's; or NULL */
	const char *save;		      /* for files that were changed; or NULL */
	const char *log;		      /* file to be made */
};

/* The script's exit status, or -1 with err. */
int deb_run(const struct run_options *options, const struct deb_script *script, struct error *err);

#endif
