#include "diff/encoding.h"

#include <string.h>

#include "base/utf8.h"

#define ALL_OF	     (4u << 20)	 /* texts up to this size are looked at wholly */
#define SAMPLE	     (64u << 10) /* of larger ones: the start, the end, and places between */
#define SAMPLES	     16
#define CONTROL_RARE 50	    /* one control character in so many others */
#define BYTES_LONG   4	    /* of the longest character in UTF-8 */
#define CHUNK	     16384u /* characters that are converted at a time */
#define REPLACEMENT  0xfffd /* for what is no character */

const char *encoding_name(enum encoding encoding)
{
	static const char *const names[] = {
		[ENCODING_NONE] = "none",
		[ENCODING_ASCII] = "ASCII",
		[ENCODING_UTF8] = "UTF-8",
		[ENCODING_UTF8_MARKED] = "UTF-8 with a byte order mark",
		[ENCODING_UTF16_LE] = "UTF-16, little-endian",
		[ENCODING_UTF16_BE] = "UTF-16, big-endian",
		[ENCODING_LATIN1] = "ISO 8859 or the like",
	};

	return names[encoding];
}

struct census {
	uint64_t all, control, high, invalid;
};

static bool is_control(unsigned char byte)
{
	return (byte < ' ' && !strchr("\b\t\n\v\f\r\033", byte)) || byte == 0x7f;
}

/* The bytes of the character, as far as they are within the text; 0 for none. */
static size_t character_bytes(const unsigned char *at, uint64_t left)
{
	char copy[BYTES_LONG + 1] = "";

	if (*at < 0x80)
		return 1;
	memcpy(copy, at, left < BYTES_LONG ? left : BYTES_LONG);
	return utf8_bytes(copy);
}

static void count(struct census *census, const unsigned char *data, uint64_t size)
{
	for (uint64_t i = 0; i < size;) {
		size_t bytes = character_bytes(data + i, size - i);

		census->control += is_control(data[i]);
		census->high += data[i] >= 0x80;
		/* The ends of a sample may cut a character in two. */
		census->invalid += !bytes && i >= BYTES_LONG && size - i > BYTES_LONG;
		census->invalid += !bytes && size <= 2 * BYTES_LONG;
		i += bytes ? bytes : 1;
	}
	census->all += size;
}

static struct census look(const struct blob *blob)
{
	struct census census = { 0 };

	if (blob->size <= ALL_OF) {
		count(&census, blob->data, blob->size);
		return census;
	}
	for (unsigned i = 0; i < SAMPLES; i++)
		count(&census, blob->data + (blob->size - SAMPLE) / (SAMPLES - 1) * i, SAMPLE);
	return census;
}

/* What says that it is UTF-16 must not be full of control characters. */
static bool is_utf16(const struct blob *blob, bool big)
{
	uint64_t units = blob->size / 2 < SAMPLE ? blob->size / 2 : SAMPLE, control = 0;

	for (uint64_t i = 1; i < units; i++) {
		uint64_t unit = big ? blob_be(blob, 2 * i, 2) : blob_le(blob, 2 * i, 2);

		control += unit < 0x80 && (!unit || is_control((unsigned char)unit));
	}
	return blob->size % 2 == 0 && control <= units / CONTROL_RARE;
}

enum encoding encoding_of(const struct blob *blob)
{
	bool marked = blob_has(blob, 0, "\xef\xbb\xbf", 3);
	struct census census;

	if (blob_has(blob, 0, "\xff\xfe", 2) && is_utf16(blob, false))
		return ENCODING_UTF16_LE;
	if (blob_has(blob, 0, "\xfe\xff", 2) && is_utf16(blob, true))
		return ENCODING_UTF16_BE;
	if (!blob->size || memchr(blob->data, 0, blob->size < ALL_OF ? blob->size : ALL_OF))
		return ENCODING_NONE;
	census = look(blob);
	if (census.control > census.all / CONTROL_RARE)
		return ENCODING_NONE;
	if (!census.invalid)
		return marked ? ENCODING_UTF8_MARKED : census.high ? ENCODING_UTF8 : ENCODING_ASCII;
	/* Bytes that are compressed or encrypted are high as often as not. */
	return !census.control && census.high <= census.all / 3 ? ENCODING_LATIN1 : ENCODING_NONE;
}

/* One character of a text that is not in UTF-8; *at is moved behind it. */
static uint32_t next_character(const struct blob *blob, enum encoding encoding, uint64_t *at)
{
	bool big = encoding == ENCODING_UTF16_BE;
	uint32_t unit, low;

	if (encoding == ENCODING_LATIN1)
		return blob->data[(*at)++];
	unit = (uint32_t)(big ? blob_be(blob, *at, 2) : blob_le(blob, *at, 2));
	*at += 2;
	if (unit < 0xd800 || unit > 0xdfff)
		return unit;
	low = (uint32_t)(big ? blob_be(blob, *at, 2) : blob_le(blob, *at, 2));
	if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff)
		return REPLACEMENT;
	*at += 2;
	return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
}

static size_t put_character(unsigned char *to, uint32_t character)
{
	if (character < 0x80) {
		to[0] = (unsigned char)character;
		return 1;
	}
	if (character < 0x800) {
		to[0] = (unsigned char)(0xc0 | character >> 6);
		to[1] = 0x80 | (character & 0x3f);
		return 2;
	}
	if (character < 0x10000) {
		to[0] = (unsigned char)(0xe0 | character >> 12);
		to[1] = 0x80 | (character >> 6 & 0x3f);
		to[2] = 0x80 | (character & 0x3f);
		return 3;
	}
	to[0] = (unsigned char)(0xf0 | character >> 18);
	to[1] = 0x80 | (character >> 12 & 0x3f);
	to[2] = 0x80 | (character >> 6 & 0x3f);
	to[3] = 0x80 | (character & 0x3f);
	return 4;
}

static int convert_characters(const struct blob *blob, enum encoding encoding,
	struct blob_writer *writer, struct error *err)
{
	uint64_t at = encoding == ENCODING_LATIN1 ? 0 : 2;
	unsigned char text[BYTES_LONG * CHUNK];

	while (at < blob->size) {
		size_t bytes = 0;

		for (unsigned i = 0; i < CHUNK && at < blob->size; i++)
			bytes += put_character(text + bytes, next_character(blob, encoding, &at));
		if (blob_write(writer, text, bytes, err))
			return -1;
	}
	return 0;
}

int encoding_convert(const struct blob *blob, enum encoding encoding, struct budget *budget,
	struct blob *to, struct error *err)
{
	bool converts = encoding == ENCODING_LATIN1 || encoding == ENCODING_UTF16_LE ||
			encoding == ENCODING_UTF16_BE;
	uint64_t mark = encoding == ENCODING_UTF8_MARKED ? 3 : 0;
	struct blob_writer writer;

	blob_write_start(&writer, budget);
	if (converts ? convert_characters(blob, encoding, &writer, err)
		     : blob_write(&writer, blob->data + mark, blob->size - mark, err)) {
		blob_write_cancel(&writer);
		return -1;
	}
	return blob_write_finish(&writer, to, blob->name, err);
}
