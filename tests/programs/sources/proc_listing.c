/*
 * Listings of /proc and /sys show the tree that can be opened, and nothing else.
 * Does not differ natively: that takes another kernel.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void list(const char *directory)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, NULL, alphasort);

	printf("%s:\n", directory);
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		char path[512];
		struct stat st;

		snprintf(path, sizeof(path), "%s/%s", directory, name);
		if (strcmp(directory, "/proc") != 0 || !isdigit(name[0]))
			printf("  %s%s\n", name, lstat(path, &st) ? " IS NOT THERE" : "");
	}
}

int main(void)
{
	list("/proc");
	list("/proc/self");
	list("/proc/self/ns");
	list("/proc/self/net");
	list("/proc/sys");
	list("/proc/sys/kernel");
	list("/proc/sys/vm");
	list("/proc/sys/fs");
	list("/proc/sys/net");
	list("/sys");
	list("/sys/devices/system/cpu");
	list("/sys/class");
	list("/run");
	list("/tmp");
	list("/var/tmp");
	return 0;
}
