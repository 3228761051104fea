/*
 * Files of an image that belong to somebody whom the container does not have. To change one, the
 * layer would have to copy it, and cannot give the copy to its owner. For programs such files are
 * root's, or somebody else's whom they can see (owners.h), and root may change them: so the guest
 * makes a copy that is the container's own, and puts it in the file's place. As with the layer's own
 * copies, who has the file open goes on reading the old one. Not for descriptors, which would still
 * lead to that, and not for what may not be read. Uses names, inodes, numbers and owners.
 */
#ifndef STET_GUEST_LIFT_H
#define STET_GUEST_LIFT_H

#include "guest/names.h"
#include "guest/process.h"

bool lift_file(struct thread *self, struct name name, uint64_t flags);

/* A call that changes what the name leads to answered this: is it worth to make it again? `flags`
 * may have AT_SYMLINK_NOFOLLOW. */
static inline bool lift(struct thread *self, struct name name, uint64_t flags, long result)
{
	return process.arena->config.foreign && name.path &&
	       (result == -EACCES || result == -EPERM || result == -EOVERFLOW) &&
	       lift_file(self, name, flags);
}

#endif
