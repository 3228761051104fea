/* ELF files, made here: what is damaged, or would take long or much, is not taken for one; packed
 * sections are compared unpacked, and what only moved is told apart from what changed. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

#include "diff/ar_index.h"
#include "diff/compare.h"
#include "diff/elf_compare.h"

#define ROOM	 (1u << 20)
#define SECTIONS 64

/* A file that grows, 64 bits and little-endian, as this machine's. */
struct maker {
	unsigned char *data;
	size_t size;
	Elf64_Shdr sections[SECTIONS];
	unsigned count;
	char names[1024];
	size_t names_size;
};

static void maker_start(struct maker *maker)
{
	*maker = (struct maker){ .data = calloc(1, ROOM), .size = sizeof(Elf64_Ehdr) };
	assert_non_null(maker->data);
	maker->count = 1;
	maker->names_size = 1;
}

static Elf64_Shdr *add(
	struct maker *maker, const char *name, unsigned type, const void *bytes, size_t size)
{
	Elf64_Shdr *section = &maker->sections[maker->count++];

	assert_true(maker->size + size < ROOM && maker->count < SECTIONS);
	*section = (Elf64_Shdr){ .sh_name = (uint32_t)maker->names_size,
		.sh_type = type,
		.sh_offset = maker->size,
		.sh_size = size,
		.sh_addralign = 1 };
	memcpy(maker->names + maker->names_size, name, strlen(name) + 1);
	maker->names_size += strlen(name) + 1;
	memcpy(maker->data + maker->size, bytes, size);
	maker->size += size;
	return section;
}

static struct blob finish(struct maker *maker)
{
	Elf64_Ehdr header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
		.e_type = ET_REL,
		.e_machine = EM_X86_64,
		.e_version = 1,
		.e_ehsize = sizeof(header),
		.e_shentsize = sizeof(Elf64_Shdr) };
	Elf64_Shdr *names = add(maker, ".shstrtab", SHT_STRTAB, "", 0);

	names->sh_offset = maker->size;
	names->sh_size = maker->names_size;
	memcpy(maker->data + maker->size, maker->names, maker->names_size);
	maker->size += maker->names_size;
	header.e_shoff = maker->size;
	header.e_shnum = (uint16_t)maker->count;
	header.e_shstrndx = (uint16_t)(maker->count - 1);
	memcpy(maker->data, &header, sizeof(header));
	memcpy(maker->data + maker->size, maker->sections, maker->count * sizeof(Elf64_Shdr));
	maker->size += maker->count * sizeof(Elf64_Shdr);
	return (struct blob){ .data = maker->data, .size = maker->size };
}

static struct node *compare_as(
	const struct blob *a, const struct blob *b, compare_function *how, enum compared expected)
{
	static const struct diff_options options = {
		.memory = 1u << 20, .depth = 8, .members = 1000
	};
	struct diff diff = { .options = &options, .budget = { .left = options.memory } };
	struct node *node = node_new("file", "ELF");
	const struct pair pair = { *a, *b };
	struct error err = { 0 };

	assert_non_null(node);
	assert_int_equal(how(&diff, node, &pair, &err), expected);
	assert_true(diff.budget.left == options.memory);
	if (expected != COMPARED)
		assert_int_equal(node->finding_count + node->child_count, 0);
	return node;
}

static struct node *compare(const struct blob *a, const struct blob *b, enum compared expected)
{
	return compare_as(a, b, elf_compare, expected);
}

/* What was said of a child, or NULL. */
static const struct finding *find(const struct node *node, const char *child, const char *what)
{
	for (size_t i = 0; i < node->child_count; i++)
		for (size_t k = 0; k < node->children[i]->finding_count; k++) {
			const struct finding *finding = &node->children[i]->findings[k];

			if (strcmp(node->children[i]->name, child) == 0 &&
				strstr(finding->what, what))
				return finding;
		}
	return NULL;
}

static void sections_are_matched_in_any_order(void **state)
{
	struct maker makers[2];
	struct blob files[2];
	struct node *node;

	(void)state;
	for (int i = 0; i < 2; i++) {
		maker_start(&makers[i]);
		add(&makers[i], i ? ".two" : ".one", SHT_PROGBITS, i ? "\2\2\2" : "\1\1", 3 - !i);
		add(&makers[i], i ? ".one" : ".two", SHT_PROGBITS, i ? "\1\1" : "\2\2\2", 3 - i);
		files[i] = finish(&makers[i]);
	}
	/* The names of sections come in another order, too: as strings that is other payload. */
	node = compare(&files[0], &files[1], COMPARED);
	assert_null(find(node, ".one", ""));
	assert_null(find(node, ".two", ""));
	assert_non_null(find(node, ".shstrtab", "another order"));
	node_free(node);
	for (int i = 0; i < 2; i++)
		free(makers[i].data);
}

static size_t pack(int how, unsigned char *out, const void *bytes, size_t size)
{
	Elf64_Chdr header = { .ch_type = how ? 2 : ELFCOMPRESS_ZLIB, .ch_size = size };
	uLongf packed = 4096;

	memcpy(out, &header, sizeof(header));
	if (how)
		return sizeof(header) + ZSTD_compress(out + sizeof(header), 4096, bytes, size, 3);
	assert_int_equal(compress(out + sizeof(header), &packed, bytes, size), Z_OK);
	return sizeof(header) + packed;
}

static struct blob make_packed(struct maker *maker, int how, const void *bytes, size_t size)
{
	unsigned char packed[8192];
	size_t packed_size = pack(how, packed, bytes, size);

	maker_start(maker);
	add(maker, ".debug_info", SHT_PROGBITS, packed, packed_size)->sh_flags = SHF_COMPRESSED;
	return finish(maker);
}

static void packed_sections_are_compared_unpacked(void **state)
{
	unsigned char bytes[1000] = { 1, 2, 3 }, others[1000] = { 1, 2, 4 };
	struct maker makers[3];
	struct blob zlib = make_packed(&makers[0], 0, bytes, sizeof(bytes));
	struct blob zstd = make_packed(&makers[1], 1, bytes, sizeof(bytes));
	struct blob other = make_packed(&makers[2], 1, others, sizeof(others));
	struct node *node = compare(&zlib, &zstd, COMPARED);

	(void)state;
	assert_int_equal(node->level, LEVEL_CONTENT);
	assert_non_null(find(node, ".debug_info", "packed by: zlib, zstd"));
	node_free(node);
	node = compare(&zstd, &other, COMPARED);
	assert_int_equal(node->level, LEVEL_STRUCTURE);
	assert_non_null(find(node, ".debug_info", "1 of 1000 bytes differ, the first at 0x2"));
	node_free(node);
	for (int i = 0; i < 3; i++)
		free(makers[i].data);
}

/* Packed bytes that do not give what they say are compared as they are. */
static void packed_sections_that_are_damaged_are_bytes(void **state)
{
	unsigned char bytes[1000] = { 1, 2, 3 };
	struct maker makers[2];
	struct blob whole = make_packed(&makers[0], 0, bytes, sizeof(bytes));
	struct blob damaged = make_packed(&makers[1], 0, bytes, sizeof(bytes));
	struct node *node;

	(void)state;
	makers[1].data[sizeof(Elf64_Ehdr) + 8]--; /* the size */
	node = compare(&whole, &damaged, COMPARED);
	assert_true(node->level > LEVEL_CONTENT);
	assert_non_null(find(node, ".debug_info", ""));
	node_free(node);
	for (int i = 0; i < 2; i++)
		free(makers[i].data);
}

static void bombs_end_at_the_limit(void **state)
{
	unsigned char packed[8192];
	size_t size = 3u << 20;
	unsigned char *zeros = calloc(1, size);
	struct maker makers[2];
	struct blob files[2];

	(void)state;
	assert_non_null(zeros);
	for (int i = 0; i < 2; i++) {
		size_t packed_size = pack(1, packed, zeros, size);

		maker_start(&makers[i]);
		add(&makers[i], i ? ".x" : ".y", SHT_PROGBITS, "x", 1);
		add(&makers[i], ".debug_info", SHT_PROGBITS, packed, packed_size)->sh_flags =
			SHF_COMPRESSED;
		files[i] = finish(&makers[i]);
	}
	{
		const struct diff_options options = {
			.memory = 1u << 20, .depth = 8, .members = 9
		};
		struct diff diff = { .options = &options, .budget = { .left = options.memory } };
		struct node *node = node_new("file", "ELF");
		const struct pair pair = { files[0], files[1] };
		struct error err = { 0 };

		assert_int_equal(elf_compare(&diff, node, &pair, &err), COMPARE_FAILED);
		assert_true(diff.budget.exceeded && diff.budget.left == options.memory);
		node_free(node);
	}
	free(zeros);
	for (int i = 0; i < 2; i++)
		free(makers[i].data);
}

static void sections_that_overlap_or_are_nowhere_make_it_no_elf(void **state)
{
	struct maker maker;
	struct blob whole, other;

	(void)state;
	maker_start(&maker);
	for (int i = 0; i < 20; i++)
		add(&maker, ".data", SHT_PROGBITS, "abcdefgh", 8);
	whole = finish(&maker);
	other = (struct blob){ .data = malloc(whole.size), .size = whole.size };
	for (int way = 0; way < 3; way++) {
		unsigned char *data = (unsigned char *)other.data;
		Elf64_Shdr *sections;

		memcpy(data, whole.data, whole.size);
		sections = (Elf64_Shdr *)(data + whole.size - maker.count * sizeof(*sections));
		for (unsigned i = 1; i < 20 && way == 0; i++) {
			sections[i].sh_offset = 0;
			sections[i].sh_size = whole.size / 2;
		}
		if (way == 1)
			sections[3].sh_offset = UINT64_MAX - 3;
		if (way == 2)
			sections[3].sh_name = 1u << 30;
		node_free(compare(&whole, &other, NOT_THIS));
		node_free(compare(&other, &whole, NOT_THIS));
	}
	free((void *)other.data);
	free(maker.data);
}

/* One function calls another, which is elsewhere in B. */
static struct blob make_code(struct maker *maker, const char *code, size_t size, unsigned callee)
{
	static const char strings[] = "\0f\0g";
	const Elf64_Sym symbols[3] = { { 0 },
		{ .st_name = 1, .st_info = STT_FUNC, .st_shndx = 1, .st_size = 6 },
		{ .st_name = 3,
			.st_info = STT_FUNC,
			.st_shndx = 1,
			.st_value = callee,
			.st_size = 1 } };
	Elf64_Shdr *table;

	maker_start(maker);
	add(maker, ".text", SHT_PROGBITS, code, size)->sh_flags = SHF_EXECINSTR;
	add(maker, ".strtab", SHT_STRTAB, strings, sizeof(strings));
	table = add(maker, ".symtab", SHT_SYMTAB, symbols, sizeof(symbols));
	table->sh_link = 2;
	table->sh_entsize = sizeof(Elf64_Sym);
	return finish(maker);
}

static void functions_that_call_what_moved_are_told_apart(void **state)
{
	struct maker makers[3];
	/* call g; ret; g: ret, with padding at two places; then with another instruction */
	struct blob a = make_code(&makers[0], "\xe8\1\0\0\0\xc3\xc3\x90", 8, 6);
	struct blob b = make_code(&makers[1], "\xe8\2\0\0\0\xc3\x90\xc3", 8, 7);
	struct blob c = make_code(&makers[2], "\xe9\1\0\0\0\xc3\xc3\x90", 8, 6);
	struct node *node = compare(&a, &b, COMPARED);
	const struct finding *finding;

	(void)state;
	assert_non_null(find(node, ".text", "only in distances to what moved, 1 in all: f"));
	assert_null(find(node, ".text", "functions that differ, "));
	assert_non_null(find(node, ".symtab", "only moved to other addresses: 1 of 3"));
	node_free(node);
	node = compare(&a, &c, COMPARED);
	finding = find(node, ".text", "functions that differ, 1 in all: f (6 bytes)");
	assert_non_null(finding);
	assert_non_null(strstr(finding->excerpt, "-call g\n+jmp g\n"));
	assert_int_equal(node->level, LEVEL_STRUCTURE);
	node_free(node);
	for (int i = 0; i < 3; i++)
		free(makers[i].data);
}

static void indexes_that_are_damaged_are_bytes(void **state)
{
	static const unsigned char whole[] = { 0, 0, 0, 1, 0, 0, 0, 68, 'f', 0 };
	static const unsigned char moved[] = { 0, 0, 0, 1, 0, 0, 0, 72, 'f', 0 };
	static const unsigned char cut[] = { 0, 0, 0, 1, 0, 0, 0, 68, 'f' };
	static const unsigned char many[] = { 255, 255, 255, 255, 0, 0, 0, 68, 'f', 0 };
	struct blob a = { .data = whole, .size = sizeof(whole), .name = "/" };
	struct blob b = { .data = moved, .size = sizeof(moved), .name = "/" };
	struct node *node = compare_as(&a, &b, ar_index_compare, COMPARED);

	(void)state;
	assert_int_equal(node->level, LEVEL_CONTENT);
	node_free(node);
	b = (struct blob){ .data = cut, .size = sizeof(cut), .name = "/" };
	node_free(compare_as(&a, &b, ar_index_compare, NOT_THIS));
	b = (struct blob){ .data = many, .size = sizeof(many), .name = "/" };
	node_free(compare_as(&a, &b, ar_index_compare, NOT_THIS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_are_matched_in_any_order),
		cmocka_unit_test(packed_sections_are_compared_unpacked),
		cmocka_unit_test(packed_sections_that_are_damaged_are_bytes),
		cmocka_unit_test(bombs_end_at_the_limit),
		cmocka_unit_test(sections_that_overlap_or_are_nowhere_make_it_no_elf),
		cmocka_unit_test(functions_that_call_what_moved_are_told_apart),
		cmocka_unit_test(indexes_that_are_damaged_are_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
