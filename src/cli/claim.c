#include "cli/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "cli/environment.h"
#include "base/json_text.h"
#include "cli/parameters.h"
#include "cli/statement.h"
#include "image/tar.h"

#define SIZE_MAX_BYTES (256 << 20) /* a million files */
#define FETCH	       "fetch:"

static int bad(const struct claim *claim, struct error *err, const char *why)
{
	return error_set(err, 0, "%s is no statement about a run: %s", claim->file, why);
}

/* A file of a size that is bounded; NULL with err. */
static char *read_whole(const struct claim *claim, size_t *bytes, struct error *err)
{
	cleanup_close int fd = open(claim->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *text = NULL;
	struct stat status;
	ssize_t n = 1;

	if (fd < 0 || fstat(fd, &status)) {
		error_set(err, errno, "cannot read %s", claim->file);
		return NULL;
	}
	if (!S_ISREG(status.st_mode) || status.st_size > SIZE_MAX_BYTES) {
		bad(claim, err, S_ISREG(status.st_mode) ? "it is too large" : "it is no file");
		return NULL;
	}
	text = malloc((size_t)status.st_size + 1);
	for (*bytes = 0; text && n > 0 && *bytes < (size_t)status.st_size; *bytes += (size_t)n)
		n = read(fd, text + *bytes, (size_t)status.st_size - *bytes);
	if (text && n >= 0)
		return text;
	error_set(err, errno, "cannot read %s", claim->file);
	free(text);
	return NULL;
}

static int parse(struct claim *claim, struct error *err)
{
	size_t bytes;
	cleanup_free char *text = read_whole(claim, &bytes, err);
	json_error_t why;

	if (!text)
		return -1;
	claim->document = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &why);
	return claim->document ? 0 : bad(claim, err, why.text);
}

/* Where the parts are, and what they are. */
#define DEFINITION "predicate.buildDefinition."
#define EXTERNAL   DEFINITION "externalParameters."
#define DETAILS	   "predicate.runDetails."
#define PART(name) offsetof(struct claim, name)
static const struct part {
	size_t offset;
	const char *path;
	json_type type;
	bool may_be_null;
} parts[] = {
	{ PART(type), "_type", JSON_STRING, false },
	{ PART(predicate), "predicateType", JSON_STRING, false },
	{ PART(build), DEFINITION "buildType", JSON_STRING, false },
	{ PART(command), EXTERNAL "command", JSON_ARRAY, false },
	{ PART(environment), EXTERNAL "environment", JSON_ARRAY, false },
	{ PART(workdir), EXTERNAL "workdir", JSON_STRING, false },
	{ PART(mounts), EXTERNAL "mounts", JSON_ARRAY, false },
	{ PART(image), EXTERNAL "image", JSON_STRING, true },
	{ PART(input), EXTERNAL "stdin", JSON_STRING, false },
	{ PART(tty), EXTERNAL "tty", JSON_TRUE, false },
	{ PART(save), EXTERNAL "save", JSON_STRING, true },
	{ PART(options), EXTERNAL "options", JSON_OBJECT, false },
	{ PART(make_workdir), DEFINITION "internalParameters.makeWorkdir", JSON_TRUE, false },
	{ PART(dependencies), DEFINITION "resolvedDependencies", JSON_ARRAY, false },
	{ PART(version), DETAILS "builder.version.stet", JSON_STRING, false },
	{ PART(status), DETAILS "metadata.stet_status", JSON_INTEGER, false },
	{ PART(made), DETAILS "metadata.stet_made", JSON_ARRAY, false },
	{ PART(subjects), "subject", JSON_ARRAY, false },
};

static json_t *find(json_t *json, const char *path)
{
	char name[64];

	while (json && *path) {
		size_t length = strcspn(path, ".");

		snprintf(name, sizeof(name), "%.*s", (int)length, path);
		json = json_object_get(json, name);
		path += length + (path[length] == '.');
	}
	return json;
}

static bool is_of_type(const json_t *json, const struct part *part)
{
	if (!json)
		return false;
	return json_typeof(json) == part->type ||
	       (part->type == JSON_TRUE && json_is_false(json)) ||
	       (part->may_be_null && json_is_null(json));
}

static int take_part(struct claim *claim, const struct part *part, struct error *err)
{
	json_t *json = find(claim->document, part->path);

	if (!is_of_type(json, part))
		return error_set(err, 0,
			"%s is no statement about a run: it has no %s, or one of another type",
			claim->file, part->path);
	*(json_t **)((char *)claim + part->offset) = json;
	return 0;
}

static int check_type(const struct claim *claim, const char *what, const json_t *is,
	const char *wanted, struct error *err)
{
	if (strcmp(json_string_value(is), wanted) == 0)
		return 0;
	return error_set(err, 0, "%s is no statement about a run: its %s is not %s", claim->file,
		what, wanted);
}

int claim_read(struct claim *claim, const char *file, struct error *err)
{
	*claim = (struct claim){ .file = file };
	if (parse(claim, err))
		return -1;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (take_part(claim, &parts[i], err))
			return -1;
	if (check_type(claim, "_type", claim->type, STATEMENT_TYPE, err) ||
		check_type(claim, "predicateType", claim->predicate, STATEMENT_PREDICATE, err))
		return -1;
	return check_type(claim, "buildType", claim->build, STATEMENT_BUILD_TYPE, err);
}

void claim_release(struct claim *claim)
{
	json_decref(claim->document);
	environment_release(claim->words);
	free(claim->directory);
	free(claim->tar);
}

/* Texts as a list that ends with NULL, to be released; NULL when one is none. */
static char **read_texts(const json_t *array)
{
	size_t count = json_array_size(array);
	char **list = calloc(count + 1, sizeof(*list));

	for (size_t i = 0; list && i < count; i++) {
		list[i] = json_text_read(json_array_get(array, i));
		if (list[i])
			continue;
		environment_release(list);
		return NULL;
	}
	return list;
}

static int take_words(struct claim *claim, struct run_options *options, struct error *err)
{
	claim->words = read_texts(claim->command);
	if (!claim->words || !claim->words[0])
		return bad(claim, err, "its command is no list of words");
	options->box.command = claim->words;
	options->environment = read_texts(claim->environment);
	for (char **item = options->environment; item && *item; item++)
		if (!strchr(*item, '=') || **item == '=')
			return bad(claim, err, "a variable of its environment has no name");
	return options->environment ? 0 : bad(claim, err, "its environment is no list of texts");
}

/* What the statement knows the digest of has to be given. */
static int check_given(
	const struct claim *claim, const struct run_options *options, struct error *err)
{
	bool reads = strcmp(json_string_value(claim->input), "none") != 0;

	if (json_is_null(claim->image) && options->image)
		return error_set(err, 0, "%s is about a run without an image", claim->file);
	if (reads != (options->box.stdin_path != NULL))
		return error_set(err, 0, "%s is about a run %s standard input%s", claim->file,
			reads ? "with" : "without", reads ? ": give it, by --stdin FILE" : "");
	return 0;
}

static bool is_fetched(const struct run_options *options, const char *inside)
{
	for (size_t i = 0; i < options->fetches.count; i++)
		if (strcmp(options->fetches.list[i].inside, inside) == 0)
			return true;
	return false;
}

/* A download that the caller does not have to give again, unless it was a file. */
static int take_fetch(const struct claim *claim, const json_t *dependency, const char *inside,
	struct run_options *options, struct error *err)
{
	cleanup_free char *uri = json_text_read(json_object_get(dependency, "uri")), *text = NULL;
	const char *name, *digest = claim_digest(dependency, &name);

	if (is_fetched(options, inside))
		return 0;
	if (!uri || !digest)
		return error_set(err, 0,
			"%s is about a run with a file at %s: give it, by --fetch "
			"URL#sha256=HEX:%s",
			claim->file, inside, inside);
	if (asprintf(&text, "%s#sha256=%s:%s", uri, digest, inside) < 0)
		return error_set(err, ENOMEM, "%s", claim->file);
	return fetches_add(&options->fetches, text, err);
}

static int take_fetches(const struct claim *claim, struct run_options *options, struct error *err)
{
	json_t *element;
	size_t i;

	json_array_foreach(claim->dependencies, i, element)
	{
		cleanup_free char *name = json_text_read(json_object_get(element, "name"));

		if (name && strncmp(name, FETCH, strlen(FETCH)) == 0 &&
			take_fetch(claim, element, name + strlen(FETCH), options, err))
			return -1;
	}
	return 0;
}

static int take_save(
	struct claim *claim, struct run_options *options, const char *scratch, struct error *err)
{
	const char *suffix = json_string_value(claim->save);

	if (!suffix)
		return 0;
	if (asprintf(&claim->tar, "%s/layer%s", scratch, suffix) < 0)
		return error_set(err, ENOMEM, "%s", claim->file);
	if (strchr(suffix, '/') || !tar_suffix(claim->tar))
		return bad(claim, err, "what it saves is no tar");
	options->box.save = claim->tar;
	return 0;
}

int claim_options(
	struct claim *claim, struct run_options *options, const char *scratch, struct error *err)
{
	struct error why;

	if (check_given(claim, options, err) || take_words(claim, options, err) ||
		take_fetches(claim, options, err) || take_save(claim, options, scratch, err))
		return -1;
	if (!options->image) /* the cache may have it */
		options->image = json_string_value(claim->image);
	claim->directory = json_text_read(claim->workdir);
	if (!claim->directory || claim->directory[0] != '/')
		return bad(claim, err, "its workdir is no absolute path");
	options->box.workdir = claim->directory;
	options->box.make_workdir = json_is_true(claim->make_workdir);
	options->box.tty = json_is_true(claim->tty);
	return parameters_take(claim->options, options, &why) ? bad(claim, err, why.text) : 0;
}

const char *claim_digest(const json_t *element, const char **name)
{
	const char *digest =
		json_string_value(json_object_get(json_object_get(element, "digest"), "sha256"));

	*name = json_string_value(json_object_get(element, "name"));
	if (!*name || !digest || strlen(digest) != HASH_TEXT - 1 ||
		strspn(digest, "0123456789abcdef") != HASH_TEXT - 1)
		return NULL;
	return digest;
}

/* The digest of an input; NULL: none of this name is stated. */
static const char *find_digest(const struct claim *claim, const char *name)
{
	const char *digest;
	json_t *element;
	size_t i;

	json_array_foreach(claim->dependencies, i, element)
	{
		cleanup_free char *raw = json_text_read(json_object_get(element, "name"));

		if (raw && strcmp(raw, name) == 0)
			return claim_digest(element, &digest);
	}
	return NULL;
}

static int check_input(const struct claim *claim, const struct input *input, struct error *err)
{
	const char *digest = find_digest(claim, input->name);

	if (!digest)
		return error_set(err, 0, "%s names other inputs: it has no digest of %s",
			claim->file, input->name);
	if (strcmp(digest, input->digest) == 0)
		return 0;
	return error_set(err, 0,
		"the input %s is not what %s names: it is sha256:%s, not sha256:%s; give it as it "
		"was before the run",
		input->name, claim->file, input->digest, digest);
}

/* A record of randomness did not exist before the run that wrote it. */
static bool is_new(const struct claim *claim, const struct input *input)
{
	const char *entropy = json_string_value(json_object_get(claim->options, "entropy"));

	return strcmp(input->name, "entropy") == 0 && strcmp(entropy, "record") == 0;
}

int claim_check_inputs(const struct claim *claim, const struct inputs *inputs, struct error *err)
{
	size_t count = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		if (is_new(claim, &inputs->list[i]))
			continue;
		if (check_input(claim, &inputs->list[i], err))
			return -1;
		count++;
	}
	if (json_array_size(claim->dependencies) != count)
		return error_set(err, 0, "%s names %zu inputs, and this run has %zu", claim->file,
			json_array_size(claim->dependencies), count);
	return 0;
}
