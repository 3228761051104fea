#include "guest/spin_examine.h"

#include "guest/spin_memory.h"

#define TRACE_FIRST 512 /* of the shortest attempt; each further one runs four times as long */
#define UNIT_64	    36	/* periods between two places of a counter: 2^36 take at least 10 s */
#define UNIT_32	    30	/* one of 32 bits has no room for more */

/* The shortest period of `length` entries; 0: it is longer than half of them. By the longest proper
 * border of each beginning (Knuth, Morris, Pratt). */
static uint32_t period_of(const uint32_t *trace, uint32_t length, uint16_t *border)
{
	uint32_t known = 0;

	border[0] = border[1] = 0;
	for (uint32_t i = 1; i < length; i++) {
		while (known && trace[i] != trace[known])
			known = border[known];
		if (trace[i] == trace[known])
			known++;
		border[i + 1] = (uint16_t)known;
	}
	return length - known <= length / 2 ? length - known : 0;
}

static bool visited_once(const uint32_t *trace, uint32_t length, uint32_t address)
{
	uint32_t visits = 0;

	for (uint32_t i = 0; i < length; i++)
		visits += trace[i] == address;
	return visits == 1;
}

/* The lowest address that is visited once, in a whole period. */
static bool find_anchor(const uint32_t *trace, uint32_t period, uint32_t *anchor)
{
	bool found = false;

	for (uint32_t i = 0; i < period; i++)
		if ((!found || trace[i] < *anchor) && visited_once(trace, period, trace[i])) {
			*anchor = trace[i];
			found = true;
		}
	return found;
}

static bool run(struct model *m, uint32_t steps)
{
	uint64_t rip = m->rip;

	for (uint32_t i = 0; i < steps; i++)
		if (!model_step(m))
			return false;
	return m->rip == rip;
}

static bool run_to(struct model *m, uint32_t anchor, uint32_t period)
{
	for (uint32_t i = 0; (uint32_t)m->rip != anchor; i++)
		if (i == period || !model_step(m))
			return false;
	return true;
}

static void mark_start(struct model *m)
{
	for (int i = 0; i < MODEL_REGISTERS; i++)
		m->start[i] = m->registers[i];
	m->start_flags = m->flags;
	for (uint32_t i = 0; i < m->cell_count; i++)
		m->cells[i].start = m->cells[i].value;
}

/* What is not as it was at the last mark varies; from here on it is known what depends on that. */
static void start_tracking(struct model *m)
{
	m->root_count = 0;
	m->flags_vary = m->flags != m->start_flags;
	for (int i = 0; i < MODEL_REGISTERS; i++) {
		m->varies[i] = m->registers[i] != m->start[i];
		m->touched[i] = false;
		m->symbols[i] = (struct symbol){ 0 };
	}
	for (uint32_t i = 0; i < m->cell_count; i++) {
		struct cell *cell = &m->cells[i];

		cell->varies = cell->value != cell->start;
		cell->touched = cell->upper = false;
		cell->symbol = (struct symbol){ 0 };
	}
	m->tracking = true;
	mark_start(m);
}

static void stop_tracking(struct model *m)
{
	m->tracking = m->flags_vary = false;
	for (int i = 0; i < MODEL_REGISTERS; i++)
		m->symbols[i] = (struct symbol){ 0 };
}

static bool same_symbol(const struct symbol *a, const struct symbol *b)
{
	return a->root == b->root && a->width == b->width && a->offset == b->offset;
}

/* Both halves of a symbol of 64 bits are where they belong. */
static bool is_complete(struct model *m, const struct cell *cell)
{
	const struct cell *other;

	if (cell->symbol.width != 64)
		return !cell->upper;
	other = model_cell(m, cell->upper ? cell->address - 4 : cell->address + 4);
	return other && other->upper != cell->upper && same_symbol(&other->symbol, &cell->symbol);
}

static const struct symbol *symbol_at(struct model *m, const struct root *root)
{
	const struct cell *cell;

	if (!root->in_memory)
		return &m->symbols[root->place];
	cell = model_cell(m, root->place);
	return cell && !cell->upper && cell->symbol.width == root->width ? &cell->symbol : NULL;
}

/* Each root has become itself and a constant. */
static bool find_steps(struct model *m)
{
	for (uint32_t i = 0; i < m->root_count; i++) {
		struct root *root = &m->roots[i];
		const struct symbol *symbol = symbol_at(m, root);

		if (!symbol || symbol->root != i + 1)
			return false;
		root->step = symbol->offset;
		root->width = symbol->width;
	}
	return true;
}

static bool is_followed(const struct model *m, const struct symbol *symbol)
{
	return symbol->width <= m->roots[symbol->root - 1].width;
}

/* After a period: what does not depend on roots is what it was. */
static bool repeats(struct model *m)
{
	if (!m->flags_vary && m->flags != m->start_flags)
		return false;
	for (int i = 0; i < MODEL_REGISTERS; i++)
		if (m->symbols[i].root ? !is_followed(m, &m->symbols[i])
				       : m->registers[i] != m->start[i])
			return false;
	for (uint32_t i = 0; i < m->cell_count; i++) {
		const struct cell *cell = &m->cells[i];

		if (cell->symbol.root ? !is_followed(m, &cell->symbol) || !is_complete(m, cell)
				      : cell->value != cell->start)
			return false;
	}
	return true;
}

/* The one whose value decides where all of them are put. */
static const struct root *first_root(const struct model *m)
{
	const struct root *first = NULL;

	for (uint32_t i = 0; i < m->root_count; i++) {
		const struct root *root = &m->roots[i];

		if (root->step && (!first || root->in_memory > first->in_memory ||
					  (root->in_memory == first->in_memory &&
						  root->place < first->place)))
			first = root;
	}
	return first;
}

static uint64_t root_value(struct model *m, const struct root *root)
{
	const struct cell *low, *high;
	uint64_t value;

	if (!root->in_memory)
		return root->width == 64 ? m->registers[root->place]
					 : (uint32_t)m->registers[root->place];
	low = model_cell(m, root->place);
	high = root->width == 64 ? model_cell(m, root->place + 4) : NULL;
	value = low->value;
	return high ? value | (uint64_t)high->value << 32 : value;
}

/* Periods until the counter is at its place. One that counts down is looked at from below. */
static uint64_t periods_left(struct model *m, const struct root *root)
{
	uint64_t value = root_value(m, root), step = root->step, unit;
	unsigned shift = root->width == 64 ? UNIT_64 : UNIT_32;

	if (root->width == 32)
		step = (uint64_t)(int32_t)step;
	if ((int64_t)step < 0) {
		step = -step;
		value = root->width == 64 ? -value : (uint32_t)-value;
	}
	while (step << shift >> shift != step)
		shift--;
	unit = step << shift;
	return ((value / unit + 1) * unit + value % step - value) / step;
}

static void advance_cell(struct model *m, struct cell *low, uint64_t by)
{
	struct cell *high = low->symbol.width == 64 ? model_cell(m, low->address + 4) : NULL;
	uint64_t value = low->value | (high ? (uint64_t)high->value << 32 : 0);

	value += by;
	low->value = (uint32_t)value;
	if (high)
		high->value = (uint32_t)(value >> 32);
}

/* All counters as they are after so many further periods. */
static void advance(struct model *m, uint64_t periods)
{
	for (int i = 0; i < MODEL_REGISTERS; i++) {
		const struct symbol *symbol = &m->symbols[i];

		if (!symbol->root)
			continue;
		m->registers[i] += periods * m->roots[symbol->root - 1].step;
		if (symbol->width == 32)
			m->registers[i] = (uint32_t)m->registers[i];
	}
	for (uint32_t i = 0; i < m->cell_count; i++) {
		struct cell *cell = &m->cells[i];

		if (cell->symbol.root && !cell->upper)
			advance_cell(m, cell, periods * m->roots[cell->symbol.root - 1].step);
	}
}

/* The last period is run, so that flags are what they would be. */
static bool settle(struct model *m, uint32_t period)
{
	const struct root *first = first_root(m);

	if (first)
		advance(m, periods_left(m, first) - 1);
	stop_tracking(m);
	return !first || run(m, period);
}

static bool prove(struct model *m, uint32_t anchor, uint32_t period)
{
	if (!run_to(m, anchor, period))
		return false;
	mark_start(m);
	if (!run(m, period))
		return false;
	start_tracking(m);
	return run(m, period) && find_steps(m) && repeats(m) && settle(m, period);
}

bool spin_examine(struct examination *e)
{
	struct model *m = &e->model;
	uint32_t traced = 0, period, anchor = 0;

	for (uint32_t length = TRACE_FIRST; length <= TRACE; length *= 4) {
		for (; traced < length; traced++) {
			e->trace[traced] = (uint32_t)m->rip;
			if (!model_step(m))
				return false;
		}
		period = period_of(&e->trace[length / 2], length / 2, e->border);
		if (!period || !find_anchor(&e->trace[length - period], period, &anchor))
			continue;
		e->saved = *m;
		if (prove(m, anchor, period))
			return true;
		*m = e->saved;
	}
	return false;
}
