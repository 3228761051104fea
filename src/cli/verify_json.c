#include "cli/verify_json.h"

#include "cli/diff_json.h"
#include "cli/document.h"

static json_t *tell_set(uint32_t set)
{
	json_t *names = json_array();

	for (unsigned i = 0; i < VARIATIONS; i++)
		if (set & VARY_BIT(i))
			json_array_append_new(names, json_string(variation_name(i)));
	return names;
}

static json_t *tell_run(const struct verify_outcome *run)
{
	json_t *json = json_pack("{s:i, s:f}", "status", run->status, "seconds", run->seconds);

	if (run->digest[0])
		json_object_set_new(json, "digest", json_sprintf("sha256:%s", run->digest));
	return json;
}

static json_t *tell_runs(const struct verify_report *report)
{
	json_t *runs = json_array();

	for (size_t i = 0; i < report->count; i++)
		json_array_append_new(runs, tell_run(&report->runs[i]));
	return runs;
}

static json_t *tell_sets(const struct verify_report *report)
{
	json_t *sets = json_array();

	for (size_t i = 0; i < report->set_count; i++)
		json_array_append_new(sets, tell_set(report->sets[i]));
	return sets;
}

int verify_json(const struct verify_report *report, const struct verify_options *options,
	struct new_file *file, struct error *err)
{
	json_t *json = json_pack("{s:b, s:b, s:o, s:o}", "reproducible", !report->differs, "native",
		options->native, "varied", tell_set(options->vary), "runs", tell_runs(report));

	if (json && report->ratio > 0)
		json_object_set_new(json, "ratio", json_real(report->ratio));
	if (json && report->native_least > 0)
		json_object_set_new(json, "native_least", json_real(report->native_least));
	if (json && options->bisect)
		json_object_set_new(json, "differs_with", tell_sets(report));
	if (json && report->differs)
		json_object_set_new(json, "difference", diff_json_object(report->difference));
	return document_finish(json, "verify", file, options->json, err);
}
