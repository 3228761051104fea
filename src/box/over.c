#include "box/over.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

enum over_kind over_look(
	const struct stage *stage, const char *host, const char *inside, char over[PATH_MAX])
{
	char path[STAGE_PATH], opaque;
	struct stat status;

	if (!stage->over || snprintf(over, PATH_MAX, "%s%s", stage->over, inside) >= PATH_MAX)
		return OVER_NOTHING;
	snprintf(path, sizeof(path), STAGE_HOST "%s", over);
	if (strcmp(host, over) == 0 || lstat(path, &status)) /* `host` itself may be from there */
		return OVER_NOTHING;
	if (S_ISCHR(status.st_mode) && status.st_rdev == makedev(0, 0))
		return OVER_GONE;
	if (!S_ISDIR(status.st_mode))
		return OVER_FILE;
	return lgetxattr(path, "user.overlay.opaque", &opaque, 1) == 1 && opaque == 'y'
		       ? OVER_OPAQUE
		       : OVER_DIRECTORY;
}
