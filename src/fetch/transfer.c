#include "fetch/transfer.h"

#include <errno.h>
#include <unistd.h>

#include "base/write_all.h"
#include "fetch/interrupt.h"

int transfer_too_large(const struct transfer *transfer, struct error *err)
{
	return error_set(err, 0, "--fetch %s: has more than %llu bytes; --fetch-limit allows more",
		transfer->fetch->shown, (unsigned long long)transfer->options->limit);
}

int transfer_take(
	struct transfer *transfer, const void *data, size_t bytes, uint64_t all, struct error *err)
{
	const struct fetch_options *options = transfer->options;

	if (interrupt_check(err))
		return -1;
	if (bytes > options->limit - transfer->hash.bytes)
		return transfer_too_large(transfer, err);
	if (write_all(transfer->file, data, bytes))
		return error_set(
			err, errno, "--fetch: cannot write to the cache %s", options->cache);
	hash_add(&transfer->hash, data, bytes);
	if (options->progress)
		options->progress(transfer->hash.bytes, all);
	return 0;
}
