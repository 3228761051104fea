/* Directories list their entries in the order of names, whatever the file system's own order is. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *const types[16] = {
	[DT_DIR] = "directory", [DT_REG] = "file", [DT_LNK] = "link", [DT_FIFO] = "fifo"
};

/* In an order that differs from run to run. */
static void make_files(void)
{
	struct timespec now;
	unsigned start;

	clock_gettime(CLOCK_REALTIME, &now);
	start = (unsigned)now.tv_nsec / 1000;
	for (unsigned i = 0; i < 300; i++) {
		char name[32];

		snprintf(name, sizeof(name), "directory/%03u", (start + i * 7) % 300);
		close(open(name, O_CREAT | O_WRONLY, 0644));
	}
}

static int list(const char *name)
{
	DIR *dir = opendir(name);
	struct dirent *entry;
	int differ = 0;

	while ((entry = readdir(dir))) {
		struct stat st;

		fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW);
		differ += st.st_ino != entry->d_ino || st.st_mode >> 12 != entry->d_type;
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9' ||
			atoi(entry->d_name) % 50 == 0)
			printf("%s %s %ld\n", entry->d_name, types[entry->d_type],
				(long)entry->d_off);
	}
	closedir(dir);
	return differ;
}

int main(void)
{
	char place[] = "/dev/shm/orderXXXXXX"; /* a file system in memory lists what is new first */

	if (!mkdtemp(place) || chdir(place))
		return 1;
	mkdir("directory", 0755);
	make_files();
	symlink("nowhere", "directory/~link");
	mkfifo("directory/!fifo", 0644);
	mkdir("directory/below", 0755);
	close(open("directory/below-", O_CREAT | O_WRONLY, 0644));
	close(open("directory/Below", O_CREAT | O_WRONLY, 0644));
	printf("%d differ from stat\n", list("directory"));
	fflush(stdout);
	execlp("rm", "rm", "-r", place, NULL);
	return 1;
}
