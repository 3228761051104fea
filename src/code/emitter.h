/* Writes machine code for a given address, byte by byte. Wraps what stubs are made with. */
#ifndef STET_CODE_EMITTER_H
#define STET_CODE_EMITTER_H

#include "code/insn.h"

struct emitter {
	uint8_t *bytes;
	uint64_t address; /* that the first byte will have */
	unsigned at;
	bool in_reach; /* no distance exceeded 32 bits so far */
};

void emitter_put(struct emitter *emitter, const void *bytes, size_t count);
void emitter_put_word(struct emitter *emitter, uint32_t value);

#define PUT(emitter, ...)                                                                          \
	emitter_put(emitter, (const uint8_t[]){ __VA_ARGS__ },                                     \
		sizeof((const uint8_t[]){ __VA_ARGS__ }))

/* How far it is; notes when that is too far. */
int32_t emitter_distance(struct emitter *emitter, uint64_t from, uint64_t to);

/* A distance that ends its instruction. */
void emitter_put_distance(struct emitter *emitter, uint64_t target);

/* Copies an instruction whose bytes these are; a RIP-relative operand names the same place as
 * before. Returns the copy. */
uint8_t *emitter_put_copy(
	struct emitter *emitter, const struct insn *insn, const uint8_t *original);

#endif
