#include "tar_maker.h"

#include <archive.h>
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "image/remove.h"

#define BLOCK	 512
#define ORDINARY 65534

struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100];
	char magic[8], uname[32], gname[32], major[8], minor[8], prefix[155], rest[12];
};

_Static_assert(sizeof(struct header) == BLOCK, "a block of a tar");

void tar_start(struct tar *tar)
{
	*tar = (struct tar){ 0 };
	tar->stream = open_memstream(&tar->data, &tar->size);
	assert_non_null(tar->stream);
}

void tar_add_bytes(struct tar *tar, const void *data, size_t size)
{
	assert_int_equal(fwrite(data, 1, size, tar->stream), size);
}

static void add_content(struct tar *tar, const char *content)
{
	static const char zeros[BLOCK];
	size_t size = strlen(content);

	tar_add_bytes(tar, content, size);
	tar_add_bytes(tar, zeros, -size % BLOCK);
}

static void add_header(struct tar *tar, const struct tar_entry *entry)
{
	struct header header = { .type = entry->type };
	unsigned sum = 0;

	memcpy(header.name, entry->name, strnlen(entry->name, sizeof(header.name)));
	if (entry->link)
		memcpy(header.link, entry->link, strnlen(entry->link, sizeof(header.link)));
	sprintf(header.mode, "%07o", entry->mode);
	sprintf(header.uid, "%07o", entry->uid);
	sprintf(header.gid, "%07o", entry->gid);
	sprintf(header.size, "%011llo", (unsigned long long)entry->size);
	sprintf(header.mtime, "%011llo", (unsigned long long)entry->mtime);
	memcpy(header.magic, entry->magic ? entry->magic : "ustar\00000", sizeof(header.magic));
	memset(header.sum, ' ', sizeof(header.sum));
	for (size_t i = 0; i < BLOCK; i++)
		sum += ((unsigned char *)&header)[i];
	sprintf(header.sum, "%06o", sum);
	tar_add_bytes(tar, &header, BLOCK);
}

/* Each record begins with its own length. */
static void add_pax(struct tar *tar, const char *records)
{
	cleanup_free char *text = calloc(1, 2 * strlen(records) + 64);
	struct tar_entry entry = { .name = "pax", .type = 'x', .mode = 0644, .content = text };

	for (char *to = text; *records; records = strchr(records, '\n') + 1) {
		int length = (int)(strchr(records, '\n') - records) + 1, whole = length + 2;

		while (snprintf(NULL, 0, "%d ", whole) + length != whole)
			whole++;
		to += sprintf(to, "%d %.*s", whole, length, records);
	}
	tar_add(tar, entry);
}

void tar_add(struct tar *tar, struct tar_entry entry)
{
	if (entry.pax)
		add_pax(tar, entry.pax);
	entry.type = entry.type ? entry.type : '0';
	entry.mode = entry.mode ? entry.mode : 0644;
	if (entry.content && !entry.size)
		entry.size = strlen(entry.content);
	add_header(tar, &entry);
	if (entry.content)
		add_content(tar, entry.content);
}

void tar_stop(struct tar *tar)
{
	fclose(tar->stream);
}

void tar_end(struct tar *tar)
{
	static const char zeros[2 * BLOCK];

	tar_add_bytes(tar, zeros, sizeof(zeros));
	tar_stop(tar);
}

void tar_release(struct tar *tar)
{
	free(tar->data);
}

void place_make(struct place *place)
{
	*place = (struct place){ .limit = 1 << 20 };
	strcpy(place->path, "/tmp/stet-test-unpack-XXXXXX");
	assert_non_null(mkdtemp(place->path));
	place->top = open(place->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(place->top >= 0);
	assert_int_equal(mkdirat(place->top, "root", 0755), 0);
	place->root = openat(place->top, "root", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(place->root >= 0);
}

void place_remove(struct place *place)
{
	struct dirent **names;
	int count = scandir(place->path, &names, NULL, alphasort);

	assert_int_equal(count, 3);
	assert_string_equal(names[2]->d_name, "root");
	while (count > 0)
		free(names[--count]);
	free(names);
	close(place->root);
	close(place->top);
	owners_release(&place->owners);
	assert_int_equal(remove_tree(AT_FDCWD, place->path), 0);
}

int place_unpack(struct place *place, const void *data, size_t size)
{
	struct unpack unpack = {
		.root = place->root,
		.layer = place->layer,
		.give = geteuid() == 0 && !place->keep_owners,
		.owners = &place->owners,
		.left = place->limit,
	};
	struct archive *archive = unpack_reader();
	int failed;

	place->err.text[0] = 0;
	assert_non_null(archive);
	if (archive_read_open_memory(archive, data, size) != ARCHIVE_OK)
		failed = error_set(&place->err, 0, "open: %s", archive_error_string(archive));
	else
		failed = unpack_archive(&unpack, archive, "test.tar", &place->err);
	archive_read_free(archive);
	place->limit = unpack.left;
	return failed;
}

int place_unpack_tar(struct place *place, struct tar *tar)
{
	int failed = place_unpack(place, tar->data, tar->size);

	tar_release(tar);
	return failed;
}

/* LeakSanitizer looks into its own process, which has to allow it. */
static void become_ordinary(void)
{
	if (setgroups(0, NULL) || setresgid(ORDINARY, ORDINARY, ORDINARY) ||
		setresuid(ORDINARY, ORDINARY, ORDINARY) || prctl(PR_SET_DUMPABLE, 1))
		_exit(1);
}

int run_as_both(int (*run)(void))
{
	int failed = run(), status;
	pid_t child;

	if (geteuid() != 0) {
		printf("skip the same as root - that takes root\n");
		return failed;
	}
	fflush(NULL);
	child = fork();
	if (child == 0) {
		become_ordinary();
		exit(run() ? 1 : 0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		failed++;
	return failed;
}
