#include "diff/class_code.h"

typedef unsigned long long number;

/*
 * By opcode: what follows, and the name. "." nothing; a digit: so many bytes; "k" and "K": a constant
 * by a number of one byte and of two; "X" and "Y": one of two bytes, and two bytes or one; "t" and
 * "l": tables of jumps; "w": the next instruction has longer numbers.
 */
static const char *const instructions[] = { ".nop", ".aconst_null", ".iconst_m1", ".iconst_0",
	".iconst_1", ".iconst_2", ".iconst_3", ".iconst_4", ".iconst_5", ".lconst_0", ".lconst_1",
	".fconst_0", ".fconst_1", ".fconst_2", ".dconst_0", ".dconst_1", "1bipush", "2sipush",
	"kldc", "Kldc_w", "Kldc2_w", "1iload", "1lload", "1fload", "1dload", "1aload", ".iload_0",
	".iload_1", ".iload_2", ".iload_3", ".lload_0", ".lload_1", ".lload_2", ".lload_3",
	".fload_0", ".fload_1", ".fload_2", ".fload_3", ".dload_0", ".dload_1", ".dload_2",
	".dload_3", ".aload_0", ".aload_1", ".aload_2", ".aload_3", ".iaload", ".laload", ".faload",
	".daload", ".aaload", ".baload", ".caload", ".saload", "1istore", "1lstore", "1fstore",
	"1dstore", "1astore", ".istore_0", ".istore_1", ".istore_2", ".istore_3", ".lstore_0",
	".lstore_1", ".lstore_2", ".lstore_3", ".fstore_0", ".fstore_1", ".fstore_2", ".fstore_3",
	".dstore_0", ".dstore_1", ".dstore_2", ".dstore_3", ".astore_0", ".astore_1", ".astore_2",
	".astore_3", ".iastore", ".lastore", ".fastore", ".dastore", ".aastore", ".bastore",
	".castore", ".sastore", ".pop", ".pop2", ".dup", ".dup_x1", ".dup_x2", ".dup2", ".dup2_x1",
	".dup2_x2", ".swap", ".iadd", ".ladd", ".fadd", ".dadd", ".isub", ".lsub", ".fsub", ".dsub",
	".imul", ".lmul", ".fmul", ".dmul", ".idiv", ".ldiv", ".fdiv", ".ddiv", ".irem", ".lrem",
	".frem", ".drem", ".ineg", ".lneg", ".fneg", ".dneg", ".ishl", ".lshl", ".ishr", ".lshr",
	".iushr", ".lushr", ".iand", ".land", ".ior", ".lor", ".ixor", ".lxor", "2iinc", ".i2l",
	".i2f", ".i2d", ".l2i", ".l2f", ".l2d", ".f2i", ".f2l", ".f2d", ".d2i", ".d2l", ".d2f",
	".i2b", ".i2c", ".i2s", ".lcmp", ".fcmpl", ".fcmpg", ".dcmpl", ".dcmpg", "2ifeq", "2ifne",
	"2iflt", "2ifge", "2ifgt", "2ifle", "2if_icmpeq", "2if_icmpne", "2if_icmplt", "2if_icmpge",
	"2if_icmpgt", "2if_icmple", "2if_acmpeq", "2if_acmpne", "2goto", "2jsr", "1ret",
	"ttableswitch", "llookupswitch", ".ireturn", ".lreturn", ".freturn", ".dreturn", ".areturn",
	".return", "Kgetstatic", "Kputstatic", "Kgetfield", "Kputfield", "Kinvokevirtual",
	"Kinvokespecial", "Kinvokestatic", "Xinvokeinterface", "Xinvokedynamic", "Knew",
	"1newarray", "Kanewarray", ".arraylength", ".athrow", "Kcheckcast", "Kinstanceof",
	".monitorenter", ".monitorexit", "wwide", "Ymultianewarray", "2ifnull", "2ifnonnull",
	"4goto_w", "4jsr_w" };
#define INSTRUCTIONS (sizeof(instructions) / sizeof(instructions[0]))
#define IINC	     0x84

static void put_number(FILE *out, struct class_cursor *code, unsigned bytes)
{
	fprintf(out, " %0*llx", (int)(2 * bytes), (number)class_take(code, bytes));
}

static void put_constant(
	const struct class_pool *pool, FILE *out, struct class_cursor *code, unsigned bytes)
{
	fputc(' ', out);
	class_pool_put(pool, out, class_take(code, bytes));
}

/* Tables begin at a multiple of four from the start of the code. */
static void put_table(FILE *out, struct class_cursor *code, uint64_t start, bool lookup)
{
	uint64_t low = 0, count, lines;

	while ((code->at - start) % 4 && !code->bad)
		class_take(code, 1);
	put_number(out, code, 4);
	if (!lookup)
		low = class_take(code, 4);
	count = class_take(code, 4);
	lines = lookup ? count : (uint32_t)(count - low + 1);
	if (!lookup)
		fprintf(out, " from %llx", (number)low);
	for (uint64_t i = 0; i < lines && !code->bad; i++) {
		fputs("\n\t", out);
		if (lookup)
			put_number(out, code, 4);
		put_number(out, code, 4);
	}
}

static void put_wide(FILE *out, struct class_cursor *code)
{
	uint64_t opcode = class_take(code, 1);

	fprintf(out, " %02llx", (number)opcode);
	put_number(out, code, 2);
	if (opcode == IINC)
		put_number(out, code, 2);
}

static void put_instruction(
	const struct class_pool *pool, FILE *out, struct class_cursor *code, uint64_t start)
{
	uint64_t opcode = class_take(code, 1);
	const char *instruction;

	if (opcode >= INSTRUCTIONS) {
		code->bad = true;
		return;
	}
	instruction = instructions[opcode];
	fprintf(out, "%4llu %s", (number)(code->at - 1 - start), instruction + 1);
	if (instruction[0] >= '1' && instruction[0] <= '4')
		put_number(out, code, (unsigned)(instruction[0] - '0'));
	else if (instruction[0] == 'k')
		put_constant(pool, out, code, 1);
	else if (instruction[0] == 't' || instruction[0] == 'l')
		put_table(out, code, start, instruction[0] == 'l');
	else if (instruction[0] == 'w')
		put_wide(out, code);
	else if (instruction[0] != '.')
		put_constant(pool, out, code, 2);
	if (instruction[0] == 'X' || instruction[0] == 'Y')
		put_number(out, code, instruction[0] == 'X' ? 2 : 1);
	fputc('\n', out);
}

void class_code_put(const struct class_pool *pool, FILE *out, struct class_cursor *code)
{
	uint64_t start = code->at;

	while (code->at < code->end && !code->bad)
		put_instruction(pool, out, code, start);
}
