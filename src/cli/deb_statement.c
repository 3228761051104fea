#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "cli/deb.h"
#include "base/json_text.h"
#include "cli/parameters.h"
#include "cli/statement.h"

#define BUILD_TYPE "stet:deb/v1"
#define CHUNK	   (1 << 18)

/* Without memory the list becomes NULL, and so does what is made of it. */
static void append(json_t **list, json_t *item)
{
	if (json_array_append_new(*list, item) == 0)
		return;
	json_decref(*list);
	*list = NULL;
}

static json_t *named(const char *name, const char *digest)
{
	return json_pack("{s:o, s:{s:s}}", "name", json_text(name), "digest", "sha256", digest);
}

static int digest_file(int dir, const char *name, char text[HASH_TEXT], struct error *err)
{
	cleanup_close int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	cleanup_free char *buffer = malloc(CHUNK);
	struct hash hash;
	ssize_t n = -1;

	hash_start(&hash);
	while (fd >= 0 && buffer && (n = read(fd, buffer, CHUNK)) > 0)
		hash_add(&hash, buffer, (size_t)n);
	hash_finish(&hash, text);
	return n < 0 ? error_set(err, errno, "cannot read %s", name) : 0;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* What came out: all files of the directory, by their names. */
static json_t *subjects(int dir, struct error *err)
{
	json_t *list = json_array();
	struct dirent **entries;
	int count = scandirat(dir, ".", &entries, is_visible, alphasort), failed = 0;

	for (int i = 0; i < count; i++) {
		char digest[HASH_TEXT];

		failed |= digest_file(dir, entries[i]->d_name, digest, err);
		append(&list, named(entries[i]->d_name, digest));
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	if (count >= 0 && !failed)
		return list;
	json_decref(list);
	return NULL;
}

/* What went in: the parts of the source, the image, and packages that were installed over it. */
static json_t *dependencies(const struct deb *deb)
{
	json_t *list = json_array();

	for (size_t i = 0; i < deb->dsc.count; i++)
		append(&list, named(deb->dsc.parts[i].name, deb->dsc.parts[i].digest));
	if (deb->options.run.image)
		append(&list, named("image", deb->options.run.files.digest));
	for (size_t i = 0; i < deb->plan.count; i++) {
		const struct apt_step *step = &deb->plan.steps[i];

		if (!step->configure)
			append(&list, json_pack("{s:s, s:s+}", "name", step->package, "uri",
					      "deb:", step->exact));
	}
	return list;
}

static json_t *environment(const struct run_options *run)
{
	json_t *list = json_array();

	for (size_t i = 0; i < run->assignment_count; i++)
		append(&list, json_text(run->assignments[i]));
	return list;
}

static json_t *statement(const struct deb *deb, json_t *results, int builds)
{
	const struct run_options *run = &deb->options.run;
	char image[HASH_TEXT + 8];
	json_t *parameters, *definition;

	snprintf(image, sizeof(image), "sha256:%s", run->files.digest);
	parameters = json_pack("{s:s, s:s, s:s?, s:o, s:o}", "source", deb->dsc.source, "version",
		deb->dsc.version, "image", run->image ? image : NULL, "environment",
		environment(run), "options", parameters_tell(run));
	definition = json_pack("{s:s, s:o, s:{}, s:o}", "buildType", BUILD_TYPE,
		"externalParameters", parameters, "internalParameters", "resolvedDependencies",
		dependencies(deb));
	return json_pack("{s:s, s:o, s:s, s:{s:o, s:{s:{s:s, s:{s:s}}, s:{s:i}}}}", "_type",
		STATEMENT_TYPE, "subject", results, "predicateType", STATEMENT_PREDICATE,
		"predicate", "buildDefinition", definition, "runDetails", "builder", "id",
		STATEMENT_BUILDER, "version", "stet", STET_VERSION, "metadata", "stet_builds",
		builds);
}

int deb_attest(const struct deb *deb, const char *directory, int builds, struct error *err)
{
	cleanup_close int dir = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -1;
	json_t *results = dir < 0 ? NULL : subjects(dir, err);

	if (!results)
		return dir < 0 ? error_set(err, errno, "cannot read %s", directory) : -1;
	fd = openat(dir, deb->statement, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0) {
		json_decref(results);
		return error_set(err, errno, "cannot write %s", deb->statement);
	}
	return json_text_dump(statement(deb, results, builds), fd, "the attestation", err);
}
