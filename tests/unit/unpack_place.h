/* A fresh directory to unpack tars in, and to look at what has come of them. */
#ifndef STET_TESTS_UNPACK_PLACE_H
#define STET_TESTS_UNPACK_PLACE_H

#include "base/cleanup.h"
#include "image/unpack.h"
#include "tar_maker.h"

/* A directory of a test's own, with "root" in it, and nothing else. */
struct place {
	char path[64];
	int top, root;
	struct owners owners;
	struct error err;
	uint64_t limit;
	bool layer, keep_owners;
};

void place_make(struct place *place);
/* Also makes sure that nothing has come to lie beside the root. */
void place_remove(struct place *place);
int place_unpack(struct place *place, const void *data, size_t size);
/* Unpacks it, and releases it. */
int place_unpack_tar(struct place *place, struct maker *tar);

/* Runs all tests of `run` as the caller, and if that is root, once more as an ordinary user. */
int run_as_both(int (*run)(void));

#endif
