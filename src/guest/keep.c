#include "guest/keep.h"

#include "guest/code.h"
#include "guest/descriptor.h"
#include "guest/process.h"
#include "guest/stat.h"

/* Only what came from the image is at risk: it is neither new nor in a mount. */
static bool needs_keeping(const struct inode *inode)
{
	return inode && !(inode->flags & (INODE_MADE | INODE_KEPT)) &&
	       stat_is_of_image(inode->device);
}

static void keep(struct inode *inode, long fd)
{
	if (failed(fd))
		return;
	if (code_send(REQUEST_KEEP, (int)fd))
		__atomic_or_fetch(&inode->flags, INODE_KEPT, __ATOMIC_RELAXED);
	sys(__NR_close, fd);
}

void keep_descriptor(struct inode *inode, uint64_t fd)
{
	if (needs_keeping(inode))
		keep(inode, descriptor_reopen((long)fd, O_PATH | O_CLOEXEC));
}

void keep_name(struct inode *inode, struct name name, uint64_t flags)
{
	if (needs_keeping(inode))
		keep(inode, sys(__NR_openat, name.dirfd, name.path,
				    O_PATH | O_CLOEXEC |
					    (flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0)));
}
