/*
 * Processes that do not wait for each other make random operations on a few files, with random
 * amounts of computation between them: random_files SEED PROCESSES OPERATIONS FILES. Each writes
 * all that it saw into a file of its own. Whatever order the operations are made in, what they see
 * must be that of the one logical order; the suite "ahead" compares.
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define DIRECTORIES 3

static uint64_t state;
static FILE *seen;
static unsigned names;

static unsigned pick(unsigned limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 20) % limit;
}

/* Takes real time, and logical time, which moves with memory that is asked for: neither depends on
 * the other. */
static void compute(void)
{
	static volatile unsigned sink;
	unsigned rounds = pick(4) ? pick(2000) : pick(400000);
	size_t bytes = (1 + pick(2) * pick(1024)) * 1024;
	void *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory != MAP_FAILED)
		munmap(memory, bytes);
	while (rounds--)
		sink += rounds;
}

static const char *name(void)
{
	static char text[2][64];
	static int which;

	which ^= 1;
	if (pick(8) == 0)
		snprintf(text[which], 64, "d%u", pick(DIRECTORIES));
	else if (pick(12) == 0)
		snprintf(text[which], 64, "d%u/../d%u/f%u", pick(DIRECTORIES), pick(DIRECTORIES),
			pick(names));
	else
		snprintf(text[which], 64, "d%u/f%u", pick(DIRECTORIES), pick(names));
	return text[which];
}

static const char *directory(void)
{
	static char text[16];

	snprintf(text, sizeof(text), "d%u", pick(DIRECTORIES));
	return text;
}

static void note(const char *what, const char *path, long result)
{
	fprintf(seen, "%s %s %ld %s\n", what, path, result, result < 0 ? strerror(errno) : "");
}

static void note_status(const char *what, const char *path, long result, const struct stat *st)
{
	note(what, path, result);
	if (result == 0)
		fprintf(seen, "  %lu %o %lu %ld %ld.%09ld %ld.%09ld\n", st->st_ino, st->st_mode,
			st->st_nlink, st->st_size, st->st_mtim.tv_sec, st->st_mtim.tv_nsec,
			st->st_ctim.tv_sec, st->st_ctim.tv_nsec);
}

static void read_file(const char *path)
{
	char text[4096] = { 0 };
	int fd = open(path, O_RDONLY);
	struct stat st;
	long n;

	note("open", path, fd < 0 ? -1 : 0);
	if (fd < 0)
		return;
	compute();
	n = read(fd, text, sizeof(text) - 1);
	fprintf(seen, "  %ld %s\n", n, n > 0 ? text : "");
	if (pick(3) == 0)
		note_status("fstat", path, fstat(fd, &st), &st);
	close(fd);
}

static void map_file(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	char *text;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
		text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (text != MAP_FAILED)
			fprintf(seen, "map %s %.*s\n", path, (int)st.st_size, text);
	}
	close(fd);
}

static void write_file(const char *path)
{
	static const int ways[] = { O_CREAT | O_TRUNC, O_CREAT | O_EXCL, O_CREAT | O_APPEND,
		O_APPEND, 0, O_TRUNC };
	int fd = open(path, O_WRONLY | ways[pick(6)], pick(2) ? 0644 : 0600);
	char text[32];

	note("write", path, fd < 0 ? -1 : 0);
	for (unsigned i = pick(3); fd >= 0 && i < 3; i++) {
		int bytes = snprintf(text, sizeof(text), "%u,", pick(1000));

		if (write(fd, text, (size_t)bytes) != bytes)
			note("short", path, -1);
		compute();
	}
	if (fd >= 0)
		close(fd);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	(void)a, (void)b;
	return 0;
}

static void list(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, by_name);

	note("list", path, count);
	for (int i = 0; i < count; i++) {
		fprintf(seen, "  %s %lu\n", entries[i]->d_name, entries[i]->d_ino);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static void read_link(const char *path)
{
	char text[64] = { 0 };
	long n = readlink(path, text, sizeof(text) - 1);

	note("readlink", path, n);
	fprintf(seen, "  %s\n", text);
}

/* The child writes where its parent does. */
static void child(const char *path)
{
	bool runs = pick(2);
	pid_t pid;

	fflush(seen);
	pid = fork();
	if (pid == 0 && runs) {
		dup2(fileno(seen), 1);
		dup2(fileno(seen), 2);
		execlp("cat", "cat", path, NULL);
	}
	if (pid == 0) {
		write_file(path);
		fflush(seen);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* Mostly what changes its times alone. */
static void act_on_directory(const char *path)
{
	const struct timespec times[2] = { { 100, 5 }, { pick(1000), 7 } };
	struct stat st;

	switch (pick(8)) {
	case 0:
		note("chmod", path, chmod(path, pick(8) ? 0755 : 0711));
		break;
	case 1:
		note("chown", path, chown(path, geteuid(), getegid()));
		break;
	case 2:
		note("utimens", path, utimensat(AT_FDCWD, path, pick(2) ? times : NULL, 0));
		break;
	case 3:
		note("mkdir", path, mkdir(path, 0755));
		break;
	case 4:
		note("move", path, rename(path, pick(2) ? "d0" : "d3"));
		break;
	case 5:
		note("move back", path, rename("d3", path));
		break;
	default:
		note_status("stat", path, stat(path, &st), &st);
	}
}

static void act(unsigned operation)
{
	const struct timespec times[2] = { { 100, 5 }, { pick(1000), 7 } };
	const char *a = name(), *b = name();
	struct stat st;

	switch (operation) {
	case 0 ... 4:
		note_status("stat", a, stat(a, &st), &st);
		break;
	case 5:
		note_status("lstat", a, lstat(a, &st), &st);
		break;
	case 6 ... 10:
		read_file(a);
		break;
	case 11 ... 15:
		write_file(a);
		break;
	case 16 ... 17:
		note("unlink", a, unlink(a));
		break;
	case 18 ... 19:
		note("rename", a, rename(a, b));
		break;
	case 20:
		note("link", a, link(a, b));
		break;
	case 21:
		note("access", a, access(a, pick(2) ? R_OK : X_OK));
		break;
	case 22:
		note("chmod", a, chmod(a, pick(2) ? 0755 : 0644));
		break;
	case 23:
		note("utimens", a, utimensat(AT_FDCWD, a, pick(2) ? times : NULL, 0));
		break;
	case 24:
		list(pick(2) ? "." : "d0");
		break;
	case 25:
		note("symlink", a, symlink("f1", a));
		break;
	case 26:
		read_link(a);
		break;
	case 27:
		note("truncate", a, truncate(a, pick(10)));
		break;
	case 28:
		note("mkdir", a, mkdir(a, 0755));
		break;
	case 29:
		note("rmdir", a, rmdir(a));
		break;
	case 30:
		child(a);
		break;
	case 31:
		map_file(a);
		break;
	default:
		act_on_directory(directory());
	}
}

static void work(unsigned seed, unsigned process, unsigned operations)
{
	char path[32];

	state = (seed * 1000003ull + process + 1) * 0x9e3779b97f4a7c15ull | 1;
	for (int i = 0; i < 10; i++)
		pick(2);
	snprintf(path, sizeof(path), "seen%u", process);
	seen = fopen(path, "w");
	setvbuf(seen, NULL, _IOFBF, 1 << 20);
	for (unsigned i = 0; i < operations; i++) {
		compute();
		act(pick(36));
	}
	fclose(seen);
}

int main(int argc, char **argv)
{
	unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	unsigned processes = argc > 2 ? (unsigned)atoi(argv[2]) : 3;
	unsigned operations = argc > 3 ? (unsigned)atoi(argv[3]) : 20;
	char path[32], byte;
	int start[2];

	names = argc > 4 ? (unsigned)atoi(argv[4]) : 8;
	for (unsigned i = 0; i < DIRECTORIES; i++) {
		snprintf(path, sizeof(path), "d%u", i);
		mkdir(path, 0755);
	}
	if (pipe(start))
		return 1;
	for (unsigned i = 0; i < processes; i++)
		if (fork() == 0) {
			close(start[1]);
			if (read(start[0], &byte, 1)) /* until all are there */
				_exit(1);
			work(seed, i, operations);
			_exit(0);
		}
	close(start[1]);
	while (wait(NULL) > 0)
		;
	return 0;
}
