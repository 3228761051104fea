/* Which names in a tree are of one file: of each file with several links, the first that was met. */
#ifndef STET_DIFF_HARD_LINKS_H
#define STET_DIFF_HARD_LINKS_H

#include <stddef.h>
#include <sys/stat.h>

struct hard_link;
/* Zeroed at first. */
struct hard_links {
	struct hard_link *slots;
	size_t count, room;
};

/* Sets *first to the first name of the file, NULL when this is it, or it has one link. -1 without
 * memory. */
int hard_links_meet(
	struct hard_links *links, const struct stat *status, const char *path, const char **first);
void hard_links_release(struct hard_links *links);

#endif
