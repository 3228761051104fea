#include "guest/futex_place.h"

#include "guest/clock.h"
#include "guest/futex.h"
#include "guest/sys.h"
#include "guest/task.h"

#define KNOWN	   64		/* pages that are remembered */
#define OWN	   (1ull << 63) /* objects that are a process's memory */
#define LINE_BYTES 128		/* of /proc/PID/maps, as far as it matters */

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

static uint64_t hex(const char **at)
{
	uint64_t value = 0;

	for (;; (*at)++) {
		char c = **at;
		int digit = c >= '0' && c <= '9'   ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
						   : -1;

		if (digit < 0)
			return value;
		value = value * 16 + (uint64_t)digit;
	}
}

/* "START-END rwxs OFFSET MAJOR:MINOR INODE ..." Does it cover the page? */
static bool covers(const char *line, struct known *page)
{
	uint64_t at = page->page - 1, start = hex(&line), end, device, inode = 0;

	line++;
	end = hex(&line);
	if (at < start || at >= end)
		return false;
	page->object = 0;
	if (line[4] != 's')
		return true;
	line += 6;
	page->offset = hex(&line) + (at - start);
	line++;
	device = hex(&line) << 20;
	line++;
	device |= hex(&line);
	line++;
	while (*line >= '0' && *line <= '9')
		inode = inode * 10 + (uint64_t)(*line++ - '0');
	page->object = (device * 0x9e3779b97f4a7c15ull ^ inode) & ~OWN;
	return true;
}

/* One line after the other, without what is too long of them. */
static void search(long fd, struct known *page)
{
	char text[1024], line[LINE_BYTES + 1] = "";
	size_t length = 0;
	long bytes;

	while ((bytes = sys(__NR_read, fd, text, sizeof(text))) > 0) {
		for (long i = 0; i < bytes; i++) {
			if (text[i] != '\n') {
				if (length < LINE_BYTES)
					line[length++] = text[i];
				continue;
			}
			line[length] = 0;
			length = 0;
			if (covers(line, page))
				return;
		}
	}
}

static void look_up(struct known *page)
{
	long fd = sys(__NR_openat, FD_PROC, "self/maps", O_RDONLY | O_CLOEXEC);

	if (failed(fd))
		return;
	search(fd, page);
	sys(__NR_close, fd);
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
