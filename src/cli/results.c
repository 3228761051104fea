#include "cli/results.h"

#include "cli/cli.h"
#include "base/json_text.h"
#include "cli/run_json.h"
#include "cli/statement.h"

/* A file that lies there already. */
static void note_own(struct results *results, const struct new_file *file)
{
	size_t count = 0;

	while (results->own[count])
		count++;
	results->own[count] = file->path;
}

int results_open(struct results *results, struct run_options *options, struct error *err)
{
	*results = (struct results){ .attest = NEW_FILE_NONE, .json = NEW_FILE_NONE };
	clock_gettime(CLOCK_MONOTONIC, &results->started);
	if (options->attest && new_file_open(&results->attest, "--attest", options->attest, err))
		return -1;
	if (options->json && new_file_open(&results->json, "--json", options->json, err))
		return -1;
	note_own(results, &results->attest);
	note_own(results, &results->json);
	options->box.own_files = results->own;
	if (options->attest || options->json || options->keep_listing)
		options->box.digest = options->box.list = true;
	return 0;
}

int results_prepare(struct results *results, struct run_options *options, struct error *err)
{
	if (!options->attest && !options->check)
		return 0;
	if (inputs_take(&results->inputs, options, err))
		return -1;
	return options->check ? options->check(options->check_context, &results->inputs, err) : 0;
}

static int write_attest(struct results *results, const struct run_options *options,
	const struct box_result *result, struct error *err)
{
	if (!result->digest[0]) {
		say("no attestation: %s", result->no_digest);
		return 0;
	}
	if (json_text_dump(statement_make(options, &results->inputs, result), results->attest.fd,
		    "--attest", err))
		return -1;
	return new_file_finish(&results->attest, err);
}

static long milliseconds_since(struct timespec start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000;
}

static int write_json(struct results *results, json_t *document, struct error *err)
{
	if (json_text_dump(document, results->json.fd, "--json", err))
		return -1;
	return new_file_finish(&results->json, err);
}

int results_write(struct results *results, const struct run_options *options,
	const struct box_result *result, struct error *err)
{
	if (options->attest && write_attest(results, options, result, err))
		return -1;
	if (!options->json)
		return 0;
	return write_json(results, run_json(result, milliseconds_since(results->started)), err);
}

void results_write_failure(struct results *results, const struct error *failure)
{
	struct error ignored; /* there is one to report already */

	if (results->json.fd >= 0)
		write_json(results, run_json_failure(failure), &ignored);
}

void results_release(struct results *results)
{
	new_file_release(&results->attest);
	new_file_release(&results->json);
	inputs_release(&results->inputs);
}
