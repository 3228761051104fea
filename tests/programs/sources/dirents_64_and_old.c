/* getdents and getdents64 list the same entries at the same positions. */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct old {
	unsigned long inode, offset;
	unsigned short length;
	char name[];
};

struct new
{
	uint64_t inode;
	int64_t offset;
	unsigned short length;
	unsigned char type;
	char name[];
};

int main(void)
{
	static const char *const names[] = { "a", "bb", "ccc", "dddd", "eeeee", "ffffff", "ggggggg",
		"hhhhhhhh", "iiiiiiiii" };
	char place[] = "/dev/shm/formsXXXXXX", old_buffer[1024], new_buffer[1024];
	struct timespec now;
	long bytes, old_at = 0, new_at = 0;
	int fd;

	/* A file system in memory lists what is new first. */
	if (!mkdtemp(place) || chdir(place))
		return 1;
	clock_gettime(CLOCK_REALTIME, &now);
	mkdir("d", 0755);
	for (int i = 0; i < 9; i++) {
		char name[32];

		snprintf(name, sizeof(name), "d/%s", names[(i * 2 + now.tv_nsec / 1000) % 9]);
		mkdir(name, 0755);
	}
	fd = open("d", O_RDONLY);
	bytes = syscall(SYS_getdents, fd, old_buffer, sizeof(old_buffer));
	printf("old: %ld bytes, offset %ld\n", bytes, (long)lseek(fd, 0, SEEK_CUR));
	lseek(fd, 0, SEEK_SET);
	printf("new: %ld bytes\n", syscall(SYS_getdents64, fd, new_buffer, sizeof(new_buffer)));
	while (old_at < bytes) {
		struct old *old = (struct old *)(old_buffer + old_at);
		struct new *new = (struct new *)(new_buffer + new_at);

		printf("%s %s, same number: %d, types %d %d, next %ld %ld, bytes %d %d\n",
			old->name, new->name, old->inode == new->inode,
			old_buffer[old_at + old->length - 1], new->type, (long)old->offset,
			(long)new->offset, old->length, new->length);
		old_at += old->length;
		new_at += new->length;
	}
	fflush(stdout);
	execlp("rm", "rm", "-r", place, NULL);
	return 1;
}
