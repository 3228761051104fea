#include "deb/apt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "deb/program.h"

#define OPTION_MAX 4200 /* a path and what it is for */
#define SETTINGS   21

/* The next line of *text, cut off there; NULL at the end. */
static char *take_line(char **text)
{
	return *text && **text ? strsep(text, "\n") : NULL;
}

/* How apt leaves this machine's files alone. */
struct settings {
	char status[OPTION_MAX], extended[OPTION_MAX], cache[OPTION_MAX];
	char *argv[SETTINGS]; /* the program, and options for all that */
};

static size_t make_settings(const struct apt_request *request, struct settings *settings)
{
	char *argv[] = { "apt-get", "-y", "-q", "-o", settings->status, "-o", settings->extended,
		"-o", settings->cache, "-o", "Dir::Cache::pkgcache=", "-o",
		"Dir::Cache::srcpkgcache=", "-o", "Debug::NoLocking=1", "-o",
		"APT::Install-Recommends=0", "-o", "APT::Get::AutomaticRemove=0", "-o",
		"APT::Sandbox::User=" };

	_Static_assert(sizeof(argv) == sizeof(settings->argv), "all of them");
	snprintf(settings->status, OPTION_MAX, "Dir::State::status=%s", request->status);
	snprintf(settings->extended, OPTION_MAX, "Dir::State::extended_states=%s/extended_states",
		request->scratch);
	snprintf(settings->cache, OPTION_MAX, "Dir::Cache=%s", request->scratch);
	memcpy(settings->argv, argv, sizeof(argv));
	return SETTINGS;
}

/* Runs apt-get with these words, in `directory`. */
static int run_apt(const struct apt_request *request, char *const *words, size_t count,
	const char *directory, char **output, struct error *err)
{
	struct settings settings;
	size_t used = make_settings(request, &settings);
	cleanup_free char **argv = calloc(used + count + 1, sizeof(*argv));

	if (!argv) {
		error_set(err, ENOMEM, "cannot run apt-get");
		return -1;
	}
	memcpy(argv, settings.argv, used * sizeof(*argv));
	memcpy(argv + used, words, count * sizeof(*argv));
	return program_run(argv, directory, output, err);
}

/* The first line that says what is wrong. */
static const char *first_error(char *output)
{
	char *line;

	while ((line = take_line(&output)))
		if (strncmp(line, "E: ", 3) == 0)
			return line + 3;
	return "apt-get failed";
}

/*
 * " builddeps:/x.dsc : Depends: a (>= 2) but it is not installable" and lines like it below; the
 * names in them are what a person wants to hear.
 */
static void list_unmet(const char *output, char *list, size_t room)
{
	static const char *const marks[] = { "Depends: ", "Conflicts: ", "Breaks: " };
	size_t used = 0;

	list[0] = '\0';
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		for (const char *at = strstr(output, marks[i]); at && used < room;
			at = strstr(at, marks[i])) {
			size_t length = (at += strlen(marks[i]), strcspn(at, "\n"));
			const char *but = memmem(at, length, " but ", 5);

			if (but)
				length = (size_t)(but - at);
			used += (size_t)snprintf(list + used, room - used, "%s%.*s",
				used ? ", " : "", (int)length, at);
		}
}

static int explain(char *output, struct error *err)
{
	char unmet[400];

	list_unmet(output, unmet, sizeof(unmet));
	if (unmet[0])
		return error_set(err, 0,
			"cannot install build dependencies: %s; perhaps apt-get update or another "
			"image helps",
			unmet);
	return error_set(err, 0, "cannot find out build dependencies: %s", first_error(output));
}

static void release_step(struct apt_step *step)
{
	free(step->package);
	free(step->exact);
	free(step->file);
}

static int add_step(struct apt_plan *plan, struct apt_step step, struct error *err)
{
	struct apt_step *steps = reallocarray(plan->steps, plan->count + 1, sizeof(*plan->steps));

	if (steps)
		plan->steps = steps;
	if (!steps || !step.package || !step.exact || !step.file) {
		release_step(&step);
		return error_set(err, ENOMEM, "cannot plan the installation");
	}
	steps[plan->count++] = step;
	return 0;
}

/* How apt names what it has downloaded: characters that would confuse are written as %3a. */
static char *file_name(const char *package, const char *version, const char *architecture)
{
	char quoted[512], *name;
	size_t used = 0;

	for (; *version && used + 4 < sizeof(quoted); version++)
		used += (size_t)sprintf(
			quoted + used, strchr("_:%", *version) ? "%%%02x" : "%c", *version);
	quoted[used] = '\0';
	if (asprintf(&name, "%.*s_%s_%s.deb", (int)strcspn(package, ":"), package, quoted,
		    architecture) < 0)
		return NULL;
	return name;
}

/* "Inst PACKAGE [OLD] (VERSION ORIGIN [ARCHITECTURE]) ...", or Conf. */
static int take_step(struct apt_plan *plan, const char *line, struct error *err)
{
	struct apt_step step = { .configure = strncmp(line, "Conf", 4) == 0 };
	const char *bracket = strchr(line, '('), *end = bracket ? strchr(bracket, ')') : NULL;
	const char *architecture = end ? memrchr(bracket, '[', (size_t)(end - bracket)) : NULL;
	char package[256], version[256], arch[64];

	if (!architecture || sscanf(line, "%*s %255s", package) != 1 ||
		sscanf(bracket, "(%255s", version) != 1 ||
		sscanf(architecture, "[%63[^]]", arch) != 1)
		return error_set(err, 0, "cannot understand apt-get: %s", line);
	step.package = strdup(package);
	if (asprintf(&step.exact, "%s=%s", package, version) < 0)
		step.exact = NULL;
	step.file = file_name(package, version, arch);
	return add_step(plan, step, err);
}

static int take_plan(struct apt_plan *plan, char *output, struct error *err)
{
	char *line;

	while ((line = take_line(&output))) {
		if (strncmp(line, "Remv ", 5) == 0)
			return error_set(err, 0,
				"the build dependencies conflict with %.*s, which is installed; "
				"another image is needed",
				(int)strcspn(line + 5, " "), line + 5);
		if ((strncmp(line, "Inst ", 5) == 0 || strncmp(line, "Conf ", 5) == 0) &&
			take_step(plan, line, err))
			return -1;
	}
	return 0;
}

int apt_plan(const struct apt_request *request, struct apt_plan *plan, struct error *err)
{
	char *words[] = { "--simulate", "build-dep", (char *)request->dsc };
	cleanup_free char *output = NULL;
	int status = run_apt(request, words, 3, NULL, &output, err);

	if (status < 0)
		return -1;
	return status ? explain(output, err) : take_plan(plan, output, err);
}

int apt_download(const struct apt_request *request, const struct apt_plan *plan,
	const char *directory, struct error *err)
{
	cleanup_free char **words = calloc(plan->count + 1, sizeof(*words)), *output = NULL;
	size_t count = 0;
	int status;

	if (!words)
		return error_set(err, ENOMEM, "cannot download packages");
	words[count++] = "download";
	for (size_t i = 0; i < plan->count; i++)
		if (!plan->steps[i].configure)
			words[count++] = plan->steps[i].exact;
	status = run_apt(request, words, count, directory, &output, err);
	if (status > 0)
		return error_set(
			err, 0, "cannot download the build dependencies: %s", first_error(output));
	return status;
}

void apt_plan_release(struct apt_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		release_step(&plan->steps[i]);
	free(plan->steps);
}
