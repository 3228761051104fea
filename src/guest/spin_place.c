#include "guest/spin_place.h"

#include "guest/lines.h"
#include "guest/text.h"

#define NUMBER 20 /* digits of a number and what is around it, at most */

static char *put_hex(char *at, uint64_t number)
{
	int digits = number ? (67 - __builtin_clzll(number)) / 4 : 1;

	at = text_put(at, "0x");
	for (int i = digits - 1; i >= 0; i--)
		*at++ = "0123456789abcdef"[number >> (4 * i) & 15];
	*at = 0;
	return at;
}

/* The name in a line of maps: behind rights, offset, device and inode. */
static const char *name_in(const char *line)
{
	for (int columns = 0; columns < 5; columns++) {
		while (*line && *line != ' ')
			line++;
		line = skip_spaces(line);
	}
	return line;
}

/* A rewritten copy has the name of its digest, in a directory that is not to be seen. */
static bool is_file(const char *name)
{
	for (const char *at = name + 1; name[0] == '/' && *at; at++)
		if (*at == '/')
			return true;
	return false;
}

/* The file that is mapped there, or just before without a gap: rewritten copies lie between their
 * file's own mappings. Its first mapping's address, or 0. */
static uint64_t find_file(uint64_t rip, char *name, size_t size)
{
	struct lines lines;
	uint64_t base = 0, last_end = 0;
	const char *line;

	lines_open(&lines, "self/maps");
	while ((line = lines_next(&lines))) {
		const char *found = name_in(line);
		uint64_t start = parse_hex(&line), end;

		line++;
		end = parse_hex(&line);
		if (is_file(found) && !text_same(found, name) && strlen(found) < size) {
			text_put(name, found);
			base = start;
		} else if (start != last_end && !is_file(found)) {
			base = 0;
			name[0] = 0;
		}
		last_end = end;
		if (rip < end) {
			base = rip >= start ? base : 0;
			break;
		}
	}
	lines_close(&lines);
	return base;
}

void spin_place(uint64_t rip, char *text, size_t size)
{
	char name[256] = "";
	uint64_t base = find_file(rip, name, sizeof(name));
	char *at = put_hex(text, rip);

	if (!base || strlen(name) + 2 * NUMBER + 4 > size)
		return;
	at = text_put(text_put(text_put(at, " ("), name), "+");
	text_put(put_hex(at, rip - base), ")");
}
