#include "cli/deb_packages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/cache.h"
#include "cli/cli.h"
#include "cli/deb_run.h"
#include "cli/execute.h"
#include "cli/machine_options.h"
#include "deb/layer.h"

#define VERSION "stet deb layer 1"
#define SCRIPT	"install.sh"
/* Services are not to be started when their packages are installed. */
#define POLICY	    "policy-rc.d"
#define POLICY_PATH "/usr/sbin/policy-rc.d"
#define CHUNK	    (1 << 16)

static const char *root_of(const struct deb_packages *packages)
{
	return packages->options->run.image ? packages->options->run.files.root : "";
}

/* A file in the scratch directory. */
static char *place(const struct deb_packages *packages, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", packages->scratch, name) < 0 ? NULL : path;
}

static void hash_text(struct hash *hash, const char *text)
{
	hash_add(hash, text, strlen(text) + 1);
}

/* What an installation may look at; the whole of this machine's root is too much for a digest. */
static void hash_own_root(struct hash *hash)
{
	static const char *const files[] = { "/var/lib/dpkg/status", "/etc/ld.so.cache",
		"/etc/passwd", "/etc/group" };
	char buffer[CHUNK];

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		cleanup_close int fd = open(files[i], O_RDONLY | O_CLOEXEC);
		ssize_t n;

		hash_text(hash, files[i]);
		while (fd >= 0 && (n = read(fd, buffer, sizeof(buffer))) > 0)
			hash_add(hash, buffer, (size_t)n);
	}
}

/* The name of the layer: of the image, and of what is installed. */
static void make_key(
	const struct deb_packages *packages, const struct apt_plan *plan, char key[HASH_TEXT])
{
	const struct run_options *run = &packages->options->run;
	struct hash hash;

	hash_start(&hash);
	hash_text(&hash, VERSION " " STET_VERSION);
	if (run->image)
		hash_text(&hash, run->files.digest);
	else
		hash_own_root(&hash);
	for (size_t i = 0; i < plan->count; i++) {
		hash_text(&hash, plan->steps[i].configure ? "configure" : "unpack");
		hash_text(&hash, plan->steps[i].file);
	}
	hash_finish(&hash, key);
}

/* Neighbours of one kind make one command, as apt does it. */
static void write_steps(FILE *out, const struct apt_plan *plan)
{
	static const char *const commands[] = { "--unpack", "--configure" };

	fputs("exec 2>&1\nexport DEBIAN_FRONTEND=noninteractive\n", out);
	for (size_t i = 0; i < plan->count; i++) {
		const struct apt_step *step = &plan->steps[i];

		if (i == 0 || step->configure != plan->steps[i - 1].configure)
			fprintf(out, "\ndpkg --force-unsafe-io --force-confold %s",
				commands[step->configure]);
		if (step->configure)
			fprintf(out, " '%s'", step->package);
		else
			fprintf(out, " '" DEB_INPUT "/%s'", step->file);
	}
	fputs("\ndpkg --configure -a\n", out); /* triggers */
}

static int write_scripts(const char *directory, const struct apt_plan *plan, struct error *err)
{
	cleanup_close int dir = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int script = openat(dir, SCRIPT, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	int policy = openat(dir, POLICY, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	cleanup_file FILE *steps = script < 0 ? NULL : fdopen(script, "w");
	cleanup_file FILE *refusal = policy < 0 ? NULL : fdopen(policy, "w");

	if (!steps || !refusal)
		return error_set(err, errno, "cannot write to %s", directory);
	write_steps(steps, plan);
	fputs("#!/bin/sh\nexit 101\n", refusal);
	if (fflush(steps) || fflush(refusal))
		return error_set(err, errno, "cannot write to %s", directory);
	return 0;
}

/* Names of what is installed, as far as they fit into a line. */
static void list_packages(const struct apt_plan *plan, char *list, size_t room)
{
	size_t used = 0;

	list[0] = '\0';
	for (size_t i = 0; i < plan->count && used < room; i++)
		if (!plan->steps[i].configure)
			used += (size_t)snprintf(list + used, room - used, "%s%s", used ? " " : "",
				plan->steps[i].package);
	if (used >= room)
		memcpy(list + room - 4, "...", 4);
}

/* The result depends on the image and the packages, and on none of the build's options. */
static int install(const struct deb_packages *packages, const struct apt_plan *plan,
	const char *debs, const char *saved, struct error *err)
{
	const struct run_options *of_build = &packages->options->run;
	const struct deb_script script = {
		.text = ". " DEB_INPUT "/" SCRIPT,
		.input = debs,
		.save = saved,
		.log = packages->log,
	};
	struct run_options plain;
	cleanup_free char *policy = NULL;
	char list[200];
	int status;

	execute_defaults(&plain);
	plain.box.machine = machine_default();
	plain.box.verbose = of_build->box.verbose;
	plain.quiet = of_build->quiet;
	plain.image = of_build->image;
	if (asprintf(&policy, "%s/" POLICY, debs) < 0)
		policy = NULL;
	status = policy ? run_options_mount(&plain, policy, POLICY_PATH, BOX_MOUNT_RO, err)
			: error_set(err, ENOMEM, "cannot install packages");
	if (status == 0)
		status = deb_run(&plain, &script, err);
	execute_release(&plain);
	list_packages(plan, list, sizeof(list));
	return status > 0 ? error_set(err, 0, "cannot install the build dependencies %s: see %s",
				    list, packages->log)
			  : status;
}

/* Makes the layer under a name that goes away, then gives it its own. */
static int make_layer(const struct deb_packages *packages, const struct apt_request *request,
	const struct apt_plan *plan, const char *layer, struct error *err)
{
	cleanup_free char *debs = place(packages, "packages"), *saved = place(packages, "saved");
	const char *root = root_of(packages);

	if (!debs || !saved)
		return error_set(err, ENOMEM, "cannot install packages");
	if (mkdir(debs, 0755))
		return error_set(err, errno, "cannot make %s", debs);
	if (apt_download(request, plan, debs, err) || write_scripts(debs, plan, err) ||
		install(packages, plan, debs, saved, err) ||
		layer_from_saved(saved, *root ? root : "/", err))
		return -1;
	/* Another process may have been faster; the result is the same. */
	if (rename(saved, layer) && errno != EEXIST && errno != ENOTEMPTY)
		return error_set(err, errno, "cannot keep installed packages in the cache");
	return 0;
}

/* An ordinary user's container cannot change directories of this machine's root. */
static int check_possible(
	const struct deb_packages *packages, const struct apt_plan *plan, struct error *err)
{
	char list[200];

	if (packages->options->run.image || geteuid() == 0)
		return 0;
	list_packages(plan, list, sizeof(list));
	return error_set(err, 0,
		"build dependencies are not installed on this machine: %s; install them, or use "
		"--image",
		list);
}

static int provide(const struct deb_packages *packages, const struct apt_request *request,
	const struct apt_plan *plan, char **layer, struct error *err)
{
	cleanup_free char *cache = NULL, *layers = NULL;
	bool tells = packages->options->run.box.verbose;
	char key[HASH_TEXT];

	if (check_possible(packages, plan, err))
		return -1;
	make_key(packages, plan, key);
	cache = cache_directory("deb/layers");
	layers = cache ? realpath(cache, NULL) : NULL; /* the container sees other links */
	if (!layers || asprintf(layer, "%s/%s", layers, key) < 0) {
		*layer = NULL;
		return error_set(err, 0, "cannot make a place in the cache for packages");
	}
	if (tells)
		say("%zu steps of installation, layer %s", plan->count, *layer);
	return access(*layer, F_OK) == 0 ? 0 : make_layer(packages, request, plan, *layer, err);
}

int deb_packages_layer(
	const struct deb_packages *packages, struct apt_plan *plan, char **layer, struct error *err)
{
	cleanup_free char *status = NULL, *states = place(packages, "apt");
	struct apt_request request = { .dsc = packages->dsc, .scratch = states };

	*layer = NULL;
	if (!states || asprintf(&status, "%s/var/lib/dpkg/status", root_of(packages)) < 0)
		return error_set(err, ENOMEM, "cannot find out build dependencies");
	if (access(status, R_OK))
		return error_set(err, errno, "the image is not one of Debian's kind: %s", status);
	if (mkdir(states, 0755))
		return error_set(err, errno, "cannot make %s", states);
	request.status = status;
	if (apt_plan(&request, plan, err))
		return -1;
	return plan->count ? provide(packages, &request, plan, layer, err) : 0;
}
