/*
 * A child makes a file after much computing, which takes no logical time. Its parent looks for it
 * late in logical time, which it gets to at once, as it only asks for memory. So the look comes
 * first in real time and second in the order of events: it must find the file. early_look WHAT,
 * where WHAT says what the child does: make, write, remove, move, list; or times: it makes a file in a
 * new directory of the image, of which the parent looks at the times.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NEW_DIRECTORY "/opt/early_look"

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (write(fd, text, strlen(text)) < 0 || close(fd))
		perror(path);
}

static void compute(void)
{
	for (volatile unsigned i = 0; i < 300000000; i++)
		;
}

/* A tenth of a second of logical time. */
static void hurry(void)
{
	const size_t bytes = 4 << 20; /* a millisecond for 1 MiB */

	for (int i = 0; i < 25; i++)
		munmap(mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			       0),
			bytes);
}

static void change(const char *what)
{
	if (strcmp(what, "make") == 0)
		put("new", "made");
	else if (strcmp(what, "write") == 0)
		put("old", "written");
	else if (strcmp(what, "remove") == 0)
		unlink("old");
	else if (strcmp(what, "move") == 0)
		rename("old", "new");
	else if (strcmp(what, "times") == 0)
		put(NEW_DIRECTORY "/file", "made");
	else
		mkdir("directory", 0755);
}

static void show(const char *path)
{
	char text[64] = { 0 };
	int fd = open(path, O_RDONLY);

	if (fd >= 0 && read(fd, text, sizeof(text) - 1) >= 0)
		close(fd);
	printf("%s: %s\n", path, fd < 0 ? "none" : text);
}

static void look(const char *what)
{
	struct stat st;

	if (strcmp(what, "list") == 0) {
		int count = 0;
		DIR *directory = opendir(".");

		while (readdir(directory))
			count++;
		closedir(directory);
		printf("%d entries\n", count);
		return;
	}
	if (strcmp(what, "times") == 0) {
		stat(NEW_DIRECTORY, &st);
		printf("%ld.%09ld\n", st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
		return;
	}
	show("old");
	show("new");
	printf("%d\n", stat("new", &st));
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "make";
	static char buffer[BUFSIZ];

	setvbuf(stdout, buffer, _IOFBF,
		sizeof(buffer)); /* or it asks what its output is, in turn */
	put("old", "old");
	if (strcmp(what, "times") == 0 && mkdir(NEW_DIRECTORY, 0755))
		perror(NEW_DIRECTORY);
	if (fork() == 0) {
		compute();
		change(what);
		return 0;
	}
	hurry();
	look(what);
	wait(NULL);
	return 0;
}
