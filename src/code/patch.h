/*
 * One patched site: which bytes of the text give way to a jump, and what its stub consists of.
 * Planning needs no addresses, since every form has a fixed size; emission writes the bytes by the
 * protocol of format.h.
 */
#ifndef STET_CODE_PATCH_H
#define STET_CODE_PATCH_H

#include "code/region.h"

#define PATCH_BEFORE 8 /* instructions looked at before a site */
#define PATCH_AFTER  4 /* and behind it */
#define PATCH_SITES  (1 + PATCH_AFTER)

struct patch {
	struct insn site;
	struct insn before[PATCH_BEFORE], after[PATCH_AFTER]; /* copied into the stub, in order */
	uint8_t before_count, after_count;
	uint8_t length; /* of the bytes that give way, from begin on */
	bool intact;	/* they end before the site */
	uint8_t stub_length;
	uint64_t begin;
};

/*
 * Chooses a form for a site. Bytes below `floor` belong to an earlier patch. False when there is no
 * form that is safe.
 */
bool patch_plan(
	struct patch *patch, const struct region *region, const struct insn *site, uint64_t floor);

/* How many sites it is for: approximations behind the first one can be part of it. */
unsigned patch_sites(const struct patch *patch);

/*
 * Writes the stub (stub_length bytes), overwrites the text with the jump to it, and fills an entry
 * per site; what these say of places in stubs is relative to this one's start. Text and stub are
 * given with the addresses that they will have. False when a distance exceeds 32 bits.
 */
bool patch_emit(const struct patch *patch, uint8_t *text, uint64_t text_address, uint8_t *stub,
	uint64_t stub_address, struct code_site entries[PATCH_SITES]);

#endif
