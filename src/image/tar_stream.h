/*
 * A tar inside of what takes off its compression: reads it to its very end, and lets it have only so
 * many bytes. What is behind the end of the archive has to be zeros, as tar pads; an archive that
 * just stops was cut off.
 */
#ifndef STET_IMAGE_TAR_STREAM_H
#define STET_IMAGE_TAR_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct archive;

struct gunzip;

struct tar_stream {
	struct archive *source;	 /* gives the bytes: not its own */
	struct gunzip *gunzip;	 /* takes off gzip, which the source leaves; or NULL */
	struct archive *entries; /* reads them as a tar */
	const char *name;	 /* for messages */
	uint64_t bytes, most;	 /* so far, and as many as there may be */
	uint64_t zeros;		 /* from here on all bytes so far were zeros */
};

int tar_stream_open(struct tar_stream *stream, struct error *err);
/* When `entries` has come to its end: reads what is behind it. */
int tar_stream_finish(struct tar_stream *stream, struct error *err);
void tar_stream_close(struct tar_stream *stream);

#endif
