#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/new_file.h"
#include "box/scratch.h"
#include "cli/attest_compare.h"
#include "cli/claim.h"
#include "cli/claim_mounts.h"
#include "cli/cli.h"
#include "cli/execute.h"
#include "base/json_text.h"
#include "cli/machine_options.h"
#include "cli/options.h"

#define STATUS_DIFFERENT 1

struct attest {
	struct run_options run; /* of the run that is repeated */
	const char *json;
	bool quiet, help;
};

static int give_image(void *target, const char *value, struct error *err)
{
	return run_options_set(&((struct attest *)target)->run, "image", value, err);
}

static int give_mount(void *target, const char *value, struct error *err)
{
	return run_options_set(&((struct attest *)target)->run, "mount", value, err);
}

static int give_fetch(void *target, const char *value, struct error *err)
{
	return run_options_set(&((struct attest *)target)->run, "fetch", value, err);
}

static int give_stdin(void *target, const char *value, struct error *err)
{
	return run_options_set(&((struct attest *)target)->run, "stdin", value, err);
}

static int give_entropy(void *target, const char *value, struct error *err)
{
	return run_options_set(&((struct attest *)target)->run, "entropy", value, err);
}

static int give_timeout(void *target, const char *value, struct error *err)
{
	return run_options_set(&((struct attest *)target)->run, "timeout", value, err);
}

static int set_json(void *target, const char *value, struct error *err)
{
	if (!*value)
		return error_set(err, 0, "--json: must be a file, or - for standard output");
	((struct attest *)target)->json = value;
	return 0;
}

static int set_quiet(void *target, const char *value, struct error *err)
{
	((struct attest *)target)->quiet = true;
	return 0;
}

static int set_help(void *target, const char *value, struct error *err)
{
	((struct attest *)target)->help = true;
	return 0;
}

static const struct option_row rows[] = {
	{ "image", 0, "IMAGE",
		"the image of the run (default: the one of the cache with its digest)",
		give_image },
	{ "mount", 0, "HOST:INSIDE",
		"what was mounted (default: the current directory at /build); it is\n"
		"                            never changed",
		give_mount },
	{ "fetch", 0, "URL#sha256=HEX:INSIDE", "a download, where that is a file", give_fetch },
	{ "stdin", 0, "FILE", "what the command read", give_stdin },
	{ "entropy", 0, "replay:FILE", "the record of its randomness", give_entropy },
	{ "timeout", 0, "SECONDS", "end the run after this real time", give_timeout },
	{ "json", 0, "FILE|-", "write the outcome as JSON", set_json },
	{ "quiet", 'q', NULL, "say nothing but errors", set_quiet },
	{ "help", 'h', NULL, "print this", set_help },
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static int print_help(void)
{
	printf("usage: stet attest verify [OPTIONS] FILE\n\n"
	       "Runs again what FILE, an in-toto statement of 'stet run --attest', is about, and "
	       "checks\n"
	       "that the same comes out. Status: 0 same, 1 different, 125 trouble.\n\n");
	options_help(rows, ROWS);
	return 0;
}

/* Options may stand on both sides of the file. */
static int read_options(struct attest *attest, char **argv, const char **file, struct error *err)
{
	char **rest;

	if (options_parse(rows, ROWS, attest, argv, &rest, err))
		return -1;
	*file = *rest;
	if (*rest && options_parse(rows, ROWS, attest, rest + 1, &rest, err))
		return -1;
	if (attest->help)
		return 0;
	if (!*file || *rest)
		return error_set(err, 0, "usage: stet attest verify [OPTIONS] FILE");
	return 0;
}

static int check_inputs(void *context, const struct inputs *inputs, struct error *err)
{
	return claim_check_inputs(context, inputs, err);
}

/* The command's output is only compared. */
static int execute_silently(
	struct run_options *options, struct box_result *result, struct error *err)
{
	cleanup_close int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	cleanup_close int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	cleanup_close int errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	int failed;

	fflush(stdout);
	if (dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
		return error_set(err, 0, "cannot open /dev/null");
	failed = execute(options, result, err);
	dup2(output, STDOUT_FILENO);
	dup2(errors, STDERR_FILENO);
	if (failed)
		return -1;
	return result->digest[0] ? 0 : error_set(err, 0, "cannot tell: %s", result->no_digest);
}

static int run_again(
	struct attest *attest, struct claim *claim, struct box_result *result, struct error *err)
{
	struct scratch scratch = { .guard = -1 };
	int failed;

	attest->run.quiet = true;
	attest->run.keep_listing = true;
	attest->run.check = check_inputs;
	attest->run.check_context = claim;
	failed = scratch_make(&scratch, NULL, err) ||
		 claim_options(claim, &attest->run, scratch.path, err) ||
		 claim_mounts(claim, &attest->run, scratch.path, err) ||
		 execute_silently(&attest->run, result, err);
	scratch_remove(&scratch);
	attest->run.check_context = NULL;
	return failed ? -1 : 0;
}

static int write_json(
	const struct attest *attest, const struct comparison *comparison, struct error *err)
{
	struct new_file file = NEW_FILE_NONE;
	int failed;

	if (strcmp(attest->json, "-") == 0)
		return json_text_dump(comparison_json(comparison), STDOUT_FILENO, "--json", err);
	failed = new_file_open(&file, "--json", attest->json, err) ||
		 json_text_dump(comparison_json(comparison), file.fd, "--json", err) ||
		 new_file_finish(&file, err);
	new_file_release(&file);
	return failed ? -1 : 0;
}

static void say_outcome(
	const struct attest *attest, const struct claim *claim, const struct comparison *comparison)
{
	const char *native = json_string_value(json_object_get(claim->options, "relax"));

	if (attest->quiet || (attest->json && strcmp(attest->json, "-") == 0))
		return;
	comparison_print(comparison);
	if (comparison->differences && *native)
		printf("the run left native: %s\n", native);
	printf("%s: %zu of %zu outputs are as %s says%s\n",
		comparison->differences ? "different" : "same", comparison->same, comparison->all,
		claim->file,
		json_is_null(claim->image) ? "; the image was this machine's own files" : "");
}

static int verify(struct attest *attest, const char *file, struct error *err)
{
	struct claim claim;
	struct comparison comparison = { 0 };
	struct box_result result = { 0 };
	int failed = claim_read(&claim, file, err);

	if (!failed && strcmp(json_string_value(claim.version), STET_VERSION) != 0)
		say("%s was written by stet %s, this is stet %s", file,
			json_string_value(claim.version), STET_VERSION);
	failed = failed || run_again(attest, &claim, &result, err) ||
		 compare_subjects(&comparison, &claim, &attest->run, &result, err);
	if (!failed)
		say_outcome(attest, &claim, &comparison);
	if (!failed && attest->json)
		failed = write_json(attest, &comparison, err);
	comparison_release(&comparison);
	free(result.listing);
	claim_release(&claim);
	if (failed)
		return -1;
	return comparison.differences ? STATUS_DIFFERENT : 0;
}

static int verify_command(char **argv)
{
	struct attest attest = { 0 };
	const char *file;
	struct error err;
	int status = -1;

	execute_defaults(&attest.run);
	attest.run.box.machine = machine_default();
	if (read_options(&attest, argv + 1, &file, &err) == 0)
		status = attest.help ? print_help() : verify(&attest, file, &err);
	if (status < 0) {
		say("%s", err.text);
		status = STATUS_TROUBLE;
	}
	execute_release(&attest.run);
	return status;
}

int command_attest(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "verify") == 0)
		return verify_command(argv + 1);
	if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
		return print_help();
	say("usage: stet attest verify [OPTIONS] FILE");
	return STATUS_TROUBLE;
}
