#include "diff/elf_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diff/elf_names.h"
#include "diff/printable.h"
#include "diff/text.h"

/* Bytes of symbols' names for each byte of relocations, and for any; beyond that their numbers stand
 * for them. One long name may come again and again. */
#define NAMES_MOST  4
#define NAMES_FIRST 4096
#define TEXT_LEAST  4 /* characters that are a text among other bytes, as for strings(1) */

typedef unsigned long long number;

static void put_name(FILE *out, const char *name)
{
	printable_put(out, name, strlen(name));
}

bool elf_lines_of_segments(const struct elf_part *part, FILE *out)
{
	for (size_t i = 0; i < part->elf->segment_count; i++) {
		const struct elf_segment *segment = &part->elf->segments[i];

		fprintf(out,
			"%s %c%c%c at 0x%llx, address 0x%llx, physical 0x%llx, 0x%llx bytes, "
			"0x%llx in memory, aligned to 0x%llx",
			elf_segment_type(segment->type), segment->flags & PF_R ? 'r' : '-',
			segment->flags & PF_W ? 'w' : '-', segment->flags & PF_X ? 'x' : '-',
			(number)segment->offset, (number)segment->address,
			(number)segment->physical, (number)segment->file_size,
			(number)segment->memory_size, (number)segment->alignment);
		if (strcmp(elf_segment_type(segment->type), "other") == 0)
			fprintf(out, ", type 0x%x", segment->type);
		if (segment->flags & ~(uint32_t)(PF_R | PF_W | PF_X))
			fprintf(out, ", flags 0x%x", segment->flags);
		fputc('\n', out);
	}
	return true;
}

/* Strings that the section's numbers are for. */
static struct blob strings_of(const struct elf_part *part)
{
	const struct elf_section *strings =
		elf_section_linked(part->elf, part->section->link, SHT_STRTAB);

	return strings ? strings->bytes : blob_part(part->elf->blob, 0, 0, NULL);
}

bool elf_lines_of_dynamic(const struct elf_part *part, FILE *out)
{
	unsigned bytes = part->elf->wide ? 8 : 4;
	struct blob strings = strings_of(part);

	if (part->bytes.size % (2 * bytes))
		return false;
	for (uint64_t at = 0; at < part->bytes.size; at += 2 * bytes) {
		uint64_t tag = elf_word(part->elf, &part->bytes, at);
		uint64_t value = elf_word(part->elf, &part->bytes, at + bytes);
		const char *name = elf_dynamic_tag(tag);
		const char *text = elf_dynamic_is_text(tag) ? elf_string(&strings, value) : NULL;

		if (name)
			fprintf(out, "%s ", name);
		else
			fprintf(out, "tag 0x%llx ", (number)tag);
		if (text)
			put_name(out, text);
		else
			fprintf(out, "0x%llx", (number)value);
		fputc('\n', out);
	}
	return true;
}

/* Local symbols may have one name: their places tell them apart. */
static void put_place(
	const struct elf *elf, const struct elf_section *symbols, uint64_t at, FILE *out)
{
	uint64_t index = elf_number(elf, &symbols->bytes, at + (elf->wide ? 6 : 14), 2);
	uint64_t value = elf_word(elf, &symbols->bytes, at + (elf->wide ? 8 : 4));

	fprintf(out, " (local, 0x%llx in ", (number)value);
	put_name(out, elf_section_name(elf, index));
	fputc(')', out);
}

/* Symbols that relocations are for. */
struct referred {
	const struct elf *elf;
	const struct elf_section *symbols; /* or NULL */
	struct blob strings;
	uint64_t left; /* bytes of names that may be written */
};

static void put_symbol(struct referred *referred, uint64_t index, FILE *out)
{
	const struct elf *elf = referred->elf;
	const struct elf_section *symbols = referred->symbols;
	uint64_t bytes = elf->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym), at = index * bytes;
	bool known = symbols && index < symbols->bytes.size / bytes;
	unsigned info = known ? symbols->bytes.data[at + (elf->wide ? 4 : 12)] : 0;
	const char *name = NULL;

	if (known && ELF64_ST_TYPE(info) == STT_SECTION)
		name = elf_section_name(
			elf, elf_number(elf, &symbols->bytes, at + (elf->wide ? 6 : 14), 2));
	else if (known)
		name = elf_string(&referred->strings, elf_number(elf, &symbols->bytes, at, 4));
	if (!name || !*name || strlen(name) > referred->left) {
		fprintf(out, "symbol %llu", (number)index);
		return;
	}
	referred->left -= strlen(name);
	put_name(out, name);
	if (ELF64_ST_BIND(info) == STB_LOCAL && ELF64_ST_TYPE(info) != STT_SECTION)
		put_place(elf, symbols, at, out);
}

static void put_relocation(struct referred *referred, uint64_t info, FILE *out)
{
	const struct elf *elf = referred->elf;
	uint64_t type = elf->wide ? ELF64_R_TYPE(info) : ELF32_R_TYPE(info);
	uint64_t symbol = elf->wide ? ELF64_R_SYM(info) : info >> 8;
	const char *name = elf->machine == EM_X86_64 ? elf_x86_64_relocation((uint32_t)type) : NULL;

	if (name)
		fprintf(out, " %s ", name);
	else
		fprintf(out, " type %llu ", (number)type);
	if (symbol)
		put_symbol(referred, symbol, out);
}

static struct referred find_referred(const struct elf_part *part)
{
	const struct elf *elf = part->elf;
	struct referred referred = { .elf = elf,
		.left = NAMES_FIRST + NAMES_MOST * part->bytes.size };

	referred.symbols = elf_section_linked(elf, part->section->link, SHT_SYMTAB);
	if (!referred.symbols)
		referred.symbols = elf_section_linked(elf, part->section->link, SHT_DYNSYM);
	referred.strings = blob_part(elf->blob, 0, 0, NULL);
	if (referred.symbols)
		referred.strings =
			strings_of(&(struct elf_part){ .elf = elf, .section = referred.symbols });
	return referred;
}

bool elf_lines_of_relocations(const struct elf_part *part, FILE *out)
{
	const struct elf *elf = part->elf;
	bool addends = part->section->type == SHT_RELA;
	unsigned word = elf->wide ? 8 : 4, bytes = (addends ? 3 : 2) * word;
	struct referred referred = find_referred(part);

	if (part->bytes.size % bytes)
		return false;
	for (uint64_t at = 0; at < part->bytes.size && !ferror(out); at += bytes) {
		fprintf(out, "0x%llx", (number)elf_word(elf, &part->bytes, at));
		put_relocation(&referred, elf_word(elf, &part->bytes, at + word), out);
		if (addends)
			fprintf(out, " + 0x%llx",
				(number)elf_word(elf, &part->bytes, at + 2 * word));
		fputc('\n', out);
	}
	return true;
}

bool elf_lines_of_group(const struct elf_part *part, FILE *out)
{
	if (part->bytes.size % 4)
		return false;
	for (uint64_t at = 0; at < part->bytes.size; at += 4) {
		uint64_t value = elf_number(part->elf, &part->bytes, at, 4);

		if (at == 0)
			fprintf(out, "flags 0x%llx", (number)value);
		else
			put_name(out, elf_section_name(part->elf, value));
		fputc('\n', out);
	}
	return true;
}

bool elf_lines_of_strings(const struct elf_part *part, FILE *out)
{
	const char *at = (const char *)part->bytes.data, *end = at + part->bytes.size;

	while (at < end) {
		const char *zero = memchr(at, '\0', (size_t)(end - at));

		if (!zero)
			return false;
		if (zero > at) {
			printable_put(out, at, (size_t)(zero - at));
			fputc('\n', out);
		}
		at = zero + 1;
	}
	return true;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool elf_lines_of_merged_strings(const struct elf_part *part, FILE *out)
{
	const char *at = (const char *)part->bytes.data, *end = at + part->bytes.size;
	const char **strings;
	size_t count = 0;

	if (!part->bytes.size || end[-1])
		return false;
	for (const char *c = at; c < end; c += strlen(c) + 1)
		count++;
	strings = calloc(count, sizeof(*strings));
	if (!strings)
		return false;
	for (size_t i = 0; i < count; i++, at += strlen(at) + 1)
		strings[i] = at;
	qsort(strings, count, sizeof(*strings), by_text);
	for (size_t i = 0; i < count; i++) {
		if (!*strings[i])
			continue;
		printable_put(out, strings[i], strlen(strings[i]));
		fputc('\n', out);
	}
	free(strings);
	return true;
}

static bool is_printable(unsigned char byte)
{
	return byte == '\t' || (byte >= ' ' && byte < 0x7f);
}

bool elf_lines_of_texts(const struct elf_part *part, FILE *out)
{
	const char *data = (const char *)part->bytes.data;
	uint64_t start = 0;

	for (uint64_t at = 0; at <= part->bytes.size; at++) {
		if (at < part->bytes.size && is_printable((unsigned char)data[at]))
			continue;
		if (at - start >= TEXT_LEAST) {
			fwrite(data + start, 1, at - start, out);
			fputc('\n', out);
		}
		start = at + 1;
	}
	return true;
}

/* Lines on their way into a blob. */
struct writing {
	struct blob_writer writer;
	struct error *err;
};

static ssize_t write_some(void *cookie, const char *data, size_t bytes)
{
	struct writing *writing = cookie;

	return blob_write(&writing->writer, data, bytes, writing->err) ? 0 : (ssize_t)bytes;
}

enum compared elf_lines_write(struct diff *diff, elf_lines_function *lines,
	const struct elf_part *part, struct blob *text, struct error *err)
{
	struct writing writing = { .err = err };
	FILE *out;
	bool written, failed;

	blob_write_start(&writing.writer, &diff->budget);
	out = fopencookie(&writing, "w", (cookie_io_functions_t){ .write = write_some });
	if (!out)
		return error_set(err, ENOMEM, "cannot write lines"), COMPARE_FAILED;
	written = lines(part, out);
	failed = ferror(out) != 0;
	failed |= fclose(out) != 0;
	if (!failed && written)
		return blob_write_finish(&writing.writer, text, NULL, err) ? COMPARE_FAILED
									   : COMPARED;
	blob_write_cancel(&writing.writer);
	return failed ? COMPARE_FAILED : NOT_THIS;
}

static enum compared compare_texts(struct diff *diff, struct node *node, const struct pair *texts,
	const char *same, struct error *err)
{
	if (!blob_equal(&texts->a, &texts->b))
		return text_compare(diff, node, texts, err);
	if (!same)
		return NOT_THIS;
	if (node_say(node, LEVEL_CONTENT, NULL, "%s", same) == 0)
		return COMPARED;
	error_set(err, ENOMEM, "cannot compare %s", node->name);
	return COMPARE_FAILED;
}

enum compared elf_lines_compare(struct diff *diff, struct node *node,
	const struct elf_part parts[2], elf_lines_function *lines, const char *same,
	struct error *err)
{
	struct pair texts;
	enum compared compared = elf_lines_write(diff, lines, &parts[0], &texts.a, err);

	if (compared != COMPARED)
		return compared;
	compared = elf_lines_write(diff, lines, &parts[1], &texts.b, err);
	if (compared == COMPARED) {
		compared = compare_texts(diff, node, &texts, same, err);
		blob_unpacked_close(&texts.b, &diff->budget);
	}
	blob_unpacked_close(&texts.a, &diff->budget);
	return compared;
}
