/* A build of a source package, step by step: what the parts of `stet deb` share. */
#ifndef STET_CLI_DEB_H
#define STET_CLI_DEB_H

#include "box/scratch.h"
#include "cli/deb_options.h"
#include "deb/apt.h"
#include "deb/dsc.h"

struct deb {
	struct deb_options options;
	struct dsc dsc;
	struct scratch scratch; /* all that is temporary */
	char *source;		/* directory with the parts of the package, checked */
	struct apt_plan plan;	/* what was to be installed */
	char *layer;		/* what lies over the image, or NULL */
	char *tree;		/* name of the source tree: PACKAGE-VERSION */
	char *log;		/* name of the log: PACKAGE_VERSION_amd64.build */
	char *statement;	/* likewise, .intoto.json */
};

/* A path in the scratch directory, to be freed. */
char *deb_place(const struct deb *deb, const char *name);
/* Shows what is done now: on a terminal, or to who wants explanations. */
void deb_tell(const struct deb *deb, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets clock and environment as the source package wants them; unpacks it for that. */
int deb_build_prepare(struct deb *deb, struct error *err);
/*
 * Builds. Results, and the log, are in the directory deb_place(NAME). The answer is the status of the
 * build, or -1 with err. `other`: under other conditions, of which none may matter.
 */
int deb_build(struct deb *deb, const char *name, bool other, struct error *err);

/* Writes a statement of what went in and what came out, to the results in a directory; `builds` of
 * them gave the same. */
int deb_attest(const struct deb *deb, const char *directory, int builds, struct error *err);

/* Copies a file, or all of those in a directory, to where results go. */
int deb_deliver(const struct deb *deb, const char *from, const char *name, struct error *err);
int deb_deliver_all(const struct deb *deb, const char *directory, struct error *err);

#endif
