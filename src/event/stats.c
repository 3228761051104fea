#include "event/stats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena/calls.h"
#include "code/format.h"
#include "event/line.h"

/* One kind of event. */
struct row {
	const char *name;
	uint64_t fast, slow, refused;
};

static uint64_t row_total(const struct row *row)
{
	return row->fast + row->slow;
}

/* The most frequent first, by name among equals. */
static int row_compare(const void *a, const void *b)
{
	const struct row *one = a, *other = b;
	uint64_t left = row_total(one), right = row_total(other);

	return left == right ? strcmp(one->name, other->name) : (left < right) - (left > right);
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static struct row sum_of(const struct row *rows, size_t count)
{
	struct row sum = { .name = "all" };

	for (size_t i = 0; i < count; i++) {
		sum.fast += rows[i].fast;
		sum.slow += rows[i].slow;
		sum.refused += rows[i].refused;
	}
	return sum;
}

static void print_rows(FILE *out, const char *what, struct row *rows, size_t count)
{
	struct row sum = sum_of(rows, count);

	if (row_total(&sum) == 0)
		return;
	qsort(rows, count, sizeof(*rows), row_compare);
	fprintf(out, "stet: %" PRIu64 " %s, %.2f %% by the fast path\n", row_total(&sum), what,
		percent(sum.fast, row_total(&sum)));
	for (size_t i = 0; i < count && row_total(&rows[i]); i++)
		fprintf(out, "stet: %12" PRIu64 " %-24s %6.2f %% fast\n", row_total(&rows[i]),
			rows[i].name, percent(rows[i].fast, row_total(&rows[i])));
}

static void print_refused(FILE *out, const struct row *rows, size_t count)
{
	struct row sum = sum_of(rows, count);
	const char *separator = ":";

	if (sum.refused == 0)
		return;
	fprintf(out, "stet: %" PRIu64 " calls refused", sum.refused);
	for (size_t i = 0; i < count; i++) {
		if (rows[i].refused == 0)
			continue;
		fprintf(out, "%s %s %" PRIu64, separator, rows[i].name, rows[i].refused);
		separator = ",";
	}
	fputc('\n', out);
}

static void print_calls(FILE *out, const struct counters *counters)
{
	struct row rows[SYSCALL_LIMIT];

	for (unsigned i = 0; i < SYSCALL_LIMIT; i++) {
		const struct call_info *call = call_info(i);

		rows[i] = (struct row){
			.name = call ? call->name : "(no such call)",
			.fast = counters->fast[i],
			.slow = counters->slow[i],
			.refused = counters->refused[i],
		};
	}
	print_rows(out, "system calls", rows, SYSCALL_LIMIT);
	print_refused(out, rows, SYSCALL_LIMIT);
}

static void print_instructions(FILE *out, const struct counters *counters)
{
	struct row rows[INSN_KINDS];

	for (unsigned i = 0; i < INSN_KINDS; i++)
		rows[i] = (struct row){
			.name = line_insn_name(i),
			.fast = counters->insn_fast[i],
			.slow = counters->insn_slow[i],
		};
	print_rows(out, "replaced instructions", rows, INSN_KINDS);
}

void stats_print(FILE *out, const struct arena *arena, unsigned restarts)
{
	const struct counters counters = arena->counters;

	print_calls(out, &counters);
	print_instructions(out, &counters);
	fprintf(out,
		"stet: %" PRIu64 " processes, %" PRIu64 " threads, %" PRIu64 " programs, %" PRIu64
		" signals\n",
		counters.processes, counters.threads, counters.execs, counters.signals);
	fprintf(out, "stet: %" PRIu64 " mappings of rewritten code, %" PRIu64 " of plain code\n",
		counters.code_mapped, counters.code_plain);
	fprintf(out,
		"stet: %" PRIu64 " waits for what others do, %" PRIu64 " for a turn, %" PRIu64
		" retries of reads and writes\n",
		counters.parks, counters.waits, counters.retries);
	if (restarts)
		fprintf(out, "stet: restarts %u\n", restarts);
}
