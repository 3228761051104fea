/* File systems have one size and kind, whatever the host's disks are and however full. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

static void show(const char *name, int r, const struct statfs *s)
{
	if (r) {
		perror(name);
		return;
	}
	printf("%s: type %lx, blocks %ld of %ld, %ld free, %ld available, files %ld, %ld free, id "
	       "%x %x, "
	       "names %ld, fragments %ld, flags %lx\n",
		name, (long)s->f_type, (long)s->f_blocks, (long)s->f_bsize, (long)s->f_bfree,
		(long)s->f_bavail, (long)s->f_files, (long)s->f_ffree, s->f_fsid.__val[0],
		s->f_fsid.__val[1], (long)s->f_namelen, (long)s->f_frsize, (long)s->f_flags);
}

static void show_name(const char *name)
{
	struct statfs s;

	show(name, statfs(name, &s), &s);
}

static void show_file(const char *what, int fd)
{
	struct statfs s;

	show(what, fstatfs(fd, &s), &s);
	close(fd);
}

/* Takes some room, another amount each time. */
static int take_room(const char *name)
{
	int fd = open(name, O_CREAT | O_RDWR, 0644);
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	unlink(name);
	return posix_fallocate(fd, 0, 4096 * (1 + now.tv_nsec / 1000 % 2000));
}

int main(void)
{
	struct statvfs v;
	struct statfs s;
	int ends[2];

	printf("%d %d\n", take_room("room"), take_room("/dev/shm/statfs_values"));

	show_name(".");
	show_name("/");
	show_name("/usr");
	show_name("/etc/passwd");
	show_name("/proc");
	show_name("/dev");
	show_name("/dev/shm");
	show_name("/dev/null");
	show_file("new file", open("file", O_CREAT | O_RDWR, 0644));
	show_file("directory", open("/tmp", O_RDONLY));
	show_file("memfd", memfd_create("some", 0));
	pipe(ends);
	show_file("pipe", ends[0]);
	statvfs(".", &v);
	printf("statvfs: %lu of %lu, flags %lx\n", v.f_bavail, v.f_blocks, v.f_flag);
	printf("not there: %d\n", statfs("nowhere/at all", &s));
	printf("closed: %d\n", fstatfs(77, &s));
	return 0;
}
