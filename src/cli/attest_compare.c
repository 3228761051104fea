#include "cli/attest_compare.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/statement.h"

/* NULL means that there is none. */
static void note(struct comparison *comparison, const char *name, const char *was, const char *is)
{
	comparison->differences++;
	json_array_append_new(comparison->list,
		json_pack("{s:s, s:s?, s:s?}", "name", name, "stated", was, "found", is));
}

/* Names and digests, as an object; NULL with err. */
static json_t *as_object(const struct claim *claim, const json_t *subjects, struct error *err)
{
	json_t *object = json_object(), *element;
	size_t i;

	json_array_foreach(subjects, i, element)
	{
		const char *name, *digest = claim_digest(element, &name);

		if (digest && !json_object_get(object, name) &&
			json_object_set_new(object, name, json_string(digest)) == 0)
			continue;
		error_set(err, 0,
			"%s is no statement about a run: subject %zu has no sha256, or no name of "
			"its own",
			claim->file, i);
		json_decref(object);
		return NULL;
	}
	return object;
}

static void compare_all(struct comparison *comparison, json_t *stated, json_t *found)
{
	const char *name;
	json_t *digest;

	comparison->all = json_object_size(stated);
	json_object_foreach(stated, name, digest)
	{
		const json_t *now = json_object_get(found, name);

		if (now && json_equal(digest, now))
			comparison->same++;
		else
			note(comparison, name, json_string_value(digest), json_string_value(now));
	}
	json_object_foreach(found, name, digest) if (!json_object_get(stated, name))
		note(comparison, name, NULL, json_string_value(digest));
}

int compare_subjects(struct comparison *comparison, const struct claim *claim,
	const struct run_options *options, const struct box_result *result, struct error *err)
{
	json_t *subjects = statement_subjects(options, result), *stated, *found = NULL;
	int failed = -1;

	comparison->list = json_array();
	stated = as_object(claim, claim->subjects, err);
	if (stated)
		found = as_object(claim, subjects, err);
	if (stated && found) {
		compare_all(comparison, stated, found);
		failed = 0;
	}
	if (!failed && json_integer_value(claim->status) != result->status) {
		char was[32], is[32];

		snprintf(was, sizeof(was), "%lld", (long long)json_integer_value(claim->status));
		snprintf(is, sizeof(is), "%d", result->status);
		note(comparison, "status", was, is);
	}
	json_decref(stated);
	json_decref(found);
	json_decref(subjects);
	return failed;
}

void comparison_print(const struct comparison *comparison)
{
	size_t i;
	json_t *item;

	json_array_foreach(comparison->list, i, item)
	{
		const char *was = json_string_value(json_object_get(item, "stated"));
		const char *is = json_string_value(json_object_get(item, "found"));

		printf("%s: %s is stated, %s was found\n",
			json_string_value(json_object_get(item, "name")), was ? was : "nothing",
			is ? is : "nothing");
	}
}

json_t *comparison_json(const struct comparison *comparison)
{
	return json_pack("{s:s, s:s, s:b, s:I, s:I, s:O}", "stet", STET_VERSION, "kind", "attest",
		"same", comparison->differences == 0, "outputs", (json_int_t)comparison->all,
		"outputs_same", (json_int_t)comparison->same, "differences", comparison->list);
}

void comparison_release(struct comparison *comparison)
{
	json_decref(comparison->list);
}
