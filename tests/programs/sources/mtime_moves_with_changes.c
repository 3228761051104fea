/* Which of a file's times, and of its directory's, each kind of change moves. */
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/xattr.h>

#include "files.h"

static struct stat file, directory;

static void moved(const char *what, const char *path)
{
	struct stat st = look(path), dir = look(".");

	printf("%s:%s%s%s%s%s", what, ns(st.st_atim) > ns(file.st_atim) ? " atime" : "",
		ns(st.st_mtim) > ns(file.st_mtim) ? " mtime" : "",
		ns(st.st_ctim) > ns(file.st_ctim) ? " ctime" : "",
		ns(dir.st_mtim) > ns(directory.st_mtim) ? " directory" : "",
		st.st_ino == file.st_ino ? "" : " other file");
	show_time("", st.st_ctim);
	puts("");
	file = st;
	directory = dir;
}

int main(void)
{
	struct iovec parts[2] = { { "one", 3 }, { "two", 3 } };
	char buffer[100], *memory;
	int fd, source;

	touch("source");
	check(truncate("source", 10) == 0, "truncate");
	fd = open("f", O_RDWR | O_CREAT, 0644);
	source = open("source", O_RDONLY);
	file = look("f");
	directory = look(".");
	check(write(fd, "text", 4) == 4, "write");
	moved("write", "f");
	check(write(fd, "", 0) == 0, "write of nothing");
	moved("write of nothing", "f");
	check(pwrite(fd, "text", 4, 100) == 4, "pwrite");
	moved("pwrite", "f");
	check(writev(fd, parts, 2) == 6, "writev");
	moved("writev", "f");
	check(pwritev(fd, parts, 2, 50) == 6 && pwritev2(fd, parts, 2, 50, 0) == 6, "pwritev");
	moved("pwritev", "f");
	check(sendfile(fd, source, NULL, 10) == 10, "sendfile");
	moved("sendfile", "f");
	check(copy_file_range(source, &(off_t){ 0 }, fd, &(off_t){ 0 }, 10, 0) == 10, "copy");
	moved("copy_file_range", "f");
	check(pread(fd, buffer, sizeof(buffer), 0) > 0, "read");
	moved("read", "f");
	check(truncate("f", 5000) == 0, "truncate");
	moved("truncate", "f");
	check(ftruncate(fd, 10000) == 0, "ftruncate");
	moved("ftruncate", "f");
	check(fallocate(fd, 0, 0, 20000) == 0, "fallocate");
	moved("fallocate", "f");
	memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	check(memory != MAP_FAILED, "mmap");
	moved("mmap", "f");
	memory[0] = 'x';
	check(msync(memory, 4096, MS_SYNC) == 0, "msync");
	moved("msync", "f");
	memory[0] = 'y';
	check(munmap(memory, 4096) == 0, "munmap");
	moved("munmap", "f");
	check(chmod("f", 0600) == 0, "chmod");
	moved("chmod", "f");
	check(fchmod(fd, 0640) == 0, "fchmod");
	moved("fchmod", "f");
	check(fchmodat(AT_FDCWD, "f", 0644, 0) == 0, "fchmodat");
	moved("fchmodat", "f");
	check(chown("f", getuid(), getgid()) == 0, "chown");
	moved("chown", "f");
	check(link("f", "g") == 0, "link");
	moved("link", "f");
	check(rename("f", "h") == 0, "rename");
	moved("rename", "h");
	check(rename("g", "h") == 0, "rename of two names of one file");
	moved("rename of two names of one file", "h");
	check(unlink("g") == 0, "unlink");
	moved("unlink of the other name", "h");
	touch("i");
	check(rename("h", "i") == 0, "rename over another");
	moved("rename over another", "i");
	check(mkdir("d", 0755) == 0 && rename("i", "d/i") == 0, "rename into a directory");
	moved("rename into a directory", "d/i");
	printf("that directory moved: %d\n", ns(look("d").st_mtim) == ns(directory.st_mtim));
	check(unlink("d/i") == 0 && rmdir("d") == 0, "rmdir");
	check(fstat(fd, &file) == 0, "fstat");
	printf("links left: %d, directory after the file's end: %d\n", (int)file.st_nlink,
		ns(look(".").st_mtim) > ns(file.st_ctim));
	return 0;
}
