#include "box/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>

#include "base/cleanup.h"

int attach_clone(int dirfd, const char *path, bool readonly, struct error *err)
{
	struct mount_attr attributes = { .attr_set = MOUNT_ATTR_RDONLY };
	unsigned flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | AT_EMPTY_PATH;
	int tree = open_tree(dirfd, path, flags);

	if (tree < 0)
		return error_set(err, errno, "cannot take %s into the container", path);
	if (readonly && mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes,
				sizeof(attributes))) {
		error_set(err, errno, "cannot make %s read-only in the container", path);
		close(tree);
		return -1;
	}
	return tree;
}

int attach_at(int tree, int target, const char *name, struct error *err)
{
	if (move_mount(tree, "", target, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH))
		return error_set(err, errno, "cannot mount on %s in the container", name);
	return 0;
}

int attach_path(const char *source, const char *target, bool readonly, struct error *err)
{
	cleanup_close int tree = attach_clone(AT_FDCWD, source, readonly, err);

	if (tree < 0)
		return -1;
	if (move_mount(tree, "", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH))
		return error_set(err, errno, "cannot mount %s on %s", source, target);
	return 0;
}
