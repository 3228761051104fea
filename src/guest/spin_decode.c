#include "guest/spin_decode.h"

/* What the tables say of an opcode. */
enum {
	KNOWN = 1,
	MODRM = 2,
	IMM8 = 4,
	IMM32 = 8,    /* 16 bits with operands of that size */
	BYTES = 16,   /* operands are bytes */
	WIDE = 32,    /* operands have 64 bits by themselves, and never 16 */
	IMM_ALL = 64, /* as long as the operand */
};

#define ALU(first)                                                                                 \
	[first] = KNOWN | MODRM | BYTES, [first + 1] = KNOWN | MODRM,                              \
	[first + 2] = KNOWN | MODRM | BYTES, [first + 3] = KNOWN | MODRM,                          \
	[first + 4] = KNOWN | BYTES | IMM8, [first + 5] = KNOWN | IMM32

static const uint8_t plain[256] = {
	ALU(0x00), ALU(0x08), ALU(0x10), ALU(0x18), ALU(0x20), ALU(0x28), ALU(0x30), ALU(0x38),
	[0x50 ... 0x5f] = KNOWN | WIDE,	       /* push, pop */
	[0x63] = KNOWN | MODRM,		       /* movslq */
	[0x68] = KNOWN | WIDE | IMM32,	       /* push */
	[0x69] = KNOWN | MODRM | IMM32,	       /* imul */
	[0x6a] = KNOWN | WIDE | IMM8,	       /* push */
	[0x6b] = KNOWN | MODRM | IMM8,	       /* imul */
	[0x70 ... 0x7f] = KNOWN | WIDE | IMM8, /* jcc */
	[0x80] = KNOWN | MODRM | BYTES | IMM8, [0x81] = KNOWN | MODRM | IMM32,
	[0x83] = KNOWN | MODRM | IMM8, [0x84] = KNOWN | MODRM | BYTES, /* test */
	[0x85] = KNOWN | MODRM, [0x86] = KNOWN | MODRM | BYTES,	       /* xchg */
	[0x87] = KNOWN | MODRM, [0x88] = KNOWN | MODRM | BYTES,	       /* mov */
	[0x89] = KNOWN | MODRM, [0x8a] = KNOWN | MODRM | BYTES, [0x8b] = KNOWN | MODRM,
	[0x8d] = KNOWN | MODRM,	       /* lea */
	[0x90 ... 0x99] = KNOWN,       /* nop, pause, xchg, cwde, cdq */
	[0xa8] = KNOWN | BYTES | IMM8, /* test */
	[0xa9] = KNOWN | IMM32, [0xb0 ... 0xb7] = KNOWN | BYTES | IMM8,		  /* mov */
	[0xb8 ... 0xbf] = KNOWN | IMM_ALL, [0xc0] = KNOWN | MODRM | BYTES | IMM8, /* shifts */
	[0xc1] = KNOWN | MODRM | IMM8, [0xc3] = KNOWN | WIDE,			  /* ret */
	[0xc6] = KNOWN | MODRM | BYTES | IMM8,					  /* mov */
	[0xc7] = KNOWN | MODRM | IMM32, [0xc9] = KNOWN | WIDE,			  /* leave */
	[0xd0] = KNOWN | MODRM | BYTES,						  /* shifts */
	[0xd1] = KNOWN | MODRM, [0xd2] = KNOWN | MODRM | BYTES, [0xd3] = KNOWN | MODRM,
	[0xe8] = KNOWN | WIDE | IMM32,				      /* call */
	[0xe9] = KNOWN | WIDE | IMM32,				      /* jmp */
	[0xeb] = KNOWN | WIDE | IMM8, [0xf6] = KNOWN | MODRM | BYTES, /* test, not, neg */
	[0xf7] = KNOWN | MODRM, [0xfe] = KNOWN | MODRM | BYTES,	      /* inc, dec */
	[0xff] = KNOWN | MODRM,					      /* and call, jmp, push */
};

static const uint8_t extended[256] = {
	[0x0d] = KNOWN | MODRM, /* prefetches, and what does nothing */
	[0x18 ... 0x19] = KNOWN | MODRM,
	[0x1e ... 0x1f] = KNOWN | MODRM,
	[0x40 ... 0x4f] = KNOWN | MODRM,	 /* cmov */
	[0x80 ... 0x8f] = KNOWN | WIDE | IMM32,	 /* jcc */
	[0x90 ... 0x9f] = KNOWN | MODRM | BYTES, /* set */
	[0xa3] = KNOWN | MODRM,			 /* bt */
	[0xae] = KNOWN | MODRM,			 /* fences */
	[0xaf] = KNOWN | MODRM,			 /* imul */
	[0xb0] = KNOWN | MODRM | BYTES,		 /* cmpxchg */
	[0xb1] = KNOWN | MODRM,
	[0xb6 ... 0xb7] = KNOWN | MODRM, /* movzx */
	[0xb8] = KNOWN | MODRM,		 /* popcnt */
	[0xba] = KNOWN | MODRM | IMM8,	 /* bt */
	[0xbc ... 0xbd] = KNOWN | MODRM, /* bsf, bsr, tzcnt, lzcnt */
	[0xbe ... 0xbf] = KNOWN | MODRM, /* movsx */
	[0xc0] = KNOWN | MODRM | BYTES,	 /* xadd */
	[0xc1] = KNOWN | MODRM,
	[0xc7] = KNOWN | MODRM, /* cmpxchg16b */
};

/* Bytes not yet taken. */
struct cursor {
	const uint8_t *at, *end;
	bool short_of; /* more were wanted than there are */
};

static uint8_t take(struct cursor *c)
{
	if (c->at == c->end) {
		c->short_of = true;
		return 0;
	}
	return *c->at++;
}

/* Little endian, with its sign. */
static int64_t take_signed(struct cursor *c, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)take(c) << (8 * i);
	return bytes == 8 ? (int64_t)value
			  : (int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

struct prefixes {
	bool narrow; /* operands of 16 bits */
	uint8_t rex;
};

/* Legacy prefixes in any order, REX last. False: one that we do not know. */
static bool take_prefixes(struct cursor *c, struct operation *o, struct prefixes *p)
{
	for (;; c->at++) {
		if (c->at == c->end)
			return false;
		switch (*c->at) {
		case 0x66:
			p->narrow = true;
			break;
		case 0xf0:
			o->lock = true;
			break;
		case 0xf2:
			o->repne = true;
			break;
		case 0xf3:
			o->rep = true;
			break;
		case 0x64:
			o->fs = true;
			break;
		case 0x26: /* segments that mean nothing */
		case 0x2e:
		case 0x36:
		case 0x3e:
			break;
		case 0x65:
		case 0x67:
			return false;
		default:
			if ((*c->at & 0xf0) == 0x40)
				p->rex = *c->at++;
			o->rex = p->rex != 0;
			return true;
		}
	}
}

static void take_sib(struct cursor *c, struct operation *o, uint8_t rex, uint8_t mod)
{
	uint8_t sib = take(c), index = (uint8_t)(((sib >> 3) & 7) | (rex & 2) << 2);

	o->shift = sib >> 6;
	o->index = index == 4 ? OPERATION_NOTHING : index;
	o->base = (uint8_t)((sib & 7) | (rex & 1) << 3);
	if ((sib & 7) == 5 && mod == 0) {
		o->base = OPERATION_NOTHING;
		o->displacement = (int32_t)take_signed(c, 4);
	}
}

static void take_modrm(struct cursor *c, struct operation *o, uint8_t rex)
{
	uint8_t modrm = take(c), mod = modrm >> 6;

	o->reg = (uint8_t)(((modrm >> 3) & 7) | (rex & 4) << 1);
	o->rm = (uint8_t)((modrm & 7) | (rex & 1) << 3);
	o->memory = mod != 3;
	if (!o->memory)
		return;
	o->base = o->rm;
	if ((modrm & 7) == 4) {
		take_sib(c, o, rex, mod);
	} else if ((modrm & 7) == 5 && mod == 0) {
		o->base = OPERATION_RIP;
		o->displacement = (int32_t)take_signed(c, 4);
	}
	if (mod == 1)
		o->displacement = (int32_t)take_signed(c, 1);
	else if (mod == 2)
		o->displacement = (int32_t)take_signed(c, 4);
}

static void take_immediate(struct cursor *c, struct operation *o, uint8_t traits)
{
	/* Of the operations behind 0xf6 and 0xf7 only `test` has one. */
	if (!o->extended && (o->opcode & 0xfe) == 0xf6 && (o->reg & 7) < 2)
		traits |= o->opcode == 0xf6 ? IMM8 : IMM32;
	if (traits & IMM8)
		o->immediate = take_signed(c, 1);
	else if (traits & IMM32)
		o->immediate = take_signed(c, o->size == 2 ? 2 : 4);
	else if (traits & IMM_ALL)
		o->immediate = take_signed(c, o->size);
}

/* Those behind 0xff that go through the stack, or elsewhere. */
static bool is_wide(const struct operation *o, uint8_t traits)
{
	return (traits & WIDE) || (!o->extended && o->opcode == 0xff && (o->reg & 7) >= 2);
}

static bool set_size(struct operation *o, uint8_t traits, const struct prefixes *p)
{
	bool wide = is_wide(o, traits);

	o->size = traits & BYTES ? 1 : wide || (p->rex & 8) ? 8 : p->narrow ? 2 : 4;
	return !(wide && p->narrow);
}

/* A prefetch of a register does nothing on an Intel, and is no instruction on an AMD. */
static bool is_hint_of_register(const struct operation *o)
{
	return o->extended && o->opcode == 0x0d && !o->memory;
}

bool spin_decode(const uint8_t *code, size_t bytes, struct operation *o)
{
	struct cursor c = { code, code + (bytes < OPERATION_BYTES ? bytes : OPERATION_BYTES),
		false };
	struct prefixes p = { false, 0 };
	uint8_t traits;

	*o = (struct operation){ .base = OPERATION_NOTHING, .index = OPERATION_NOTHING };
	if (!take_prefixes(&c, o, &p))
		return false;
	o->opcode = take(&c);
	if (o->opcode == 0x0f) {
		o->extended = true;
		o->opcode = take(&c);
	}
	traits = (o->extended ? extended : plain)[o->opcode];
	if (!traits)
		return false;
	if (traits & MODRM)
		take_modrm(&c, o, p.rex);
	else
		o->rm = (uint8_t)((o->opcode & 7) | (p.rex & 1) << 3);
	if (!set_size(o, traits, &p) || is_hint_of_register(o))
		return false;
	take_immediate(&c, o, traits);
	o->length = (uint8_t)(c.at - code);
	return !c.short_of;
}
