/* Gives each file of a directory to a fuzz target: the corpus as an ordinary test. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *directory, const char *name)
{
	static uint8_t data[1 << 20];
	cleanup_free char *path = NULL;
	cleanup_file FILE *file = NULL;
	size_t size;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return -1;
	file = fopen(path, "re");
	size = file ? fread(data, 1, sizeof(data), file) : 0;
	if (!file || ferror(file)) {
		perror(path);
		return -1;
	}
	printf("%s\n", name);
	fflush(stdout); /* so that a crash has a name */
	LLVMFuzzerTestOneInput(data, size);
	return 0;
}

int main(int argc, char **argv)
{
	struct dirent **names;
	int count = argc == 2 ? scandir(argv[1], &names, NULL, alphasort) : -1, failed = 0;

	if (count < 0) {
		fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
		return 2;
	}
	for (int i = 0; i < count; i++) {
		if (names[i]->d_name[0] != '.' && replay(argv[1], names[i]->d_name))
			failed = 1;
		free(names[i]);
	}
	free(names);
	if (count < 3) {
		fprintf(stderr, "%s has no files\n", argv[1]);
		failed = 1;
	}
	return failed;
}
