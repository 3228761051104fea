#include "cli/verify_environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/environment.h"

#define FILLER	"STET_VERIFY_FILLING"
#define FILLERS 16   /* more than variations add */
#define FILLING 1024 /* bytes, likewise */

static bool cache_pinned;

static void pin_cache(void)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *path;

	if ((base && *base) || !home || asprintf(&path, "%s/.cache", home) < 0)
		return;
	setenv("XDG_CACHE_HOME", path, 1);
	cache_pinned = true;
	free(path);
}

/* Variables that are Stet's own, or name places which the container does not have. */
static void clear_environment(void)
{
	static const char *const names[] = { "PWD", "OLDPWD", "TMPDIR", "STET_DEBUG_DELAYS" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
	if (cache_pinned)
		unsetenv("XDG_CACHE_HOME");
}

struct size {
	size_t count, bytes;
};
static struct size caller; /* as it was before any variation */

static struct size environment_size(void)
{
	struct size size = { 0 };

	for (char **variable = environ; *variable; variable++) {
		size.bytes += strlen(*variable) + 1;
		size.count++;
	}
	return size;
}

/* Its size decides where stacks begin, which is VARY_ASLR's business: it is always the same. */
static void fill_environment(const struct size *first)
{
	struct size size = environment_size();
	char name[sizeof(FILLER) + 8], text[FILLING] = "";

	for (; size.count + 1 < first->count + FILLERS; size.count++) {
		snprintf(name, sizeof(name), FILLER "%02zu", first->count + FILLERS - size.count);
		setenv(name, "", 1);
	}
	size = environment_size();
	if (size.bytes < first->bytes + sizeof(text))
		memset(text, '.', first->bytes + sizeof(text) - 1 - size.bytes);
	setenv(FILLER, text, 1);
}

void verify_environment_note(void)
{
	pin_cache();
	caller = environment_size();
}

int verify_environment_use(struct run_options *options, struct error *err)
{
	clear_environment();
	fill_environment(&caller);
	environment_release(options->box.environment);
	options->box.environment = environment_make(options->box.uid, true,
		options->files.config.environment, options->assignments, options->assignment_count);
	return options->box.environment ? 0 : error_set(err, ENOMEM, "the environment");
}
