/* Whatever makes a file gives it the present as its times, and moves those of its directory. */
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "files.h"

static long long before;

/* The file was made after the last one, and the directory changed at that moment. */
static void made(const char *what, const char *path, const char *directory)
{
	struct stat st = look(path), parent = look(directory);

	printf("%s:", what);
	show_time("at", st.st_mtim);
	printf(", newer %d, all times one %d, directory too %d\n", ns(st.st_mtim) > before,
		ns(st.st_mtim) == ns(st.st_ctim) && ns(st.st_mtim) == ns(st.st_atim),
		ns(parent.st_mtim) == ns(st.st_mtim) && ns(parent.st_ctim) == ns(st.st_mtim));
	before = ns(st.st_mtim);
}

static int directory(const char *name)
{
	int fd = open(name, O_RDONLY | O_DIRECTORY);

	check(fd >= 0, name);
	return fd;
}

static void make_socket(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(address.sun_path, name);
	check(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0, name);
	close(fd);
}

int main(void)
{
	char here[4096], path[4200];
	struct stat st;
	int dir, fd;

	check(getcwd(here, sizeof(here)) != NULL, "getcwd");
	before = ns(look("/etc/passwd").st_mtim);
	check((fd = open("open", O_CREAT | O_WRONLY, 0644)) >= 0, "open");
	made("open", "open", ".");
	check(openat(AT_FDCWD, "exclusive", O_CREAT | O_EXCL | O_RDWR, 0644) >= 0, "openat");
	made("openat", "exclusive", ".");
	check(syscall(SYS_creat, "creat", 0644) >= 0, "creat");
	made("creat", "creat", ".");
	check(mkdir("d", 0755) == 0, "mkdir");
	made("mkdir", "d", ".");
	dir = directory("d");
	check(mkdirat(dir, "e", 0755) == 0, "mkdirat");
	made("mkdirat below a descriptor", "d/e", "d");
	check(mkdirat(AT_FDCWD, "d/e/g/", 0755) == 0, "mkdirat");
	made("mkdirat below a name", "d/e/g", "d/e");
	check(openat(dir, "e/g/../f", O_CREAT | O_WRONLY, 0644) >= 0, "openat");
	made("openat below both", "d/e/f", "d/e");
	check(openat(dir, "readable", O_CREAT | O_RDONLY, 0644) >= 0, "openat");
	made("openat for reading", "d/readable", "d");
	check(mknod("node", S_IFREG | 0644, 0) == 0, "mknod");
	made("mknod", "node", ".");
	snprintf(path, sizeof(path), "%s/full", here);
	check(mknodat(dir, path, S_IFIFO | 0644, 0) == 0, "mknodat");
	made("mknodat of a full name", "full", ".");
	check(symlink("d/target", "link") == 0, "symlink");
	made("symlink", "link", ".");
	check(symlinkat("nowhere", dir, "link") == 0, "symlinkat");
	made("symlinkat", "d/link", "d");
	check(open("link", O_CREAT | O_WRONLY, 0644) >= 0, "open");
	made("open through a link", "d/target", "d");
	make_socket("socket");
	made("bind", "socket", ".");
	check((fd = open(".", O_TMPFILE | O_RDWR, 0644)) >= 0 && fstat(fd, &st) == 0, "O_TMPFILE");
	printf("O_TMPFILE: newer %d, links %d, directory too %d\n", ns(st.st_mtim) > before,
		(int)st.st_nlink, ns(look(".").st_mtim) == ns(st.st_mtim));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	check(linkat(AT_FDCWD, path, AT_FDCWD, "linked", AT_SYMLINK_FOLLOW) == 0, "linkat");
	printf("linked: same file %d, changed %d\n", look("linked").st_ino == st.st_ino,
		ns(look("linked").st_ctim) == ns(look(".").st_ctim));
	return 0;
}
