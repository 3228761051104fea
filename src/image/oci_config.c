#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/oci_parts.h"

static int check_platform(const struct oci_document *document, struct error *err)
{
	const char *system, *architecture;

	if (oci_string(document, document->json, "os", OCI_OPTIONAL, &system, err) ||
		oci_string(
			document, document->json, "architecture", OCI_OPTIONAL, &architecture, err))
		return -1;
	/* Some builders leave them empty. */
	if ((!system || !*system || strcmp(system, "linux") == 0) &&
		(!architecture || !*architecture || strcmp(architecture, "amd64") == 0))
		return 0;
	return error_set(err, 0, "%s: the image is for %.40s/%.40s, not for linux/amd64",
		document->image, system ? system : "", architecture ? architecture : "");
}

static int read_layers(const struct oci_document *document, struct oci *oci, struct error *err)
{
	const char *type;
	json_t *system, *list;

	if (oci_member(
		    document, document->json, "rootfs", JSON_OBJECT, OCI_REQUIRED, &system, err) ||
		oci_string(document, system, "type", OCI_REQUIRED, &type, err) ||
		oci_member(document, system, "diff_ids", JSON_ARRAY, OCI_OPTIONAL, &list, err))
		return -1;
	if (strcmp(type, "layers") != 0)
		return oci_wrong(
			document, err, "\"rootfs\" is of type %.100s, not of layers", type);
	if (json_array_size(list) != oci->layer_count)
		return oci_wrong(document, err,
			"\"diff_ids\" has %zu entries, and the manifest has %zu layers",
			json_array_size(list), oci->layer_count);
	for (size_t i = 0; i < oci->layer_count; i++)
		if (oci_take_digest(document, json_array_get(list, i), &oci->layers[i].diff, err))
			return -1;
	return 0;
}

static int check_environment(
	const struct oci_document *document, char *const *list, struct error *err)
{
	for (; list && *list; list++)
		if (**list == '=' || !strchr(*list, '='))
			return oci_wrong(
				document, err, "\"Env\": %.100s must be NAME=VALUE", *list);
	return 0;
}

/* An empty string is as good as none. */
static int copy_string(const struct oci_document *document, const json_t *object, const char *key,
	char **copy, struct error *err)
{
	const char *string;

	if (oci_string(document, object, key, OCI_OPTIONAL, &string, err))
		return -1;
	*copy = NULL;
	if (!string || !*string)
		return 0;
	*copy = strdup(string);
	return *copy ? 0 : error_set(err, ENOMEM, "%s", document->image);
}

static int read_use(const struct oci_document *document, const json_t *object,
	struct image_config *config, struct error *err)
{
	if (oci_strings(document, object, "Env", &config->environment, err) ||
		check_environment(document, config->environment, err) ||
		oci_strings(document, object, "Entrypoint", &config->entrypoint, err) ||
		oci_strings(document, object, "Cmd", &config->command, err) ||
		copy_string(document, object, "WorkingDir", &config->workdir, err) ||
		copy_string(document, object, "User", &config->user, err))
		return -1;
	if (config->workdir && config->workdir[0] != '/')
		return oci_wrong(document, err, "\"WorkingDir\" %.100s must be an absolute path",
			config->workdir);
	return 0;
}

int oci_config_read(const struct oci_document *document, struct oci *oci, struct error *err)
{
	json_t *use;

	if (check_platform(document, err) || read_layers(document, oci, err) ||
		oci_member(
			document, document->json, "config", JSON_OBJECT, OCI_OPTIONAL, &use, err))
		return -1;
	return use ? read_use(document, use, &oci->config, err) : 0;
}

void image_config_release(struct image_config *config)
{
	oci_strings_release(config->environment);
	oci_strings_release(config->entrypoint);
	oci_strings_release(config->command);
	free(config->workdir);
	free(config->user);
	*config = (struct image_config){ 0 };
}
