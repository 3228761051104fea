/* Assembles snippets into small libraries, rewrites them, and checks what comes out. */
#ifndef STET_TEST_CODE_SNIPPET_H
#define STET_TEST_CODE_SNIPPET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/format.h"
#include "code/rewrite.h"

struct snippet {
	uint8_t *bytes; /* the ELF file */
	size_t size;
	int rc; /* of rewrite_elf */
	struct rewrite rewrite;
	struct code_header header;
	struct code_site *sites;
	const uint8_t *source; /* the segment in the file */
	uint8_t *copy, *stubs;
	uint64_t text_address; /* page-aligned address of the executable segment */
};

/* Assembles (with further options for the compiler driver, or NULL), links and rewrites. */
void snippet_build(struct snippet *snippet, const char *assembly, const char *options);

/* Reads and rewrites a file; false when it is not there. */
bool snippet_load(struct snippet *snippet, const char *path);
void snippet_free(struct snippet *snippet);

/* Fails the test unless every rule of format.h holds for the whole image. */
void snippet_check(const struct snippet *snippet);

/* The only site of a kind; fails the test when there is none, or more than one. */
const struct code_site *snippet_site(const struct snippet *snippet, enum insn_kind kind);

/* Offset of a symbol from the start of the copied segment. */
uint64_t snippet_symbol(const struct snippet *snippet, const char *name);

#endif
