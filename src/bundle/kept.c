#include "bundle/kept.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"

#define VERSION	 "stet content 1" /* of the compression, too */
#define SETTLE_S 3		  /* a file that was just changed can change without a trace */
#define KEPT_S	 (30 * 24 * 3600)

/* What a kept file begins with. */
struct head {
	char hash[HASH_TEXT];
	char pad[7];
	uint64_t bytes; /* behind it */
};

/* Once in a while, by who opens it. */
static void sweep(int cache)
{
	time_t now = time(NULL);
	int fd = openat(cache, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_dir DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	struct stat status;

	if (fstatat(cache, "swept", &status, 0) == 0 && status.st_mtime > now - KEPT_S / 30)
		return;
	while (dir && (entry = readdir(dir)))
		if (fstatat(cache, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
			S_ISREG(status.st_mode) && status.st_mtime < now - KEPT_S)
			unlinkat(cache, entry->d_name, 0);
	fd = openat(cache, "swept", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd >= 0) {
		futimens(fd, NULL);
		close(fd);
	}
}

int kept_open(const char *path)
{
	int cache = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (cache < 0)
		return -1;
	fchmod(cache, 0700);
	sweep(cache);
	return cache;
}

/* Numbers of files and devices mean the same as long as the kernel runs. */
static const char *this_boot(void)
{
	static char boot[64];
	cleanup_close int fd =
		boot[0] ? -1 : open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && read(fd, boot, sizeof(boot) - 1) <= 0)
		boot[0] = '\0';
	return boot;
}

void kept_key(const struct stat *status, char key[HASH_TEXT])
{
	const uint64_t facts[] = { status->st_dev, status->st_ino, (uint64_t)status->st_size,
		(uint64_t)status->st_mtim.tv_sec, (uint64_t)status->st_mtim.tv_nsec,
		(uint64_t)status->st_ctim.tv_sec, (uint64_t)status->st_ctim.tv_nsec };
	struct hash hash;

	hash_start(&hash);
	hash_add(&hash, VERSION, sizeof(VERSION));
	hash_add(&hash, this_boot(), strlen(this_boot()));
	hash_add(&hash, facts, sizeof(facts));
	hash_finish(&hash, key);
}

int kept_copy(int from, off_t start, int to, uint64_t bytes)
{
	char buffer[65536];

	while (bytes > 0) {
		ssize_t n = copy_file_range(from, &start, to, NULL, bytes, 0);

		if (n <= 0) { /* between file systems, for example */
			n = pread(from, buffer,
				bytes < sizeof(buffer) ? (size_t)bytes : sizeof(buffer), start);
			if (n <= 0 || write(to, buffer, (size_t)n) != n)
				return -1;
			start += n;
		}
		bytes -= (uint64_t)n;
	}
	return 0;
}

int kept_take(int cache, const char *key, off_t *start, uint64_t *bytes, char hash[HASH_TEXT])
{
	int file = openat(cache, key, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;
	struct head head;

	if (file < 0)
		return -1;
	if (fstat(file, &status) || pread(file, &head, sizeof(head), 0) != sizeof(head) ||
		(uint64_t)status.st_size != sizeof(head) + head.bytes || head.hash[HASH_TEXT - 1]) {
		close(file);
		return -1;
	}
	futimens(file, NULL);
	memcpy(hash, head.hash, HASH_TEXT);
	*start = sizeof(head);
	*bytes = head.bytes;
	return file;
}

void kept_put(int cache, const char *key, const struct stat *status, int fd, off_t start,
	uint64_t bytes, const char hash[HASH_TEXT])
{
	struct head head = { .bytes = bytes };
	char draft[32];
	int file;

	if (status->st_ctim.tv_sec + SETTLE_S > time(NULL))
		return;
	memcpy(head.hash, hash, HASH_TEXT);
	snprintf(draft, sizeof(draft), "tmp.%d", getpid());
	file = openat(cache, draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (file < 0)
		return;
	if (write(file, &head, sizeof(head)) != sizeof(head) || kept_copy(fd, start, file, bytes) ||
		renameat(cache, draft, cache, key))
		unlinkat(cache, draft, 0);
	close(file);
}
