#include "image/entry_path.h"

#include <string.h>

const char *entry_path(const char *name, char path[PATH_MAX])
{
	char *to = path;

	if (!name || !name[0])
		return "has no name";
	if (name[0] == '/')
		return "has an absolute name; make the archive with relative ones";
	if (strlen(name) >= PATH_MAX)
		return "has a name that is too long";
	while (name += strspn(name, "/"), *name) {
		size_t length = strcspn(name, "/");

		if (length == 2 && memcmp(name, "..", 2) == 0)
			return "leads out of the image: it has \"..\" in its name";
		if (length > NAME_MAX)
			return "has a name that is too long";
		if (length != 1 || name[0] != '.') {
			if (to > path)
				*to++ = '/';
			memcpy(to, name, length);
			to += length;
		}
		name += length;
	}
	*to = 0;
	return NULL;
}

const char *entry_path_split(const char *path, char parent[PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) : 0;

	memcpy(parent, path, length);
	parent[length] = 0;
	return slash ? slash + 1 : path;
}
