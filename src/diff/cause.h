/* Why two things differ, as far as that can be told from how they do. All causes are constants. */
#ifndef STET_DIFF_CAUSE_H
#define STET_DIFF_CAUSE_H

#include <stddef.h>

#include "diff/blob.h"

#define CAUSE_TIME	  "date or time"
#define CAUSE_PATH	  "build path"
#define CAUSE_ORDER	  "order of entries"
#define CAUSE_OWNER	  "user or group"
#define CAUSE_MODE	  "umask"
#define CAUSE_HOST	  "host name"
#define CAUSE_RANDOM	  "random number, address or name"
#define CAUSE_PID	  "process number"
#define CAUSE_LOCALE	  "locale"
#define CAUSE_CPUS	  "number of CPUs"
#define CAUSE_KERNEL	  "kernel version"
#define CAUSE_BUILD_ID	  "build id: follows from other differences"
#define CAUSE_HASH	  "checksum: follows from other differences"
#define CAUSE_GZIP_TIME	  "gzip header time"
#define CAUSE_COMPRESSION "compression"
#define CAUSE_VERSION	  "version"

/* Of two texts that differ, usually two lines: the cause, or NULL when none is recognised. */
const char *cause_of_text(const char *a, size_t a_size, const char *b, size_t b_size);
/* Of binary numbers of eight bytes that differ there: are they times? */
const char *cause_of_number(
	const struct blob *a, uint64_t a_at, const struct blob *b, uint64_t b_at);

#endif
