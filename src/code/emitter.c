#include "code/emitter.h"

#include <string.h>

void emitter_put(struct emitter *emitter, const void *bytes, size_t count)
{
	memcpy(emitter->bytes + emitter->at, bytes, count);
	emitter->at += (unsigned)count;
}

void emitter_put_word(struct emitter *emitter, uint32_t value)
{
	emitter_put(emitter, &value, sizeof(value));
}

int32_t emitter_distance(struct emitter *emitter, uint64_t from, uint64_t to)
{
	int64_t bytes = (int64_t)(to - from);

	if (bytes != (int32_t)bytes)
		emitter->in_reach = false;
	return (int32_t)bytes;
}

void emitter_put_distance(struct emitter *emitter, uint64_t target)
{
	uint64_t end = emitter->address + emitter->at + 4;

	emitter_put_word(emitter, (uint32_t)emitter_distance(emitter, end, target));
}

uint8_t *emitter_put_copy(struct emitter *emitter, const struct insn *insn, const uint8_t *original)
{
	uint8_t *copy = emitter->bytes + emitter->at;
	uint64_t end = emitter->address + emitter->at + insn->length;

	emitter_put(emitter, original, insn->length);
	if (insn->rip_field) {
		int32_t field = emitter_distance(emitter, end, insn->reference);

		memcpy(copy + insn->rip_field, &field, sizeof(field));
	}
	return copy;
}
