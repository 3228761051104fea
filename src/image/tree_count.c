#include "image/tree_count.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>

int tree_count(int root, uint64_t *count)
{
	char path[64], *const paths[] = { path, NULL };
	FTSENT *entry;
	FTS *tree;

	snprintf(path, sizeof(path), "/proc/self/fd/%d/.", root);
	tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	if (!tree)
		return -1;
	*count = 0;
	while ((entry = fts_read(tree)))
		if (entry->fts_level > FTS_ROOTLEVEL && entry->fts_info != FTS_DP)
			++*count;
	return fts_close(tree);
}
