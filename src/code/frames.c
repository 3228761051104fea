#include "code/frames.h"

#include <string.h>

/* DWARF's pointer encodings, as the Linux Standard Base lists them. */
enum {
	ENCODING_ABSOLUTE = 0x00,
	ENCODING_UDATA4 = 0x03,
	ENCODING_UDATA8 = 0x04,
	ENCODING_SDATA4 = 0x0b,
	ENCODING_SDATA8 = 0x0c,
	ENCODING_PC_RELATIVE = 0x10,
	ENCODING_FORMAT = 0x0f,
	ENCODING_BASE = 0x70,
};

struct reader {
	const uint8_t *at, *end;
	uint64_t address; /* of at */
};

struct common {
	uint8_t encoding; /* of the addresses in descriptions that refer to this one */
	bool signal;	  /* they describe signal frames */
};

static bool take(struct reader *reader, void *out, size_t size)
{
	if ((size_t)(reader->end - reader->at) < size)
		return false;
	memcpy(out, reader->at, size);
	reader->at += size;
	reader->address += size;
	return true;
}

static bool skip_leb128(struct reader *reader)
{
	uint8_t byte;

	do {
		if (!take(reader, &byte, 1))
			return false;
	} while (byte & 0x80);
	return true;
}

static bool take_pointer(struct reader *reader, uint8_t encoding, uint64_t *out)
{
	uint64_t base = (encoding & ENCODING_BASE) == ENCODING_PC_RELATIVE ? reader->address : 0;
	uint32_t half;

	if ((encoding & ENCODING_BASE) && (encoding & ENCODING_BASE) != ENCODING_PC_RELATIVE)
		return false;
	switch (encoding & ENCODING_FORMAT) {
	case ENCODING_ABSOLUTE:
	case ENCODING_UDATA8:
	case ENCODING_SDATA8:
		if (!take(reader, out, 8))
			return false;
		break;
	case ENCODING_UDATA4:
	case ENCODING_SDATA4:
		if (!take(reader, &half, 4))
			return false;
		*out = (encoding & ENCODING_FORMAT) == ENCODING_SDATA4
			       ? (uint64_t)(int64_t)(int32_t)half
			       : half;
		break;
	default:
		return false;
	}
	*out += base;
	return true;
}

/* Reads a common information entry, behind its id, as far as its augmentation. */
static bool read_common(struct reader reader, struct common *common)
{
	const char *augmentation, *letter;
	uint8_t version, byte;
	uint64_t ignored;

	*common = (struct common){ .encoding = ENCODING_ABSOLUTE };
	if (!take(&reader, &version, 1))
		return false;
	augmentation = (const char *)reader.at;
	letter = memchr(augmentation, 0, (size_t)(reader.end - reader.at));
	if (!letter)
		return false;
	reader.address += (size_t)(letter + 1 - augmentation);
	reader.at = (const uint8_t *)letter + 1;
	if (!*augmentation)
		return true;
	if (*augmentation != 'z' || !skip_leb128(&reader) || !skip_leb128(&reader) ||
		!(version == 1 ? take(&reader, &byte, 1) : skip_leb128(&reader)) ||
		!skip_leb128(&reader))
		return false;
	for (letter = augmentation + 1; *letter; letter++) {
		if (*letter == 'S')
			common->signal = true;
		else if (*letter == 'R' && !take(&reader, &common->encoding, 1))
			return false;
		else if (*letter == 'L' && !take(&reader, &byte, 1))
			return false;
		else if (*letter == 'P' && (!take(&reader, &byte, 1) ||
						   !take_pointer(&reader, byte & 0x7f, &ignored)))
			return false;
		else if (!strchr("SRLP", *letter))
			return false;
	}
	return true;
}

/*
 * glibc's description of its signal trampoline begins one byte before it, so that an unwinder
 * which looks up the return address minus one finds it.
 */
static uint64_t trampoline_start(const struct elf_file *file, uint64_t address)
{
	static const uint8_t move_15_rax[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0 };
	const uint8_t *bytes = elf_at(file, address, 1 + sizeof(move_15_rax));

	return bytes && !memcmp(bytes + 1, move_15_rax, sizeof(move_15_rax)) ? address + 1
									     : address;
}

/* Finds where the entries lie; the header's pointer needs no section headers. */
static bool find_entries(const struct elf_file *file, struct reader *reader)
{
	uint64_t address = 0, length;
	Elf64_Phdr header;
	Elf64_Shdr section;
	uint8_t prefix[4];

	if (elf_segment(file, PT_GNU_EH_FRAME, &header)) {
		struct reader hdr = { .address = header.p_vaddr };

		hdr.at = elf_at(file, header.p_vaddr, 12);
		hdr.end = hdr.at ? hdr.at + 12 : NULL;
		if (!hdr.at || !take(&hdr, prefix, 4) || prefix[0] != 1 ||
			!take_pointer(&hdr, prefix[1], &address))
			address = 0;
	}
	if (!address && elf_section_named(file, ".eh_frame", &section))
		address = section.sh_addr;
	length = address ? elf_extent(file, address) : 0;
	reader->address = address;
	reader->at = length ? elf_at(file, address, length) : NULL;
	reader->end = reader->at ? reader->at + length : NULL;
	return reader->at;
}

/* The entries of a file, read one after the other; most share one common entry. */
struct entries {
	struct reader reader;
	const uint8_t *first;
	const uint8_t *common_at;
	struct common common;
	bool common_valid;
};

static bool next_entry(struct entries *entries, struct reader *entry)
{
	struct reader *reader = &entries->reader;
	uint32_t length;

	/* Zero ends the list; all ones announces a 64-bit form that no linker writes. */
	if (!take(reader, &length, 4) || length < 4 || length == UINT32_MAX ||
		length > (size_t)(reader->end - reader->at))
		return false;
	*entry = *reader;
	entry->end = entry->at + length;
	reader->at += length;
	reader->address += length;
	return true;
}

/* Finds the common entry which a description, just before `entry->at`, refers to by distance. */
static bool find_common(struct entries *entries, const struct reader *entry, uint32_t back)
{
	struct reader body = { .end = entry->end };
	uint32_t length, id;

	if (back == 0 || back > (size_t)(entry->at - 4 - entries->first))
		return false;
	body.at = entry->at - 4 - back;
	if (body.at != entries->common_at) {
		entries->common_at = body.at;
		entries->common_valid = take(&body, &length, 4) && take(&body, &id, 4) && id == 0 &&
					read_common(body, &entries->common);
	}
	return entries->common_valid;
}

int frames_collect(struct starts *starts, const struct elf_file *file, uint64_t *described)
{
	struct entries entries = { 0 };
	uint64_t address, length;
	struct reader entry;
	uint32_t back;

	*described = 0;
	if (!find_entries(file, &entries.reader))
		return 0;
	entries.first = entries.reader.at;
	while (next_entry(&entries, &entry)) {
		take(&entry, &back, 4);
		if (!find_common(&entries, &entry, back) ||
			!take_pointer(&entry, entries.common.encoding, &address) ||
			!take_pointer(&entry, entries.common.encoding & ENCODING_FORMAT, &length))
			continue;
		if (entries.common.signal)
			address = trampoline_start(file, address);
		if (starts_add(starts, file, address, true))
			return -1;
		if (length <= file->text.p_filesz)
			*described += length;
	}
	return 0;
}
