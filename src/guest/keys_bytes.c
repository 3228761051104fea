/* What keys hold, in pieces of one size: none is moved, and what is freed fits whoever comes
 * next. */
#include "guest/keys.h"
#include "guest/sys.h"

static struct key_piece *piece_at(uint32_t number)
{
	return &key_store()->pieces[(number - 1) % KEY_PIECES];
}

static uint32_t piece_take(void)
{
	struct key_store *store = key_store();
	uint32_t number = store->pieces_free;

	if (number)
		store->pieces_free = piece_at(number)->next;
	else if (store->pieces_used < KEY_PIECES)
		number = ++store->pieces_used;
	if (number)
		piece_at(number)->next = 0;
	return number;
}

static void piece_give_back(uint32_t number)
{
	piece_at(number)->next = key_store()->pieces_free;
	key_store()->pieces_free = number;
}

/* A piece more at the end; NULL when there is none. */
static struct key_piece *append(struct key_bytes *bytes)
{
	uint32_t number = piece_take();

	if (!number)
		return NULL;
	if (bytes->last)
		piece_at(bytes->last)->next = number;
	else
		bytes->first = number;
	bytes->last = number;
	return piece_at(number);
}

void bytes_free(struct key_bytes *bytes)
{
	bytes_cut(bytes, 0);
}

void bytes_cut(struct key_bytes *bytes, uint32_t length)
{
	uint32_t kept = (length + KEY_PIECE - 1) / KEY_PIECE, number = bytes->first, last = 0;

	for (; number && kept; kept--) {
		last = number;
		number = piece_at(number)->next;
	}
	while (number) {
		uint32_t next = piece_at(number)->next;

		piece_give_back(number);
		number = next;
	}
	if (last)
		piece_at(last)->next = 0;
	else
		bytes->first = 0;
	bytes->last = last;
	bytes->length = length;
}

static uint32_t part_of(uint32_t left)
{
	return left < KEY_PIECE ? left : KEY_PIECE;
}

/* From the guest's memory, or from the program's. */
static long fill(struct key_bytes *bytes, const void *from, uint64_t place, uint32_t length)
{
	bytes_free(bytes);
	for (uint32_t done = 0; done < length; done = bytes->length) {
		struct key_piece *piece = append(bytes);
		uint32_t part = part_of(length - done);

		if (!piece) {
			bytes_free(bytes);
			return -ENOMEM;
		}
		if (from)
			memcpy(piece->data, (const uint8_t *)from + done, part);
		else if (copy_in(piece->data, place + done, part)) {
			bytes_free(bytes);
			return -EFAULT;
		}
		bytes->length += part;
	}
	return 0;
}

long bytes_set(struct key_bytes *bytes, const void *from, uint32_t length)
{
	return fill(bytes, from, 0, length);
}

long bytes_from_program(struct key_bytes *bytes, uint64_t from, uint32_t length)
{
	return fill(bytes, NULL, from, length);
}

struct key_cursor bytes_begin(const struct key_bytes *bytes)
{
	return (struct key_cursor){ .piece = bytes->first, .left = bytes->length };
}

const uint8_t *bytes_next_part(struct key_cursor *cursor, uint32_t *length)
{
	const struct key_piece *piece;

	if (!cursor->left || !cursor->piece)
		return NULL;
	piece = piece_at(cursor->piece);
	*length = part_of(cursor->left);
	cursor->left -= *length;
	cursor->piece = piece->next;
	return piece->data;
}

uint32_t *bytes_next_word(struct key_cursor *cursor)
{
	uint32_t *word;

	if (cursor->at == KEY_PIECE) {
		cursor->piece = cursor->piece ? piece_at(cursor->piece)->next : 0;
		cursor->at = 0;
	}
	if (cursor->left < sizeof(*word) || !cursor->piece)
		return NULL;
	word = (uint32_t *)(piece_at(cursor->piece)->data + cursor->at);
	cursor->at += sizeof(*word);
	cursor->left -= sizeof(*word);
	return word;
}

long bytes_add_word(struct key_bytes *bytes, uint32_t word)
{
	uint32_t at = bytes->length % KEY_PIECE;

	if (!at && !append(bytes))
		return -ENOMEM;
	memcpy(piece_at(bytes->last)->data + at, &word, sizeof(word));
	bytes->length += sizeof(word);
	return 0;
}

long bytes_to_program(const struct key_bytes *bytes, uint64_t to)
{
	struct key_cursor cursor = bytes_begin(bytes);
	const uint8_t *part;
	uint32_t length;

	while ((part = bytes_next_part(&cursor, &length))) {
		if (copy_out(to, part, length))
			return -EFAULT;
		to += length;
	}
	return 0;
}

bool bytes_equal(const struct key_bytes *bytes, const char *text, uint32_t length)
{
	struct key_cursor cursor = bytes_begin(bytes);
	const uint8_t *part;
	uint32_t some;

	if (bytes->length != length)
		return false;
	for (; (part = bytes_next_part(&cursor, &some)); text += some)
		if (memcmp(part, text, some) != 0)
			return false;
	return true;
}
