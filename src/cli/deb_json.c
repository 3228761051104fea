#include "base/json_text.h"
#include "cli/deb.h"
#include "cli/document.h"

static json_t *tell_builds(const struct deb *deb)
{
	json_t *list = json_array();

	for (size_t i = 0; i < deb->build_count; i++)
		json_array_append_new(list,
			json_pack("{s:i, s:f, s:f}", "status", deb->builds[i].status, "seconds",
				deb->builds[i].seconds, "cpu_seconds", deb->builds[i].cpu_seconds));
	return list;
}

static json_t *text_or_null(const char *text)
{
	return text ? json_text(text) : json_null();
}

/* Null when two builds were not compared. */
static json_t *verdict(const struct deb *deb)
{
	return deb->files < 0 ? json_null() : json_boolean(json_array_size(deb->differences) == 0);
}

int deb_json(const struct deb *deb, int status, const struct error *failure, struct error *err)
{
	const struct run_options *run = &deb->options.run;
	json_t *json = json_pack("{s:o, s:o, s:i, s:o, s:o, s:O, s:o, s:o, s:o}", "source",
		text_or_null(deb->dsc.source), "version", text_or_null(deb->dsc.version), "status",
		status, "error", text_or_null(failure ? failure->text : NULL), "reproducible",
		verdict(deb), "differences", deb->differences, "builds", tell_builds(deb), "image",
		text_or_null(run->image ? run->files.root : NULL), "layer",
		text_or_null(deb->layer));

	return document_write(json, "deb", deb->options.json, err);
}
