#include "guest/futex_place.h"

#include "guest/clock.h"
#include "guest/futex.h"
#include "guest/lines.h"
#include "guest/sys.h"
#include "guest/task.h"

#define KNOWN 64	   /* pages that are remembered */
#define OWN   (1ull << 63) /* objects that are a process's memory */

/* A page, and the object behind it: what maps says of it. */
struct known {
	uint64_t page; /* + 1; 0: none */
	uint64_t object, offset;
};
static struct known known[KNOWN];

void futex_forget_places(void)
{
	memset(known, 0, sizeof(known));
}

static uint64_t own_object(const struct thread *self)
{
	return OWN | (uint64_t)(clock_owner(self) - process.arena->tasks);
}

/* "START-END rwxs OFFSET MAJOR:MINOR INODE ..." Does it cover the page? */
static bool covers(const char *line, struct known *page)
{
	uint64_t at = page->page - 1, start = parse_hex(&line), end, device;

	line++;
	end = parse_hex(&line);
	if (at < start || at >= end)
		return false;
	page->object = 0;
	if (line[4] != 's')
		return true;
	line += 6;
	page->offset = parse_hex(&line) + (at - start);
	line++;
	device = parse_hex(&line) << 20;
	line++;
	device |= parse_hex(&line);
	line++;
	page->object = (device * 0x9e3779b97f4a7c15ull ^ parse_decimal(&line)) & ~OWN;
	return true;
}

static void look_up(struct known *page)
{
	struct lines lines;
	const char *line;

	lines_open(&lines, "self/maps");
	do
		line = lines_next(&lines);
	while (line && !covers(line, page));
	lines_close(&lines);
}

long place_at(struct thread *self, uint64_t address, bool private, struct place *place)
{
	struct known *page = &known[address / PAGE % KNOWN];

	if (address & 3)
		return -EINVAL;
	*place = (struct place){ own_object(self), address, true };
	if (private || !clock_owner(self)->shares)
		return 0;
	if (page->page != PAGE_DOWN(address) + 1) {
		*page = (struct known){ .page = PAGE_DOWN(address) + 1 };
		look_up(page);
	}
	if (page->object)
		*place = (struct place){ page->object, page->offset + address % PAGE, false };
	return 0;
}
