#include "cli/environment.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FIXED_MAX 16

/* Replaces the variable of the same name, or adds one; `list` has room for it. */
static int assign(char **list, const char *assignment)
{
	size_t name = strcspn(assignment, "=") + 1;
	char *copy = strdup(assignment);

	if (!copy)
		return -1;
	while (*list && strncmp(*list, assignment, name) != 0)
		list++;
	free(*list);
	*list = copy;
	return 0;
}

static int assign_fixed(char **list, uid_t uid)
{
	const char *fixed[] = {
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		uid ? "HOME=/" : "HOME=/root",
		uid ? "USER=user" : "USER=root",
		uid ? "LOGNAME=user" : "LOGNAME=root",
		"SHELL=/bin/sh",
		"LANG=C.UTF-8",
		"TZ=UTC",
	};

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		if (assign(list, fixed[i]))
			return -1;
	return 0;
}

static int assign_epoch(char **list)
{
	const char *value = getenv("SOURCE_DATE_EPOCH");
	char *assignment;
	int failed;

	if (!value)
		return 0;
	if (asprintf(&assignment, "SOURCE_DATE_EPOCH=%s", value) < 0)
		return -1;
	failed = assign(list, assignment);
	free(assignment);
	return failed;
}

static size_t length(char *const *list)
{
	size_t count = 0;

	while (list && list[count])
		count++;
	return count;
}

/* As they are, in their order, twofold names included. */
static int copy_native(char **list)
{
	for (size_t i = 0; environ[i]; i++) {
		list[i] = strdup(environ[i]);
		if (!list[i])
			return -1;
	}
	return 0;
}

char **environment_make(
	uid_t uid, bool native, char *const *image, char *const *assignments, size_t count)
{
	char **list = calloc(
		count + length(image) + (native ? length(environ) : FIXED_MAX) + 1, sizeof(*list));
	int failed;

	if (!list)
		return NULL;
	failed = native ? copy_native(list) : assign_fixed(list, uid) || assign_epoch(list);
	for (; image && *image && !failed; image++)
		failed = assign(list, *image);
	for (size_t i = 0; i < count && !failed; i++)
		failed = assign(list, assignments[i]);
	if (!failed)
		return list;
	environment_release(list);
	return NULL;
}

void environment_release(char **environment)
{
	for (char **item = environment; item && *item; item++)
		free(*item);
	free(environment);
}
