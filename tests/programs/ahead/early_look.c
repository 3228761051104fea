/*
 * A child changes something after much computing, which takes no logical time. Its parent looks at it
 * late in logical time, which it gets to at once, as it only asks for memory. So the look comes
 * first in real time and second in the order of events: it must find what was changed. early_look
 * WHAT, where WHAT is a row of the table below.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
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
	for (volatile unsigned i = 0; i < 150000000; i++)
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

static void tell(const char *what, int result)
{
	printf("%s: %s\n", what, result ? strerror(errno) : "done");
}

static void make_new(void)
{
	put("new", "made");
}

static void write_old(void)
{
	put("old", "written");
}

static void remove_old(void)
{
	unlink("old");
}

static void move(void)
{
	rename("old", "new");
}

static void make_directory(void)
{
	mkdir("directory", 0755);
}

static void make_below(void)
{
	put(NEW_DIRECTORY "/file", "made");
}

static void show_directory(void)
{
	struct stat st;

	if (stat(NEW_DIRECTORY, &st))
		puts("gone");
	else
		printf("%o %ld.%09ld %ld.%09ld\n", st.st_mode, st.st_mtim.tv_sec,
			st.st_mtim.tv_nsec, st.st_ctim.tv_sec, st.st_ctim.tv_nsec);
}

/* As install -d and dh_fixperms do. */
static void keep_attributes(void)
{
	if (chmod(NEW_DIRECTORY, 0755) || chown(NEW_DIRECTORY, geteuid(), getegid()))
		perror(NEW_DIRECTORY);
	show_directory();
}

static void change_mode(void)
{
	if (chmod(NEW_DIRECTORY, 0700))
		perror(NEW_DIRECTORY);
}

static void set_times(void)
{
	const struct timespec times[2] = { { 100, 5 }, { 200, 7 } };

	if (utimensat(AT_FDCWD, NEW_DIRECTORY, times, 0))
		perror(NEW_DIRECTORY);
}

static void move_directory(void)
{
	if (rename(NEW_DIRECTORY, NEW_DIRECTORY ".moved"))
		perror(NEW_DIRECTORY);
}

/* Through a file that is no directory. */
static void pass_file(void)
{
	struct stat st;

	if (stat("old/below/name", &st) == 0 || errno != ENOTDIR)
		perror("old/below/name");
}

/* As mkdir -p does. */
static void make_path(void)
{
	struct stat st;

	tell("stat", stat("path", &st));
	tell("mkdir", mkdir("path", 0755));
}

static void show(const char *path)
{
	char text[64] = { 0 };
	int fd = open(path, O_RDONLY);

	if (fd >= 0 && read(fd, text, sizeof(text) - 1) >= 0)
		close(fd);
	printf("%s: %s\n", path, fd < 0 ? "none" : text);
}

static void look(void)
{
	struct stat st;

	show("old");
	show("new");
	printf("%d\n", stat("new", &st));
}

static void list_here(void)
{
	int count = 0;
	DIR *directory = opendir(".");

	while (readdir(directory))
		count++;
	closedir(directory);
	printf("%d entries\n", count);
}

/* Without a look at the directory's attributes, which would be made in turn. Who lists it goes on
 * after its last change, as the time shows. */
static void list_new(void)
{
	struct timespec now;
	char entries[1024];
	int fd = open(NEW_DIRECTORY, O_RDONLY | O_DIRECTORY);

	printf("%ld bytes\n", (long)getdents64(fd, entries, sizeof(entries)));
	clock_gettime(CLOCK_REALTIME, &now);
	printf("%ld.%09ld\n", now.tv_sec, now.tv_nsec);
	close(fd);
}

static void look_at_times(void)
{
	struct stat st;

	stat(NEW_DIRECTORY, &st);
	printf("%ld.%09ld\n", st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

static void read_below(void)
{
	show(NEW_DIRECTORY "/old");
}

static void read_out(void)
{
	show(NEW_DIRECTORY "/out");
}

static void read_through(void)
{
	show("link/old");
}

static void read_back(void)
{
	show(NEW_DIRECTORY "/../early_look.other");
}

static void where(void)
{
	char path[64];

	puts(getcwd(path, sizeof(path)) ? path : "nowhere");
}

static const struct row {
	const char *what;
	void (*child)(void), (*parent)(void);
} rows[] = {
	{ "make", make_new, look },
	{ "write", write_old, look },
	{ "remove", remove_old, look },
	{ "move", move, look },
	{ "list", make_directory, list_here },
	{ "times", make_below, look_at_times },
	{ "same attributes", keep_attributes, make_below },
	{ "same attributes, list", keep_attributes, list_new },
	{ "other mode", change_mode, read_below },
	{ "set times", set_times, read_below },
	{ "set times, make", set_times, make_below },
	{ "pass a file", pass_file, read_below },
	{ "path", make_path, make_path },
	{ "move directory", move_directory, look },
	{ "move directory, read", move_directory, read_below },
	{ "move directory, make", move_directory, make_below },
	{ "move directory, link in", move_directory, read_through },
	{ "move directory, link out", move_directory, read_out },
	{ "move directory, back", move_directory, read_back },
	{ "move directory, where", move_directory, where },
};

static const struct row *row_of(const char *what)
{
	const struct row *row = rows;

	while (strcmp(row->what, what) != 0)
		row++;
	return row;
}

/* A directory in which there are names is looked at in turn. */
static void prepare(const struct row *row)
{
	put("old", "old");
	if (mkdir(NEW_DIRECTORY, 0755))
		perror(NEW_DIRECTORY);
	if (row->parent != look_at_times && row->parent != list_new)
		put(NEW_DIRECTORY "/old", "old");
	if (row->parent == read_out && symlink("../early_look.other", NEW_DIRECTORY "/out"))
		perror("out");
	if (row->parent == read_through && symlink(NEW_DIRECTORY, "link"))
		perror("link");
	if (row->parent == read_out || row->parent == read_back)
		put("/opt/early_look.other", "other");
	if (row->parent == where && chdir(NEW_DIRECTORY))
		perror(NEW_DIRECTORY);
}

int main(int argc, char **argv)
{
	const struct row *row = row_of(argc > 1 ? argv[1] : "make");
	static char buffer[BUFSIZ];

	setvbuf(stdout, buffer, _IOFBF,
		sizeof(buffer)); /* or it asks what its output is, in turn */
	prepare(row);
	if (fork() == 0) {
		compute();
		row->child();
		return 0;
	}
	hurry();
	row->parent();
	wait(NULL);
	show_directory();
	return 0;
}
