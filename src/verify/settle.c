#include "verify/settle.h"

#include <errno.h>
#include <fts.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static int settle_one(const FTSENT *entry, const struct settle *how)
{
	mode_t mode = entry->fts_statp->st_mode,
	       wanted = ((mode | how->with) & ~how->without) & 07777;

	if (how->give && lchown(entry->fts_accpath, how->uid, how->gid))
		return -1;
	/* A change of owner takes bits as well. */
	if (S_ISLNK(mode) || (!how->give && wanted == (mode & 07777)))
		return 0;
	return chmod(entry->fts_accpath, wanted);
}

int settle(const char *path, const struct settle *how, struct error *err)
{
	char *const paths[] = { (char *)path, NULL };
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	int failed = 0;

	if (!walk)
		return error_set(err, errno, "cannot look into %s", path);
	for (FTSENT *entry; !failed && (entry = fts_read(walk));) {
		/* A directory that nobody may enter is left as it is: it has one owner already. */
		if (entry->fts_info == FTS_DP || entry->fts_info == FTS_NS ||
			entry->fts_info == FTS_DNR)
			continue;
		if (settle_one(entry, how))
			failed = error_set(err, errno, "cannot change %s", entry->fts_path);
	}
	fts_close(walk);
	return failed;
}
