#include "guest/elf.h"

#include <linux/elf.h>

#include "guest/code.h"
#include "guest/place.h"
#include "guest/sys.h"

#define GUEST_MARK    "STET" /* in the padding of e_ident, written by the build */
#define GUEST_MARK_AT 9
#define HEADERS_MAX   128

/* Bytes of the file, from its head when they are there. */
static bool file_bytes(
	int fd, const char *head, size_t have, uint64_t offset, void *to, size_t bytes)
{
	if (offset <= have && bytes <= have - offset) {
		memcpy(to, head + offset, bytes);
		return true;
	}
	return sys(__NR_pread64, fd, to, bytes, offset) == (long)bytes;
}

enum elf_kind elf_examine(int fd, const char *head, size_t bytes, char *interpreter, size_t limit)
{
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdr;

	if (bytes < 20 || memcmp(head, ELFMAG, SELFMAG) != 0)
		return ELF_NOT;
	if (head[EI_CLASS] == ELFCLASS32 && ((const Elf32_Ehdr *)head)->e_machine == EM_386)
		return ELF_WRONG_CLASS;
	if (bytes < sizeof(ehdr) || head[EI_CLASS] != ELFCLASS64)
		return ELF_NOT;
	memcpy(&ehdr, head, sizeof(ehdr));
	if (ehdr.e_machine != EM_X86_64 || (ehdr.e_type != ET_EXEC && ehdr.e_type != ET_DYN) ||
		ehdr.e_phentsize != sizeof(phdr))
		return ELF_NOT;
	if (memcmp(head + GUEST_MARK_AT, GUEST_MARK, 4) == 0)
		return ELF_GUEST;
	for (int i = 0; i < ehdr.e_phnum; i++) {
		if (!file_bytes(fd, head, bytes, ehdr.e_phoff + (uint64_t)i * sizeof(phdr), &phdr,
			    sizeof(phdr)))
			return ELF_NOT;
		if (phdr.p_type != PT_INTERP)
			continue;
		if (phdr.p_filesz < 2 || phdr.p_filesz > limit ||
			!file_bytes(fd, head, bytes, phdr.p_offset, interpreter, phdr.p_filesz) ||
			interpreter[phdr.p_filesz - 1])
			return ELF_NOT;
		return ELF_INTERPRETED;
	}
	return ELF_STATIC;
}

static uint64_t protection(const Elf64_Phdr *segment)
{
	return (segment->p_flags & PF_R ? PROT_READ : 0) |
	       (segment->p_flags & PF_W ? PROT_WRITE : 0) |
	       (segment->p_flags & PF_X ? PROT_EXEC : 0);
}

/* What lies behind the file's part of a segment is zero: to the end of its last page (the loader's
 * first malloc relies on it), and in whole pages behind that. */
static long map_zeroes(const Elf64_Phdr *segment, uint64_t bias)
{
	uint64_t file_end = bias + segment->p_vaddr + segment->p_filesz;
	uint64_t end = PAGE_UP(bias + segment->p_vaddr + segment->p_memsz);
	uint64_t whole = segment->p_filesz ? PAGE_UP(file_end) : PAGE_DOWN(file_end);

	if ((segment->p_flags & PF_W) && segment->p_filesz && file_end != whole)
		memset((void *)file_end, 0, whole - file_end);
	if (end <= whole)
		return 0;
	return sys(__NR_mmap, whole, end - whole, protection(segment),
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == (long)whole
		       ? 0
		       : -ENOMEM;
}

static long map_segment(int fd, const Elf64_Phdr *segment, uint64_t bias)
{
	uint64_t start = PAGE_DOWN(bias + segment->p_vaddr);
	uint64_t within = (bias + segment->p_vaddr) - start;
	uint64_t prot = protection(segment);
	uint64_t bytes = segment->p_filesz + within;
	long r = (long)start;

	if (segment->p_filesz && (prot & PROT_EXEC))
		r = code_map(start, bytes, prot, MAP_PRIVATE | MAP_FIXED, fd,
			segment->p_offset - within);
	else if (segment->p_filesz)
		r = sys(__NR_mmap, start, bytes, prot, MAP_PRIVATE | MAP_FIXED, fd,
			segment->p_offset - within);
	if (r != (long)start)
		return failed(r) ? r : -ENOMEM;
	return segment->p_memsz > segment->p_filesz ? map_zeroes(segment, bias) : 0;
}

/* The segments' extent, and how they want to be aligned. */
struct extent {
	uint64_t low, high, alignment;
};

static struct extent extent_of(const Elf64_Phdr *phdr, int count)
{
	struct extent e = { .low = ~0ull, .alignment = PAGE };

	for (int i = 0; i < count; i++) {
		if (phdr[i].p_type != PT_LOAD)
			continue;
		if (PAGE_DOWN(phdr[i].p_vaddr) < e.low)
			e.low = PAGE_DOWN(phdr[i].p_vaddr);
		if (phdr[i].p_vaddr + phdr[i].p_memsz > e.high)
			e.high = phdr[i].p_vaddr + phdr[i].p_memsz;
		if (phdr[i].p_align > e.alignment && !(phdr[i].p_align & (phdr[i].p_align - 1)))
			e.alignment = phdr[i].p_align;
	}
	return e;
}

/* An address range where the kernel likes, aligned: more than needed, less what is too much. */
static long reserve_anywhere(uint64_t hint, uint64_t bytes, uint64_t alignment)
{
	uint64_t slack = alignment - PAGE, start;
	long r = sys(__NR_mmap, hint, bytes + slack, 0, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (failed(r) || !slack)
		return r;
	start = ((uint64_t)r + slack) & ~(alignment - 1);
	if (start > (uint64_t)r)
		sys(__NR_munmap, r, start - (uint64_t)r);
	if (start < (uint64_t)r + slack)
		sys(__NR_munmap, start + bytes, (uint64_t)r + slack - start);
	return (long)start;
}

static long reserve_at(uint64_t address, uint64_t bytes)
{
	long r = sys(__NR_mmap, address, bytes, 0,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (!failed(r))
		place_take(address, bytes);
	return r;
}

/* Near the hint as the kernel rounds it, else where there is room. */
static long reserve_placed(uint64_t hint, uint64_t bytes, uint64_t alignment)
{
	const struct wish wish = {
		.bytes = bytes,
		.alignment = alignment,
		.guard = stub_guard(bytes),
	};
	uint64_t at = hint & ~(alignment - 1);

	if (!at || !place_claim(at, bytes))
		at = place_find(&wish);
	return at ? reserve_at(at, bytes) : -ENOMEM;
}

/* Room for all segments, so that they keep their distance. */
static long reserve(const Elf64_Ehdr *ehdr, const Elf64_Phdr *phdr, uint64_t hint, uint64_t *bias,
	uint64_t *end)
{
	struct extent e = extent_of(phdr, ehdr->e_phnum);
	uint64_t bytes = PAGE_UP(e.high) - e.low;
	long r;

	if (e.low >= e.high)
		return -ENOEXEC;
	if (ehdr->e_type == ET_EXEC)
		r = reserve_at(e.low, bytes);
	else if (placing())
		r = reserve_placed(hint, bytes, e.alignment);
	else
		r = reserve_anywhere(hint, bytes, e.alignment);
	if (failed(r))
		return r;
	*bias = (uint64_t)r - e.low;
	*end = *bias + e.high;
	return 0;
}

static bool readable_headers(int fd, Elf64_Ehdr *ehdr, Elf64_Phdr *phdr)
{
	return sys(__NR_pread64, fd, ehdr, sizeof(*ehdr), 0) == sizeof(*ehdr) &&
	       ehdr->e_phnum <= HEADERS_MAX &&
	       sys(__NR_pread64, fd, phdr, ehdr->e_phnum * sizeof(*phdr), ehdr->e_phoff) ==
		       (long)(ehdr->e_phnum * sizeof(*phdr));
}

long elf_load(int fd, uint64_t hint, struct elf_image *image)
{
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdr[HEADERS_MAX];
	long r;

	if (!readable_headers(fd, &ehdr, phdr))
		return -ENOEXEC;
	*image = (struct elf_image){ .header_count = ehdr.e_phnum };
	r = reserve(&ehdr, phdr, hint, &image->bias, &image->end);
	for (int i = 0; r == 0 && i < ehdr.e_phnum; i++) {
		const Elf64_Phdr *p = &phdr[i];

		if (p->p_type == PT_LOAD) {
			if (ehdr.e_phoff >= p->p_offset && ehdr.e_phoff < p->p_offset + p->p_filesz)
				image->headers =
					image->bias + p->p_vaddr + ehdr.e_phoff - p->p_offset;
			r = map_segment(fd, p, image->bias);
		} else if (p->p_type == PT_GNU_STACK) {
			image->executable_stack = p->p_flags & PF_X;
		} else if (p->p_type == PT_INTERP && p->p_filesz < sizeof(image->interpreter)) {
			sys(__NR_pread64, fd, image->interpreter, p->p_filesz, p->p_offset);
		}
	}
	image->entry = image->bias + ehdr.e_entry;
	return r;
}

static uint64_t bias_of(const Elf64_Phdr *phdr, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if (phdr[i].p_type == PT_PHDR)
			return (uint64_t)phdr - phdr[i].p_vaddr;
	return 0;
}

uint64_t elf_program_end(uint64_t headers, uint64_t header_count)
{
	const Elf64_Phdr *phdr = (const Elf64_Phdr *)headers;
	uint64_t bias = bias_of(phdr, header_count);
	struct extent e = extent_of(phdr, (int)header_count);

	if (placing())
		place_take(bias + e.low, PAGE_UP(e.high) - e.low);
	return PAGE_UP(bias + e.high);
}

void elf_cover_program(uint64_t headers, uint64_t header_count)
{
	const Elf64_Phdr *phdr = (const Elf64_Phdr *)headers;
	struct kernel_stat st;
	uint64_t bias = bias_of(phdr, header_count);
	long fd;

	if (sys(__NR_newfstatat, FD_PROC, "self/exe", &st, 0) || code_is_plain(&st))
		return;
	fd = sys(__NR_openat, FD_PROC, "self/exe", O_RDONLY | O_CLOEXEC);
	if (failed(fd))
		return;
	for (uint64_t i = 0; i < header_count; i++) {
		uint64_t start = PAGE_DOWN(bias + phdr[i].p_vaddr);
		uint64_t within = bias + phdr[i].p_vaddr - start;

		if (phdr[i].p_type == PT_LOAD && (phdr[i].p_flags & PF_X) &&
			!(phdr[i].p_flags & PF_W))
			code_cover((int)fd, start, phdr[i].p_filesz + within, protection(&phdr[i]),
				phdr[i].p_offset - within);
	}
	sys(__NR_close, fd);
}
