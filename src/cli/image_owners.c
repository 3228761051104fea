#include "cli/image_owners.h"

#include <errno.h>
#include <stdlib.h>

#include "image/owners_walk.h"

static int pass(struct image_owners *owners, struct box_config *box, struct error *err)
{
	const struct owners *found = &owners->owners;

	owners->shown = calloc(found->count + 1, sizeof(*owners->shown));
	if (!owners->shown)
		return error_set(err, ENOMEM, "--image");
	for (size_t i = 0; i < found->count; i++)
		owners->shown[i] = (struct box_owner){ found->list[i].path, found->list[i].uid,
			found->list[i].gid };
	box->owners = owners->shown;
	box->owner_count = found->count;
	return 0;
}

int image_owners_find(struct image_owners *owners, const struct image *image,
	struct box_config *box, struct error *err)
{
	box->own_owners = !image->owners && box_has_all_ids();
	if (box->own_owners)
		return 0;
	if (image->owners ? owners_read(&owners->owners, image->owners, err)
			  : owners_walk(&owners->owners, image->root, err))
		return -1;
	return pass(owners, box, err);
}

void image_owners_release(struct image_owners *owners)
{
	owners_release(&owners->owners);
	free(owners->shown);
	*owners = (struct image_owners){ 0 };
}
