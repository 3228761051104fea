/* The layout of the container's root on its way from init to the supervisor. */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "box/looks.h"

/* Followed by both paths, with their ends; the second may be missing. */
struct item {
	uint32_t kind, mount, fresh, mode;
	uint32_t path_bytes, host_bytes;
};

static bool put_item(FILE *out, const struct placed *placed)
{
	const struct item item = {
		.kind = placed->kind,
		.mount = placed->mount,
		.fresh = placed->fresh,
		.mode = placed->mode,
		.path_bytes = (uint32_t)strlen(placed->path) + 1,
		.host_bytes = placed->host ? (uint32_t)strlen(placed->host) + 1 : 0,
	};

	return fwrite(&item, sizeof(item), 1, out) == 1 &&
	       fwrite(placed->path, item.path_bytes, 1, out) == 1 &&
	       (!item.host_bytes || fwrite(placed->host, item.host_bytes, 1, out) == 1);
}

int looks_layout(const struct record *record, struct error *err)
{
	int fd = memfd_create("stet-layout", MFD_CLOEXEC), copy = dup(fd);
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
	bool good = out;

	for (size_t i = 0; good && i < record->count; i++)
		good = put_item(out, &record->items[i]);
	if (out && fclose(out))
		good = false;
	if (good)
		return fd;
	error_set(err, errno, "cannot tell what the container's root is made of");
	if (fd >= 0)
		close(fd);
	return -1;
}

static char *take_text(FILE *in, uint32_t bytes)
{
	char *text = bytes && bytes <= PATH_MAX ? malloc(bytes) : NULL;

	if (text && fread(text, bytes, 1, in) == 1 && !text[bytes - 1])
		return text;
	free(text);
	return NULL;
}

/* 1: one was read; 0: there is no more; -1: it is damaged. */
static int take_item(FILE *in, struct record *record)
{
	cleanup_free char *path = NULL;
	struct placed *placed;
	struct item item;

	if (fread(&item, sizeof(item), 1, in) != 1)
		return feof(in) ? 0 : -1;
	path = take_text(in, item.path_bytes);
	placed = path ? record_add(record, (enum placed_kind)item.kind, path) : NULL;
	if (!placed)
		return -1;
	placed->mount = item.mount;
	placed->fresh = item.fresh;
	placed->mode = item.mode;
	placed->host = item.host_bytes ? take_text(in, item.host_bytes) : NULL;
	return item.host_bytes && !placed->host ? -1 : 1;
}

int looks_read_layout(int fd, struct record *record, struct error *err)
{
	int copy = dup(fd), r = -1;
	cleanup_file FILE *in = copy < 0 ? NULL : fdopen(copy, "r");

	if (in)
		rewind(in);
	while (in && (r = take_item(in, record)) > 0)
		;
	return r ? error_set(err, 0, "what the container's root is made of is damaged") : 0;
}
