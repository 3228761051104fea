#include "cli/pack_json.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json_text.h"

static int write_text(const char *text, const char *file, struct error *err)
{
	bool own = strcmp(file, "-") == 0;
	FILE *out = own ? stdout : fopen(file, "we");
	bool good = out && fputs(text, out) >= 0 && fputc('\n', out) != EOF;

	if (out && (own ? fflush(out) : fclose(out)))
		good = false;
	return good ? 0 : error_set(err, errno, "--json: cannot write %s", file);
}

int pack_json_index(const struct bundle_index *index, const char *file, struct error *err)
{
	cleanup_free char *text = index_write(index, true, err);

	return text ? write_text(text, file, err) : -1;
}

/* Releases the object. */
static int write_object(json_t *object, const char *file, struct error *err)
{
	cleanup_free char *text =
		object ? json_dumps(object, JSON_SORT_KEYS | JSON_INDENT(2)) : NULL;

	json_decref(object);
	return text ? write_text(text, file, err) : error_set(err, ENOMEM, "--json");
}

int pack_json_packed(
	const struct packing *packing, uint64_t bytes, const char *file, struct error *err)
{
	const struct bundle_index *index = &packing->index;
	return write_object(
		json_pack("{s:s, s:s, s:o, s:i, s:o, s:I, s:I, s:I, s:I, s:I}", "stet",
			STET_VERSION, "kind", "pack", "bundle", json_text(packing->name), "status",
			index->status, "digest", json_sprintf("sha256:%s", index->digest), "bytes",
			(json_int_t)bytes, "contents", (json_int_t)packing->content_count,
			"content_bytes", (json_int_t)packing->content_bytes, "files",
			(json_int_t)index->file_count, "missing", (json_int_t)index->missing_count),
		file, err);
}

static json_t *unknown_array(const struct unknown *unknown)
{
	json_t *array = json_array();

	for (size_t i = 0; i < unknown->count; i++) {
		if (json_array_append_new(
			    array, json_pack("{s:o, s:s}", "path", json_text(unknown->list[i].path),
					   "wanted", unknown->list[i].wanted)))
			return NULL;
	}
	return array;
}

static json_t *digest_value(const char *digest)
{
	return digest && digest[0] ? json_sprintf("sha256:%s", digest) : json_null();
}

int pack_json_rerun(const struct rerun_outcome *outcome, const char *file, struct error *err)
{
	const char *expected = outcome->expected;

	return write_object(
		json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:o}", "stet", STET_VERSION, "kind",
			"rerun", "status", outcome->status, "digest", digest_value(outcome->digest),
			"expected", digest_value(expected), "same",
			expected ? json_boolean(strcmp(expected, outcome->digest) == 0)
				 : json_null(),
			"not_in_bundle", unknown_array(outcome->unknown)),
		file, err);
}
