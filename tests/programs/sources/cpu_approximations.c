/*
 * rcpps, rcpss, rsqrtps and rsqrtss give what divisions and square roots give, with operands of all
 * kinds; a fault of their operand is told as theirs.
 * Does not differ natively between two runs on one machine: the approximations of one make of
 * processor are the same each time. They are others than those of another make, and than what is
 * checked here: natively this program fails.
 */
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "approximations.h"

/* Runs `code`, which changes `destination`; the source is in xmm1 and xmm12, too. */
#define FORM(function, destination, code)                                                          \
	static void function(struct trial *trial)                                                  \
	{                                                                                          \
		__asm__ volatile(                                                                  \
			RUN_BEGIN "movaps " SOURCE ", %%xmm1\n movaps %%xmm1, %%xmm12\n"           \
				  "movaps %%xmm1, " RED_ZONE "\n movaps " BEFORE ", " destination  \
				  "\n" RUN_FLAGS code "\n" RUN_END "movaps " destination           \
				  ", " AFTER                                                       \
			: "+D"(trial)                                                              \
			:                                                                          \
			: "rbx", "rcx", "xmm0", "xmm1", "xmm2", "xmm9", "xmm12", "cc", "memory");  \
	}

/* Three at once: they are too short for a jump each. */
#define THREE(insn, a, b, c) insn " " a "\n" insn " " b "\n" insn " " c

#define FORMS(insn)                                                                                \
	FORM(insn##_register, "%%xmm0", #insn " %%xmm1, %%xmm0")                                   \
	FORM(insn##_high, "%%xmm9", #insn " %%xmm12, %%xmm9")                                      \
	FORM(insn##_same, "%%xmm0", "movaps %%xmm1, %%xmm0\n" #insn " %%xmm0, %%xmm0")             \
	FORM(insn##_memory, "%%xmm0", #insn " " SOURCE ", %%xmm0")                                 \
	FORM(insn##_indexed, "%%xmm9", #insn " (%%rdi, %%rcx, 4), %%xmm9")                         \
	FORM(insn##_stack, "%%xmm0", #insn " " RED_ZONE ", %%xmm0")                                \
	FORM(insn##_named, "%%xmm0", #insn " named_source(%%rip), %%xmm0")                         \
	FORM(insn##_first, "%%xmm0",                                                               \
		THREE(#insn, "%%xmm1, %%xmm0", "%%xmm1, %%xmm2", "%%xmm1, %%xmm9"))                \
	FORM(insn##_middle, "%%xmm0",                                                              \
		THREE(#insn, "%%xmm1, %%xmm2", "%%xmm1, %%xmm0", "%%xmm1, %%xmm9"))                \
	FORM(insn##_last, "%%xmm0",                                                                \
		THREE(#insn, "%%xmm1, %%xmm2", "%%xmm2, %%xmm9", "%%xmm1, %%xmm0"))

FORMS(rcpps)
FORMS(rcpss)
FORMS(rsqrtps)
FORMS(rsqrtss)

#define ROWS(insn, root, lanes)                                                                    \
	{ #insn " register", insn##_register, root, lanes, KEPT, KEPT },                           \
		{ #insn " high", insn##_high, root, lanes, KEPT, KEPT },                           \
		{ #insn " same", insn##_same, root, lanes, OF_SOURCE, KEPT },                      \
		{ #insn " memory", insn##_memory, root, lanes, KEPT, KEPT },                       \
		{ #insn " indexed", insn##_indexed, root, lanes, KEPT, KEPT },                     \
		{ #insn " stack", insn##_stack, root, lanes, KEPT, KEPT },                         \
		{ #insn " named", insn##_named, root, lanes, KEPT, KEPT },                         \
		{ #insn " first", insn##_first, root, lanes, KEPT, KEPT },                         \
		{ #insn " middle", insn##_middle, root, lanes, KEPT, KEPT },                       \
		{ #insn " last", insn##_last, root, lanes, KEPT, KEPT },

static const struct form forms[] = { ROWS(rcpps, 0, 4) ROWS(rcpss, 0, 1) ROWS(rsqrtps, 1, 4)
		ROWS(rsqrtss, 1, 1) };

/* Faults: xmm3 is the destination, rsi the operand. */
#define CONTROL 0x5f80u /* rounds up */
extern const char rcp_fault[], rcp_behind[], rsqrt_fault[], rsqrt_behind[];
static const char *site, *behind;
static uint64_t mended; /* what rsi becomes; 0: goes on behind the instruction */
static volatile int faults;
static const uint32_t before[4] = { 0x11111111, 0x22222222, 0x33333333, 0x44444444 };

static void mend(int number, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	(void)number;
	(void)info;
	faults++;
	if (uc->uc_mcontext.gregs[REG_RIP] != (greg_t)site ||
		uc->uc_mcontext.fpregs->mxcsr != CONTROL ||
		memcmp(&uc->uc_mcontext.fpregs->_xmm[3], before, sizeof(before)) != 0) {
		static const char text[] = "FAILED: the handler sees another state\n";
		must(write(1, text, sizeof(text) - 1) > 0);
		_exit(1);
	}
	if (mended)
		uc->uc_mcontext.gregs[REG_RSI] = (greg_t)mended;
	else
		uc->uc_mcontext.gregs[REG_RIP] = (greg_t)behind;
}

#define FAULTING(function, name, insn)                                                             \
	__attribute__((noinline, noclone)) static void function(                                   \
		const void *operand, uint32_t result[4])                                           \
	{                                                                                          \
		uint32_t control = CONTROL, plain = 0x1f80;                                        \
		__asm__ volatile("movups (%1), %%xmm3\n ldmxcsr %3\n xorl %%eax, %%eax\n"          \
				 ".globl " name "_fault, " name "_behind\n"                        \
				 ".hidden " name "_fault, " name "_behind\n" name "_fault: " insn  \
				 " (%0), %%xmm3\n" name                                            \
				 "_behind: nop\n ldmxcsr %4\n movups %%xmm3, (%2)\n"               \
				 : "+S"(operand)                                                   \
				 : "r"(before), "r"(result), "m"(control), "m"(plain)              \
				 : "rax", "xmm3", "cc", "memory");                                 \
	}
FAULTING(faulting_rcpps, "rcp", "rcpps")
FAULTING(faulting_rsqrtss, "rsqrt", "rsqrtss")

static void try_fault(const char *what, void (*run)(const void *, uint32_t *), const void *operand,
	const uint32_t *good)
{
	uint32_t result[4];
	faults = 0;
	mended = (uint64_t)good;
	run(operand, result);
	printf("%s: %d faults, %08x %08x %08x %08x\n", what, faults, result[0], result[1],
		result[2], result[3]);
}

static void try_faults(void)
{
	static const uint32_t good[5] __attribute__((aligned(16))) = { 0x40400000, 0x40a00000,
		0x40e00000, 0x41100000, 0x41300000 };
	const struct sigaction action = { .sa_sigaction = mend, .sa_flags = SA_SIGINFO };
	void *hidden = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(hidden != MAP_FAILED && sigaction(SIGSEGV, &action, NULL) == 0);
	site = rcp_fault;
	behind = rcp_behind;
	try_fault("rcpps of hidden memory", faulting_rcpps, hidden, good);
	try_fault("rcpps of hidden memory, left out", faulting_rcpps, hidden, NULL);
	try_fault("rcpps of memory out of line", faulting_rcpps, good + 1, good);
	site = rsqrt_fault;
	behind = rsqrt_behind;
	try_fault("rsqrtss of hidden memory", faulting_rsqrtss, hidden, good);
	try_fault("rsqrtss of hidden memory, left out", faulting_rsqrtss, hidden, NULL);
	try_fault("rsqrtss of memory out of line", faulting_rsqrtss, good + 1, NULL);
}

int main(void)
{
	static uint32_t values[VALUES];

	fill(values);
	for (unsigned i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		try_form(&forms[i], values, 4);
	try_faults();
	return verdict();
}
