/* Entries from OCI layouts. */
#include <stdlib.h>
#include <string.h>

#include "image/make.h"
#include "image/oci.h"

static int fill_from_layers(struct making *making, struct unpack *unpack, struct image_info *info,
	const void *from, struct error *err)
{
	unpack->layer = true;
	return oci_unpack(from, making->name, unpack, making->options->progress, err);
}

static int unpack_image(struct making *making, struct oci *oci, struct error *err)
{
	struct image_info info = { .kind = IMAGE_OCI };
	int failed;

	memcpy(info.entry, oci->manifest, sizeof(info.entry));
	info.config = oci->config; /* lent */
	failed = make_entry(making, &info, fill_from_layers, oci, err);
	free(info.source);
	return failed ? -1 : make_from_entry(making, oci->manifest, err);
}

static int use_or_unpack(struct making *making, struct oci *oci, struct error *err)
{
	int found = make_from_entry(making, oci->manifest, err), claim;

	if (found)
		return found;
	claim = image_store_claim(&making->store, oci->manifest, err);
	if (claim < 0)
		return -1;
	/* Another process may have made it meanwhile. */
	found = make_from_entry(making, oci->manifest, err);
	if (!found)
		found = unpack_image(making, oci, err);
	image_store_unclaim(&making->store, oci->manifest, claim);
	return found;
}

int make_from_layout(struct making *making, int dir, struct error *err)
{
	struct oci oci;
	int found;

	if (oci_open(dir, making->name, making->tag, &oci, err))
		return -1;
	found = use_or_unpack(making, &oci, err);
	oci_close(&oci);
	return found;
}
