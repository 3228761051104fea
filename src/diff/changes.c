#include "diff/changes.h"

#include <stdlib.h>

int changes_add(struct changes *changes, const struct change *change)
{
	if (changes->count == changes->room) {
		size_t room = changes->room ? 2 * changes->room : 16;
		struct change *list = reallocarray(changes->list, room, sizeof(*list));

		if (!list)
			return -1;
		changes->list = list;
		changes->room = room;
	}
	changes->list[changes->count++] = *change;
	return 0;
}

void changes_release(struct changes *changes)
{
	free(changes->list);
	*changes = (struct changes){ 0 };
}
