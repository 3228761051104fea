/* ELF files: what kind one is, and mapping one into the process as the kernel would. */
#ifndef STET_GUEST_ELF_H
#define STET_GUEST_ELF_H

#include <stdbool.h>

#include "guest/kernel.h"

enum elf_kind {
	ELF_NOT,
	ELF_WRONG_CLASS, /* 32-bit, or another machine's */
	ELF_STATIC,
	ELF_INTERPRETED,
	ELF_GUEST, /* the guest's own file, which lies over the loader */
};

/* `head` is the beginning of the file. The interpreter's name is copied when there is one. */
enum elf_kind elf_examine(int fd, const char *head, size_t bytes, char *interpreter, size_t limit);

struct elf_image {
	uint64_t bias; /* added to the file's addresses */
	uint64_t entry, headers, header_count;
	uint64_t end; /* first address behind it */
	bool executable_stack;
	char interpreter[256]; /* "" when it has none */
};

/* Maps the file; near `hint` when it can lie anywhere. 0 or -errno. */
long elf_load(int fd, uint64_t hint, struct elf_image *image);

/* The kernel mapped the program: notes its place, and says where it ends. */
uint64_t elf_program_end(uint64_t headers, uint64_t header_count);
/* ... and puts rewritten copies over its code. */
void elf_cover_program(uint64_t headers, uint64_t header_count);

#endif
