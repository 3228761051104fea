#include "image/image.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_readable_directory(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return -1;
	if (!S_ISDIR(status.st_mode)) {
		errno = ENOTDIR;
		return -1;
	}
	return access(path, R_OK | X_OK);
}

int image_open(const char *name, const struct image_options *options, struct image *image,
	struct error *err)
{
	*image = (struct image){ .lock = -1 };
	image->root = realpath(name, NULL);
	if (!image->root || is_readable_directory(image->root))
		return error_set(err, errno, "--image %s", name);
	return 0;
}

void image_close(struct image *image)
{
	free(image->root);
	free(image->owners);
	if (image->lock >= 0)
		close(image->lock);
	*image = (struct image){ .lock = -1 };
}
