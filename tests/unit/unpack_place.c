#include "unpack_place.h"

#include <archive.h>
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "image/remove.h"

#define ORDINARY 65534

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

int place_unpack_tar(struct place *place, struct maker *tar)
{
	int failed = place_unpack(place, tar->data, tar->size);

	maker_release(tar);
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
