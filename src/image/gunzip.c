#include "image/gunzip.h"

#include <stdlib.h>

#define GZIP_ONLY 16 /* added to the window, for zlib */

bool gunzip_is(const unsigned char *data, size_t size)
{
	return size >= 3 && data[0] == 0x1f && data[1] == 0x8b && data[2] == Z_DEFLATED;
}

struct gunzip *gunzip_new(void)
{
	struct gunzip *gunzip = calloc(1, sizeof(*gunzip));

	if (gunzip && inflateInit2(&gunzip->state, MAX_WBITS + GZIP_ONLY) != Z_OK) {
		free(gunzip);
		return NULL;
	}
	return gunzip;
}

void gunzip_give(struct gunzip *gunzip, const void *data, size_t size)
{
	gunzip->state.next_in = (unsigned char *)data;
	gunzip->state.avail_in = (unsigned)size;
}

ssize_t gunzip_read(struct gunzip *gunzip, const void **data, const char **why)
{
	z_stream *state = &gunzip->state;
	int status = Z_OK;

	*data = state->next_out = gunzip->output;
	state->avail_out = GUNZIP_CHUNK;
	/* Where output has to wait, there is input left: at least the sums are behind it. */
	while (state->avail_in && state->avail_out && status == Z_OK) {
		status = inflate(state, Z_NO_FLUSH);
		gunzip->is_between = status == Z_STREAM_END;
		if (gunzip->is_between)
			status = inflateReset(state);
	}
	if (status == Z_OK || status == Z_BUF_ERROR)
		return (ssize_t)(GUNZIP_CHUNK - state->avail_out);
	*why = state->msg ? state->msg : "gzip cannot be read";
	return -1;
}

bool gunzip_is_complete(const struct gunzip *gunzip)
{
	return gunzip->is_between;
}

void gunzip_free(struct gunzip *gunzip)
{
	if (!gunzip)
		return;
	inflateEnd(&gunzip->state);
	free(gunzip);
}
