/*
 * Archives from a stranger: nothing may come to lie outside of the directory that they are unpacked
 * in. The first byte says how it is unpacked; the others are an archive as it is, or orders to make
 * one of names and links that are likely to meet.
 */
#include <archive.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/remove.h"
#include "image/tree_digest.h"
#include "image/unpack.h"
#include "../unit/tar_maker.h"

enum { LAYER = 1, LISTED = 2, TWICE = 4, ORDERS = 8 };

#define LIMIT	 (1 << 20)
#define BLOCK	 512
#define MAGIC_AT 257
#define SUM_AT	 148

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

static int top = -1;
static char top_path[64];

static void demand(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

static void remove_top(void)
{
	remove_tree(AT_FDCWD, top_path);
}

/* Beside the root lies a directory that nobody has reason to touch. */
static void make_top(void)
{
	snprintf(top_path, sizeof(top_path), "%s/stet-fuzz-XXXXXX",
		access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	demand(mkdtemp(top_path) != NULL, "a scratch directory can be made");
	atexit(remove_top);
	top = open(top_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	demand(mkdirat(top, "outside", 0705) == 0, "a directory can be made");
}

static int count_names(const char *name)
{
	int fd = openat(top, name, O_RDONLY | O_DIRECTORY), count = 0;
	DIR *listing = fdopendir(fd);

	demand(listing != NULL, "the scratch directory is there");
	while (readdir(listing))
		count++;
	closedir(listing);
	return count;
}

static void check_outside(void)
{
	struct stat status;

	demand(count_names(".") == 4 && count_names("outside") == 2, "nothing new lies outside");
	demand(fstatat(top, "outside", &status, AT_SYMLINK_NOFOLLOW) == 0 &&
			status.st_mode == (S_IFDIR | 0705) && status.st_uid == geteuid(),
		"nothing outside has changed");
}

static void unpack_once(uint8_t how, int root, struct owners *owners, const void *data, size_t size)
{
	struct unpack unpack = {
		.root = root,
		.layer = how & LAYER,
		.give = !(how & LISTED) && geteuid() == 0,
		.owners = owners,
		.left = LIMIT,
	};
	struct archive *archive = unpack_reader();
	struct error err = { 0 };
	char digest[HASH_TEXT];

	if (archive_read_open_memory(archive, data, size) == ARCHIVE_OK) {
		if (unpack_archive(&unpack, archive, "archive", &err) == 0)
			demand(tree_digest(root, owners, digest, &err) == 0, err.text);
		else
			demand(err.text[0] != 0, "a failure has a message");
		demand(unpack.left <= LIMIT, "the limit only goes down");
	}
	archive_read_free(archive);
}

static void unpack(uint8_t how, const void *data, size_t size)
{
	struct owners owners = { 0 };
	int root;

	demand(mkdirat(top, "root", 0755) == 0, "the root can be made");
	root = openat(top, "root", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	unpack_once(how, root, &owners, data, size);
	if (how & TWICE)
		unpack_once(how, root, &owners, data, size);
	check_outside();
	close(root);
	owners_release(&owners);
	demand(remove_tree(top, "root") == 0, "the root can be removed");
}

/* An order has a byte for each of these. */
enum { KIND, FIRST, SECOND, THIRD, LINK_FIRST, LINK_SECOND, MODE, OWNER, ORDER_SIZE };

static const char *part(uint8_t order)
{
	static const char *const parts[] = { "", "a", "b", "c", "dev", ".", "a", "b", "..", ".wh.a",
		".wh.b", ".wh..wh..opq", ".wh..wh.x", ".wh..", "outside", "root" };

	return parts[order % (sizeof(parts) / sizeof(*parts))];
}

static void follow_order(struct maker *tar, const uint8_t *order)
{
	static const char kinds[] = "0012255613";
	static const unsigned modes[] = { 0755, 0644, 01000, 0555, 06711, 0111, 0400, 0700 };
	char name[64], link[64];

	snprintf(name, sizeof(name), "%s/%s/%s", part(order[FIRST]), part(order[SECOND]),
		part(order[THIRD]));
	snprintf(link, sizeof(link), "%s/%s", part(order[LINK_FIRST]), part(order[LINK_SECOND]));
	maker_add(
		tar, (struct maker_entry){ .name = name + strspn(name, order[KIND] & 64 ? "" : "/"),
			     .type = kinds[order[KIND] % (sizeof(kinds) - 1)],
			     .link = link + strspn(link, order[KIND] & 128 ? "" : "/"),
			     .mode = modes[order[MODE] % 8],
			     .uid = order[OWNER] % 4,
			     .gid = order[OWNER] / 64,
			     .mtime = order[MODE],
			     .content = order[KIND] & 32 ? "content" : NULL });
}

static void unpack_orders(uint8_t how, const uint8_t *data, size_t size)
{
	struct maker tar;

	maker_start(&tar);
	for (; size >= ORDER_SIZE; data += ORDER_SIZE, size -= ORDER_SIZE)
		follow_order(&tar, data);
	maker_end(&tar);
	unpack(how, tar.data, tar.size);
	maker_release(&tar);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (top < 0)
		make_top();
	if (size > 0 && (data[0] & ORDERS))
		unpack_orders(data[0], data + 1, size - 1);
	else if (size > 0)
		unpack(data[0], data + 1, size - 1);
	return 0;
}

#ifdef FUZZING
/* Headers keep a right sum, or else little would be looked at. */
static void mend_header(uint8_t *header)
{
	char text[16];
	unsigned sum = 0;

	if (memcmp(header + MAGIC_AT, "ustar", 5) != 0)
		return;
	memset(header + SUM_AT, ' ', 8);
	for (size_t i = 0; i < BLOCK; i++)
		sum += header[i];
	snprintf(text, sizeof(text), "%06o", sum);
	memcpy(header + SUM_AT, text, 7);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
	size = LLVMFuzzerMutate(data, size, room);
	if (size == 0 || (data[0] & ORDERS) || seed % 16 == 0)
		return size;
	for (size_t at = 1; at + BLOCK <= size; at += BLOCK)
		mend_header(data + at);
	return size;
}
#endif
