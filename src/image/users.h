/* Users and groups by the names that an image has for them, in its /etc/passwd and /etc/group. */
#ifndef STET_IMAGE_USERS_H
#define STET_IMAGE_USERS_H

#include <sys/types.h>

#include "base/error.h"

/*
 * `user` is USER or USER:GROUP, each a name or a number, as in an OCI image's config. The group of a
 * user alone is the one in /etc/passwd, else 0. Nothing outside of `root` is looked at, whatever
 * links the image has.
 */
int image_user_find(const char *root, const char *user, uid_t *uid, gid_t *gid, struct error *err);

#endif
