#include "cli/diff_json.h"

#include "base/json_text.h"

static json_t *finding_json(const struct finding *finding)
{
	json_t *json = json_pack("{s:s, s:o, s:s?}", "level", level_name(finding->level), "what",
		json_text(finding->what), "cause", finding->cause);

	if (json && finding->excerpt)
		json_object_set_new(json, "excerpt", json_text(finding->excerpt));
	return json;
}

static json_t *findings_json(const struct node *node)
{
	json_t *list = json_array();

	for (size_t i = 0; i < node->finding_count; i++)
		json_array_append_new(list, finding_json(&node->findings[i]));
	return list;
}

static json_t *children_json(const struct node *node)
{
	json_t *list = json_array();

	for (size_t i = 0; i < node->child_count; i++)
		json_array_append_new(list, diff_json_object(node->children[i]));
	return list;
}

json_t *diff_json_object(const struct node *node)
{
	json_t *json = json_pack("{s:o, s:s, s:s}", "name", json_text(node->name), "format",
		node->format, "level", level_name(node->level));

	if (!json)
		return NULL;
	if (node->ignored)
		json_object_set_new(json, "ignored", json_true());
	if (node->finding_count)
		json_object_set_new(json, "findings", findings_json(node));
	if (node->child_count)
		json_object_set_new(json, "objects", children_json(node));
	return json;
}

json_t *diff_json_counts(const struct node *root)
{
	json_t *json = json_object();

	for (int level = LEVEL_BITS; level <= LEVEL_DIFFERENT; level++)
		json_object_set_new(json, level_name((enum level)level),
			json_integer((json_int_t)root->objects[level]));
	json_object_set_new(json, "ignored", json_integer((json_int_t)root->ignored_objects));
	return json;
}
