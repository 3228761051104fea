/* Values of options: from text to what the container's configuration has. */
#ifndef STET_CLI_VALUES_H
#define STET_CLI_VALUES_H

#include <stdint.h>
#include <sys/types.h>

#include "box/box.h"

/* HOST[:INSIDE][:ro|rw|copy]; both paths of the result are absolute and to be freed. */
int value_mount(const char *text, struct box_mount *mount, struct error *err);

/* UID[:GID] */
int value_user(const char *text, uid_t *uid, gid_t *gid, struct error *err);

/* Names of sources, separated by commas or blanks; their bits are added to *relax. */
int value_relax(const char *text, uint32_t *relax, struct error *err);
/* The same names, in their order, separated by commas. */
void value_relax_tell(uint32_t relax, char *text, size_t room);

/* The other way round: names, separated by commas. */
void value_relax_tell(uint32_t relax, char *text, size_t room);

int value_hostname(const char *text, struct error *err);
int value_seconds(const char *text, double *seconds, struct error *err);

/* A whole number from `least` to `most`; `option` is for the message. */
int value_number(const char *option, const char *text, uint64_t least, uint64_t most,
	uint64_t *number, struct error *err);
/* Bytes, with a suffix K, M, G or T. */
int value_size(const char *option, const char *text, uint64_t *bytes, struct error *err);
#define EPOCH_MAX 7258118399ll /* the end of 2199: some room below 2^63 ns */
/* @SECONDS or ISO 8601; `option` is what the text was given for. */
int value_epoch(const char *option, const char *text, struct machine *machine, struct error *err);

#endif
