#include "guest/spin_run.h"

#include "guest/spin_alu.h"
#include "guest/spin_decode.h"
#include "guest/spin_memory.h"

#define FLAG_CF 0x1ull
#define FLAG_PF 0x4ull
#define FLAG_ZF 0x40ull
#define FLAG_SF 0x80ull
#define FLAG_OF 0x800ull

/* The operand of an operation that may be a register or in memory. */
struct operand {
	bool in_memory;
	uint64_t place;
	unsigned size;
};

static void fail(struct model *m)
{
	m->failed = true;
}

static uint64_t truncated(uint64_t value, unsigned size)
{
	return size == 8 ? value : value & ((1ull << (8 * size)) - 1);
}

static int64_t signed_of(uint64_t value, unsigned size)
{
	unsigned unused = 64 - 8 * size;

	return (int64_t)(value << unused) >> unused;
}

static struct value constant(uint64_t bits)
{
	return (struct value){ .bits = bits };
}

/* What cannot be followed must not vary. */
static uint64_t plain(struct model *m, struct value value)
{
	if (value.symbol.root)
		fail(m);
	return value.bits;
}

/* Without REX, 4 to 7 are the second bytes of the first four. */
static bool is_second_byte(const struct operation *o, unsigned number, unsigned size)
{
	return size == 1 && !o->rex && number >= 4 && number < 8;
}

static struct value read_register(struct model *m, unsigned number, unsigned size)
{
	struct value value;

	if (m->tracking && m->varies[number] && !m->touched[number])
		m->symbols[number] = model_root(m, false, number, 64);
	m->touched[number] |= m->tracking;
	value = (struct value){ truncated(m->registers[number], size), m->symbols[number] };
	if (value.symbol.root && size < 4)
		fail(m);
	if (size == 4)
		value.symbol.width = 32;
	return value;
}

static void write_register(struct model *m, unsigned number, unsigned size, struct value value)
{
	uint64_t kept = size >= 4 ? 0 : ~truncated(~0ull, size);

	if (size < 4 && m->tracking)
		plain(m, read_register(m, number, 8));
	m->registers[number] = (m->registers[number] & kept) | truncated(value.bits, size);
	m->symbols[number] = value.symbol;
	m->touched[number] |= m->tracking;
}

/* Reads of, and writes to, registers as an operation names them. */
static struct value get_register(struct model *m, const struct operation *o, unsigned number)
{
	if (is_second_byte(o, number, o->size))
		return constant((plain(m, read_register(m, number - 4, 8)) >> 8) & 0xff);
	return read_register(m, number, o->size);
}

static void set_register(
	struct model *m, const struct operation *o, unsigned number, struct value value)
{
	uint64_t whole;

	if (!is_second_byte(o, number, o->size)) {
		write_register(m, number, o->size, value);
		return;
	}
	whole = plain(m, read_register(m, number - 4, 8)) & ~0xff00ull;
	write_register(m, number - 4, 8, constant(whole | (plain(m, value) & 0xff) << 8));
}

static uint64_t address_of(struct model *m, const struct operation *o)
{
	uint64_t address = (uint64_t)(int64_t)o->displacement;

	if (o->base == OPERATION_RIP)
		address += m->rip; /* of the next instruction already */
	else if (o->base != OPERATION_NOTHING)
		address += plain(m, read_register(m, o->base, 8));
	if (o->index != OPERATION_NOTHING)
		address += plain(m, read_register(m, o->index, 8)) << o->shift;
	return address + (o->fs ? m->fs : 0);
}

static struct value get_rm(struct model *m, const struct operation *o)
{
	return o->memory ? model_load(m, address_of(m, o), o->size) : get_register(m, o, o->rm);
}

static void set_rm(struct model *m, const struct operation *o, struct value value)
{
	if (o->memory)
		model_store(m, address_of(m, o), o->size, value);
	else
		set_register(m, o, o->rm, value);
}

/* Of another size than the operation's. */
static uint64_t get_rm_narrow(struct model *m, const struct operation *o, unsigned size)
{
	struct operation narrow = *o;

	narrow.size = (uint8_t)size;
	return plain(m, get_rm(m, &narrow));
}

/* Flags that an operation read, or that come from what varies. */
static void use_flags(struct model *m)
{
	if (m->flags_vary)
		fail(m);
}

static bool condition(struct model *m, unsigned code)
{
	uint64_t f = m->flags;
	bool less = !(f & FLAG_SF) != !(f & FLAG_OF), met;

	use_flags(m);
	switch (code >> 1 & 7) {
	case 0:
		met = f & FLAG_OF;
		break;
	case 1:
		met = f & FLAG_CF;
		break;
	case 2:
		met = f & FLAG_ZF;
		break;
	case 3:
		met = f & (FLAG_CF | FLAG_ZF);
		break;
	case 4:
		met = f & FLAG_SF;
		break;
	case 5:
		met = f & FLAG_PF;
		break;
	case 6:
		met = less;
		break;
	default:
		met = less || (f & FLAG_ZF);
		break;
	}
	return met != (code & 1);
}

/* The symbol of a sum or difference: of what varies and a constant. */
static struct symbol sum_symbol(
	struct model *m, bool minus, unsigned size, struct value a, struct value b)
{
	struct symbol symbol = a.symbol.root ? a.symbol : b.symbol;

	if (!symbol.root)
		return symbol;
	if ((a.symbol.root && b.symbol.root) || (minus && b.symbol.root) ||
		symbol.width != 8 * size)
		fail(m);
	symbol.offset += minus ? -b.bits : a.symbol.root ? b.bits : a.bits;
	return symbol;
}

static struct value binary(
	struct model *m, enum alu kind, unsigned size, struct value a, struct value b)
{
	struct value result;
	bool varies = a.symbol.root || b.symbol.root;

	if (kind == ALU_ADC || kind == ALU_SBB)
		use_flags(m);
	result.bits = alu_binary(kind, size, a.bits, b.bits, &m->flags);
	result.symbol = (struct symbol){ 0 };
	m->flags_vary = varies;
	if (kind == ALU_ADD || kind == ALU_SUB)
		result.symbol = sum_symbol(m, kind == ALU_SUB, size, a, b);
	else if (varies && kind != ALU_CMP)
		fail(m);
	return result;
}

/* A register cleared, or compared with itself, does not depend on what it was. */
static bool is_clearing(const struct operation *o, enum alu kind)
{
	return !o->memory && o->reg == o->rm && o->size >= 4 &&
	       (kind == ALU_XOR || kind == ALU_SUB);
}

/* op r/m,r; op r,r/m; op rax,imm. */
static void run_alu(struct model *m, const struct operation *o)
{
	enum alu kind = (enum alu)(o->opcode >> 3);
	struct value a, b;

	if (is_clearing(o, kind) && (o->opcode & 7) < 4) {
		alu_binary(kind, o->size, 0, 0, &m->flags);
		m->flags_vary = false;
		write_register(m, o->reg, o->size, constant(0));
		return;
	}
	switch (o->opcode & 7) {
	case 0:
	case 1:
		a = binary(m, kind, o->size, get_rm(m, o), get_register(m, o, o->reg));
		if (kind != ALU_CMP)
			set_rm(m, o, a);
		return;
	case 2:
	case 3:
		a = get_register(m, o, o->reg);
		b = binary(m, kind, o->size, a, get_rm(m, o));
		if (kind != ALU_CMP)
			set_register(m, o, o->reg, b);
		return;
	default:
		a = read_register(m, MODEL_RAX, o->size);
		a = binary(
			m, kind, o->size, a, constant(truncated((uint64_t)o->immediate, o->size)));
		if (kind != ALU_CMP)
			write_register(m, MODEL_RAX, o->size, a);
	}
}

static void run_alu_immediate(struct model *m, const struct operation *o)
{
	enum alu kind = (enum alu)(o->reg & 7);
	struct value b = constant(truncated((uint64_t)o->immediate, o->size));
	struct value result = binary(m, kind, o->size, get_rm(m, o), b);

	if (kind != ALU_CMP)
		set_rm(m, o, result);
}

static void run_test(struct model *m, unsigned size, struct value a, struct value b)
{
	alu_binary(ALU_AND, size, a.bits, b.bits, &m->flags);
	m->flags_vary = a.symbol.root || b.symbol.root;
}

static void run_increment(struct model *m, const struct operation *o, bool down)
{
	uint64_t carry = m->flags & FLAG_CF;
	bool varied = m->flags_vary;
	struct value a = binary(m, down ? ALU_SUB : ALU_ADD, o->size, get_rm(m, o), constant(1));

	/* The carry flag stays as it was. */
	m->flags = (m->flags & ~FLAG_CF) | carry;
	m->flags_vary |= varied;
	set_rm(m, o, a);
}

static void run_shift(struct model *m, const struct operation *o, uint64_t count)
{
	uint64_t a = plain(m, get_rm(m, o));

	use_flags(m);
	set_rm(m, o, constant(alu_shift((enum shift)(o->reg & 7), o->size, a, count, &m->flags)));
}

static void push(struct model *m, struct value value)
{
	uint64_t top = plain(m, read_register(m, MODEL_RSP, 8)) - 8;

	model_store(m, top, 8, value);
	write_register(m, MODEL_RSP, 8, constant(top));
}

static struct value pop(struct model *m)
{
	uint64_t top = plain(m, read_register(m, MODEL_RSP, 8));
	struct value value = model_load(m, top, 8);

	write_register(m, MODEL_RSP, 8, constant(top + 8));
	return value;
}

static void jump(struct model *m, uint64_t to)
{
	m->rip = to;
}

static void jump_by(struct model *m, const struct operation *o, bool taken)
{
	if (taken)
		jump(m, m->rip + (uint64_t)o->immediate);
}

static void exchange(struct model *m, const struct operation *o, unsigned number)
{
	struct value a = get_rm(m, o), b = get_register(m, o, number);

	set_rm(m, o, b);
	set_register(m, o, number, a);
}

static void set_pair(struct model *m, unsigned size, struct pair pair)
{
	write_register(m, MODEL_RAX, size, constant(pair.low));
	write_register(m, MODEL_RDX, size, constant(pair.high));
	m->flags_vary = false;
}

static void run_product(struct model *m, const struct operation *o, uint64_t b)
{
	uint64_t a = plain(m, read_register(m, MODEL_RAX, o->size));

	set_pair(m, o->size, alu_product((o->reg & 7) == 5, o->size, a, b, &m->flags));
}

/* Those that fault are not run: with a sign, only what is no wider than its register is. */
static void run_quotient(struct model *m, const struct operation *o, uint64_t b)
{
	bool with_sign = (o->reg & 7) == 7;
	struct pair a = { plain(m, read_register(m, MODEL_RAX, o->size)),
		plain(m, read_register(m, MODEL_RDX, o->size)) };
	int64_t low = signed_of(a.low, o->size);
	bool fits = with_sign ? a.high == truncated(low < 0 ? ~0ull : 0, o->size) && b &&
					truncated(~b, o->size)
			      : a.high < b;

	use_flags(m);
	if (fits)
		set_pair(m, o->size, alu_quotient(with_sign, o->size, a, b, &m->flags));
	else
		fail(m);
}

/* Negation and the like: behind 0xf6 and 0xf7. */
static void run_group3(struct model *m, const struct operation *o)
{
	struct value a = get_rm(m, o);

	switch (o->reg & 7) {
	case 0:
	case 1:
		run_test(m, o->size, a, constant(truncated((uint64_t)o->immediate, o->size)));
		return;
	case 2:
		set_rm(m, o, constant(truncated(~plain(m, a), o->size)));
		return;
	case 3:
		set_rm(m, o, constant(alu_negate(o->size, plain(m, a), &m->flags)));
		m->flags_vary = false;
		return;
	case 4:
	case 5:
		if (o->size >= 4)
			run_product(m, o, plain(m, a));
		else
			fail(m);
		return;
	default:
		if (o->size >= 4)
			run_quotient(m, o, plain(m, a));
		else
			fail(m);
	}
}

/* Behind 0xfe and 0xff. */
static void run_group5(struct model *m, const struct operation *o)
{
	uint64_t target;

	if (o->opcode == 0xfe && (o->reg & 7) > 1) {
		fail(m);
		return;
	}
	switch (o->reg & 7) {
	case 0:
	case 1:
		run_increment(m, o, o->reg & 1);
		return;
	case 2:
	case 4:
		target = plain(m, get_rm(m, o));
		if ((o->reg & 7) == 2)
			push(m, constant(m->rip));
		jump(m, target);
		return;
	case 6:
		push(m, get_rm(m, o));
		return;
	default:
		fail(m);
	}
}

/* cwde and cdqe; cdq and cqo; and both for 16 bits. */
static void run_widen(struct model *m, const struct operation *o, bool into_rdx)
{
	unsigned from = into_rdx ? o->size : o->size / 2u;
	int64_t value = signed_of(plain(m, read_register(m, MODEL_RAX, from)), from);

	if (into_rdx)
		write_register(m, MODEL_RDX, o->size, constant(value < 0 ? ~0ull : 0));
	else
		write_register(m, MODEL_RAX, o->size, constant((uint64_t)value));
}

static void run_multiply(struct model *m, const struct operation *o, uint64_t b)
{
	uint64_t a = plain(m, get_rm(m, o));

	set_register(m, o, o->reg, constant(alu_multiply(o->size, a, b, &m->flags)));
	m->flags_vary = false;
}

static void run_lea(struct model *m, const struct operation *o)
{
	struct value sum;

	if (!o->memory || o->fs) {
		fail(m);
		return;
	}
	/* A sum, not an address. */
	if (o->base < MODEL_REGISTERS && o->index == OPERATION_NOTHING) {
		struct value base = read_register(m, o->base, o->size == 8 ? 8 : 4);

		sum.bits = base.bits + (uint64_t)(int64_t)o->displacement;
		sum.symbol = sum_symbol(
			m, false, o->size, base, constant((uint64_t)(int64_t)o->displacement));
	} else {
		sum = constant(address_of(m, o));
	}
	set_register(m, o, o->reg, sum);
}

static void run_compare_exchange(struct model *m, const struct operation *o)
{
	struct value old = get_rm(m, o), wanted = read_register(m, MODEL_RAX, o->size);

	if (!o->memory)
		fail(m);
	binary(m, ALU_CMP, o->size, wanted, old);
	use_flags(m);
	if (m->flags & FLAG_ZF) {
		set_rm(m, o, get_register(m, o, o->reg));
	} else {
		set_rm(m, o, old);
		write_register(m, MODEL_RAX, o->size, old);
	}
}

/* 16 bytes against rdx and rax: two words, of which the lower has the lower address. */
static void run_compare_exchange_16(struct model *m, const struct operation *o)
{
	struct value low, high;
	uint64_t at;

	if (!o->memory || (o->reg & 7) != 1 || o->size != 8) {
		fail(m);
		return;
	}
	use_flags(m);
	at = address_of(m, o);
	low = model_load(m, at, 8);
	high = model_load(m, at + 8, 8);
	if (at % 16)
		fail(m);
	if (plain(m, low) == plain(m, read_register(m, MODEL_RAX, 8)) &&
		plain(m, high) == plain(m, read_register(m, MODEL_RDX, 8))) {
		m->flags |= FLAG_ZF;
		model_store(m, at, 8, read_register(m, MODEL_RBX, 8));
		model_store(m, at + 8, 8, read_register(m, MODEL_RCX, 8));
		return;
	}
	m->flags &= ~FLAG_ZF;
	model_store(m, at, 8, low);
	model_store(m, at + 8, 8, high);
	write_register(m, MODEL_RAX, 8, low);
	write_register(m, MODEL_RDX, 8, high);
}

/* bsf and bsr; behind 0xf3, tzcnt, lzcnt and popcnt. */
static void run_search(struct model *m, const struct operation *o)
{
	enum search kind = o->opcode == 0xb8 ? SEARCH_COUNT
					     : (enum search)((o->opcode & 1) + (o->rep ? 2 : 0));
	uint64_t b = plain(m, get_rm(m, o)), a = plain(m, read_register(m, o->reg, 8));

	if (o->opcode == 0xb8 && !o->rep)
		fail(m);
	/* What a register keeps that nothing was found for differs between processors. */
	if (!b && !o->rep)
		fail(m);
	use_flags(m);
	write_register(m, o->reg, o->size, constant(alu_search(kind, o->size, a, b, &m->flags)));
}

static void run_exchange_add(struct model *m, const struct operation *o)
{
	struct value old = get_rm(m, o);
	struct value sum = binary(m, ALU_ADD, o->size, old, get_register(m, o, o->reg));

	/* A register may be both operands, or part of the address. */
	if (o->memory)
		set_rm(m, o, sum);
	set_register(m, o, o->reg, old);
	if (!o->memory)
		set_rm(m, o, sum);
}

/* A bit of a register, or of memory at a constant distance. */
static void run_bit(struct model *m, const struct operation *o, uint64_t bit)
{
	enum bit kind = o->opcode == 0xa3 ? BIT_TEST : (enum bit)(o->reg & 7);
	uint64_t a;

	if (kind < BIT_TEST || (o->opcode == 0xa3 && o->memory)) {
		fail(m);
		return;
	}
	use_flags(m);
	a = alu_bit(kind, o->size, plain(m, get_rm(m, o)), bit & (8u * o->size - 1), &m->flags);
	if (kind != BIT_TEST)
		set_rm(m, o, constant(a));
}

static void run_move_wider(struct model *m, const struct operation *o, bool with_sign)
{
	unsigned from = o->opcode == 0x63 ? 4 : o->opcode & 1 ? 2 : 1;
	uint64_t value = get_rm_narrow(m, o, from);

	set_register(m, o, o->reg,
		constant(truncated(with_sign ? (uint64_t)signed_of(value, from) : value, o->size)));
}

static void run_extended(struct model *m, const struct operation *o)
{
	struct value value;

	switch (o->opcode) {
	case 0x0d:
	case 0x18 ... 0x19:
	case 0x1e ... 0x1f:
		return;
	case 0x40 ... 0x4f:
		value = get_rm(m, o);
		if (!condition(m, o->opcode))
			value = get_register(m, o, o->reg);
		set_register(m, o, o->reg, value);
		return;
	case 0x80 ... 0x8f:
		jump_by(m, o, condition(m, o->opcode));
		return;
	case 0x90 ... 0x9f:
		set_rm(m, o, constant(condition(m, o->opcode)));
		return;
	case 0xa3:
		run_bit(m, o, plain(m, get_register(m, o, o->reg)));
		return;
	case 0xae: /* lfence, mfence, sfence */
		if (o->memory || (o->reg & 7) < 5 || o->size == 2)
			fail(m);
		return;
	case 0xaf:
		run_multiply(m, o, plain(m, get_register(m, o, o->reg)));
		return;
	case 0xb0 ... 0xb1:
		run_compare_exchange(m, o);
		return;
	case 0xb6 ... 0xb7:
	case 0xbe ... 0xbf:
		run_move_wider(m, o, o->opcode & 8);
		return;
	case 0xba:
		run_bit(m, o, (uint64_t)o->immediate);
		return;
	case 0xb8:
	case 0xbc ... 0xbd:
		run_search(m, o);
		return;
	case 0xc0 ... 0xc1:
		run_exchange_add(m, o);
		return;
	case 0xc7:
		run_compare_exchange_16(m, o);
		return;
	default:
		fail(m);
	}
}

static void run_plain(struct model *m, const struct operation *o)
{
	const struct value immediate = constant(truncated((uint64_t)o->immediate, o->size));

	switch (o->opcode) {
	case 0x00 ... 0x3d:
		run_alu(m, o);
		return;
	case 0x50 ... 0x57:
		push(m, read_register(m, o->rm, 8));
		return;
	case 0x58 ... 0x5f:
		write_register(m, o->rm, 8, pop(m));
		return;
	case 0x63:
		run_move_wider(m, o, true);
		return;
	case 0x68:
	case 0x6a:
		push(m, constant((uint64_t)o->immediate));
		return;
	case 0x69:
	case 0x6b:
		run_multiply(m, o, immediate.bits);
		return;
	case 0x70 ... 0x7f:
		jump_by(m, o, condition(m, o->opcode));
		return;
	case 0x80 ... 0x83:
		run_alu_immediate(m, o);
		return;
	case 0x84 ... 0x85:
		run_test(m, o->size, get_rm(m, o), get_register(m, o, o->reg));
		return;
	case 0x86 ... 0x87:
		exchange(m, o, o->reg);
		return;
	case 0x88 ... 0x89:
		set_rm(m, o, get_register(m, o, o->reg));
		return;
	case 0x8a ... 0x8b:
		set_register(m, o, o->reg, get_rm(m, o));
		return;
	case 0x8d:
		run_lea(m, o);
		return;
	case 0x90 ... 0x97:
		if (o->rm != MODEL_RAX) /* else nothing, or a pause */
			exchange(m, o, MODEL_RAX);
		return;
	case 0x98 ... 0x99:
		run_widen(m, o, o->opcode & 1);
		return;
	case 0xa8 ... 0xa9:
		run_test(m, o->size, read_register(m, MODEL_RAX, o->size), immediate);
		return;
	case 0xb0 ... 0xbf:
		set_register(m, o, o->rm, immediate);
		return;
	case 0xc0 ... 0xc1:
		run_shift(m, o, (uint64_t)o->immediate);
		return;
	case 0xc3:
		jump(m, plain(m, pop(m)));
		return;
	case 0xc6 ... 0xc7:
		if (o->reg & 7)
			fail(m);
		set_rm(m, o, immediate);
		return;
	case 0xc9:
		write_register(m, MODEL_RSP, 8, read_register(m, MODEL_RBP, 8));
		write_register(m, MODEL_RBP, 8, pop(m));
		return;
	case 0xd0 ... 0xd1:
		run_shift(m, o, 1);
		return;
	case 0xd2 ... 0xd3:
		run_shift(m, o, plain(m, read_register(m, MODEL_RCX, 8)));
		return;
	case 0xe8:
		push(m, constant(m->rip));
		jump_by(m, o, true);
		return;
	case 0xe9:
	case 0xeb:
		jump_by(m, o, true);
		return;
	case 0xf6 ... 0xf7:
		run_group3(m, o);
		return;
	case 0xfe ... 0xff:
		run_group5(m, o);
		return;
	default:
		fail(m);
	}
}

/* Prefixes that change what an operation does: only those that are known not to. */
static bool is_prefixed_well(const struct operation *o)
{
	if (o->lock && !o->memory)
		return false;
	if (!o->rep && !o->repne)
		return true;
	if (o->extended)
		return o->opcode == 0x1e || (o->opcode & 0xf0) == 0x80 ||
		       (o->rep && (o->opcode == 0xb8 || (o->opcode & 0xfe) == 0xbc));
	return (o->opcode == 0x90 && o->rm == MODEL_RAX) || o->opcode == 0xc3 ||
	       o->opcode == 0xff || (o->opcode & 0xf0) == 0x70 || (o->opcode & 0xfc) == 0xe8;
}

#define PAGE_BYTES 4096u

/* Instructions may end where the memory does. */
static bool fetch(struct model *m, struct operation *o)
{
	uint8_t code[OPERATION_BYTES];
	size_t here = PAGE_BYTES - m->rip % PAGE_BYTES, bytes = sizeof(code);

	if (here >= bytes)
		return spin_read(code, m->rip, bytes) && spin_decode(code, bytes, o);
	if (!spin_read(code, m->rip, here))
		return false;
	return spin_decode(code, here, o) ||
	       (spin_read(code + here, m->rip + here, bytes - here) && spin_decode(code, bytes, o));
}

bool model_step(struct model *m)
{
	struct operation o;

	if (!fetch(m, &o) || !is_prefixed_well(&o)) {
		fail(m);
		return false;
	}
	m->rip += o.length;
	if (o.extended)
		run_extended(m, &o);
	else
		run_plain(m, &o);
	return !m->failed;
}
