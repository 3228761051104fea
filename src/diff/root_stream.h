/*
 * Reads objects as ROOT streams them into payloads: numbers, TString, TObject, objects with a count
 * of their bytes and a version in front, pointers to objects with their classes. Whatever is not as
 * it should be makes the cursor bad, and all further reads give nothing. Uses blob and root_key.
 */
#ifndef STET_DIFF_ROOT_STREAM_H
#define STET_DIFF_ROOT_STREAM_H

#include "diff/root_key.h"

struct root_cursor {
	const struct blob *payload;
	uint32_t key_bytes; /* places in payloads count from the start of the key */
	uint64_t at;
	bool bad;
};

uint64_t root_take_number(struct root_cursor *cursor, unsigned bytes);
struct root_text root_take_text(struct root_cursor *cursor);
void root_take_bytes(struct root_cursor *cursor, uint64_t bytes);
/* The members that each TObject has. */
void root_take_object(struct root_cursor *cursor);

/* An object's front: its version, and where it ends. */
struct root_front {
	uint64_t end;
	uint16_t version;
};
struct root_front root_take_front(struct root_cursor *cursor);
/* Goes to the end of an object; bad if that is behind. */
void root_take_end(struct root_cursor *cursor, const struct root_front *front);

/* A pointer: to nothing or to an object that stands elsewhere (the class is empty), or to one that
 * follows, up to *end. */
struct root_text root_take_pointer(struct root_cursor *cursor, uint64_t *end);

/* What TObjArray and TList have before their pointers; returns how many of these follow. */
uint64_t root_take_array(struct root_cursor *cursor, bool is_list, struct root_front *front);

#endif
