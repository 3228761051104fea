/*
 * A directory of 20,000 entries comes in order, once each, while half of them are removed.
 * Does not differ natively on every file system: some list in the order of names or of creation.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COUNT = 20000 };

int main(void)
{
	char last[64] = "", name[64];
	struct dirent *entry;
	int seen = 0, unordered = 0, left = 0;
	DIR *dir;

	mkdir("d", 0755);
	chdir("d");
	for (int i = 0; i < COUNT; i++) {
		snprintf(name, sizeof(name), "a-name-as-long-as-many-%d", i * 7919 % COUNT);
		close(open(name, O_CREAT | O_WRONLY, 0644));
	}
	dir = opendir(".");
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		unordered += strcmp(last, entry->d_name) >= 0;
		strcpy(last, entry->d_name);
		if (seen++ % 2)
			unlink(entry->d_name);
	}
	rewinddir(dir);
	while ((entry = readdir(dir)))
		left += entry->d_name[0] != '.';
	closedir(dir);
	printf("%d seen, %d out of order, %d left\n", seen, unordered, left);
	return 0;
}
