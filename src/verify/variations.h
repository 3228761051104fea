/*
 * Conditions that can be other in another run of the same command: what each is called, what it is,
 * and how it is set up. Outside, they are conditions of the process that runs the container, which
 * must make no difference; inside, they are what the container fixes, fixed to something else or
 * left native, so that a command's own faults show. Uses box for its configuration only.
 */
#ifndef STET_VERIFY_VARIATIONS_H
#define STET_VERIFY_VARIATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "box/box.h"

/* Those first that make a difference most often: --bisect names them in this order. */
enum variation {
	VARY_TIME,
	VARY_RANDOM,
	VARY_PATH,
	VARY_ORDER,
	VARY_LOCALE,
	VARY_HOST,
	VARY_ASLR,
	VARY_PARALLEL,
	VARY_USER,
	VARY_UMASK,
	VARY_TIMEZONE,
	VARY_ENVIRONMENT,
	VARY_HOME,
	VARY_EXEC_PATH,
	VARY_KERNEL,
	VARY_CPUS,
	VARY_MACHINE,
	VARY_PID,
	VARY_INODE,
	VARY_LOAD,
	VARIATIONS,
};

/* What new files have or do not have because of VARY_UMASK. */
#define VARY_UMASK_BITS 0020

/* Room for all that is said of all of them. */
#define VARIATIONS_TEXT 1024

/* Sets of them have a bit for each. */
#define VARY_BIT(variation) (1u << (variation))
#define VARY_ALL	    (VARY_BIT(VARIATIONS) - 1)

/* What is set inside; the caller has filled it as it is without any variation. */
struct inside {
	struct box_config *box;
	const char *place; /* of the directory in which the command runs */
};

const char *variation_name(enum variation variation);
/* In a few words. */
const char *variation_says(enum variation variation);

/*
 * NAME,NAME...: these and no others; with + or - before each NAME: all but for those with -; the
 * optional + is for lists that are made by machines. `all` and `none` are names as well.
 */
int variations_read(const char *text, uint32_t *set, struct error *err);
/* "time, umask", with `between` between them. */
void variations_tell(uint32_t set, const char *between, char *text, size_t room);
/* "time + umask (date and time, umask)". */
void variations_explain(uint32_t set, char *text, size_t room);

/* Sets conditions of the calling process; `turn` is 1 in the first run that has any, and so on. What
 * cannot be set stays as it is. */
void variations_outside(uint32_t set, unsigned turn);
void variations_inside(uint32_t set, unsigned turn, struct inside *inside);

#endif
