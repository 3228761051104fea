#include "diff/elf_functions.h"

#include <stdlib.h>
#include <string.h>

static int by_place(const void *a, const void *b)
{
	const struct elf_function *one = a, *other = b;

	if (one->at != other->at)
		return one->at < other->at ? -1 : 1;
	if (one->size != other->size)
		return one->size > other->size ? -1 : 1;
	return strcmp(one->name, other->name);
}

/* Of those that share bytes the first is left: one function may have several names. */
static void drop_overlapping(struct elf_functions *functions)
{
	size_t kept = 0;
	uint64_t end = 0;

	for (size_t i = 0; i < functions->count; i++) {
		const struct elf_function *function = &functions->list[i];

		if (function->at < end)
			continue;
		end = function->at + function->size;
		functions->list[kept++] = *function;
	}
	functions->count = kept;
}

static int by_section(const void *a, const void *b)
{
	const struct elf_symbol *one = a, *other = b;

	if (one->section_index != other->section_index)
		return one->section_index < other->section_index ? -1 : 1;
	return (one->order > other->order) - (one->order < other->order);
}

void elf_functions_sort(struct elf_symbols *symbols)
{
	qsort(symbols->list, symbols->count, sizeof(*symbols->list), by_section);
}

/* The first symbol of a section or of a later one. */
static size_t find_section(const struct elf_symbols *symbols, uint64_t index)
{
	size_t low = 0, high = symbols->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->list[middle].section_index < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_within(const struct elf_symbol *symbol, const struct elf_part *part, uint64_t start)
{
	return (symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC) && symbol->size &&
	       symbol->value >= start && symbol->value - start < part->bytes.size &&
	       symbol->size <= part->bytes.size - (symbol->value - start);
}

int elf_functions_find(struct elf_functions *functions, const struct elf_symbols *symbols,
	const struct elf_part *part)
{
	uint64_t start = part->elf->type == ET_REL ? 0 : part->section->address;
	size_t from = find_section(symbols, part->section->index);
	size_t to = find_section(symbols, part->section->index + 1),
	       most = to > from ? to - from : 0;

	*functions = (struct elf_functions){ 0 };
	functions->list = calloc(most + 1, sizeof(*functions->list));
	if (!functions->list)
		return -1;
	for (size_t i = from; i < to; i++) {
		const struct elf_symbol *symbol = &symbols->list[i];

		if (is_within(symbol, part, start))
			functions->list[functions->count++] = (struct elf_function){ symbol->name,
				symbol->value - start, symbol->size };
	}
	qsort(functions->list, functions->count, sizeof(*functions->list), by_place);
	drop_overlapping(functions);
	return 0;
}

void elf_functions_release(struct elf_functions *functions)
{
	free(functions->list);
	*functions = (struct elf_functions){ 0 };
}

const struct elf_function *elf_functions_at(const struct elf_functions *functions, uint64_t at)
{
	size_t low = 0, high = functions->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (functions->list[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low && at - functions->list[low - 1].at < functions->list[low - 1].size
		       ? &functions->list[low - 1]
		       : NULL;
}
