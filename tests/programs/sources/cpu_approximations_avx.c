/*
 * As cpu_approximations: vrcpps, vrcpss, vrsqrtps and vrsqrtss, on a processor that has them.
 * options: --cpu host
 * Does not differ natively between two runs on one machine, but natively it fails.
 */
#include "approximations.h"

#define FORM(function, destination, code)                                                          \
	static void function(struct trial *trial)                                                  \
	{                                                                                          \
		__asm__ volatile(RUN_BEGIN                                                         \
				 "vmovaps " SOURCE ", %%ymm1\n vmovaps %%ymm1, %%ymm12\n"          \
				 "vmovaps " SECOND ", %%ymm4\n vmovaps %%ymm1, " RED_ZONE "\n"     \
				 "vmovaps " BEFORE ", " destination "\n" RUN_FLAGS code            \
				 "\n" RUN_END "vmovaps " destination ", " AFTER "\n vzeroupper"    \
				 : "+D"(trial)                                                     \
				 :                                                                 \
				 : "rbx", "rcx", "xmm0", "xmm1", "xmm2", "xmm4", "xmm9", "xmm12",  \
				 "cc", "memory");                                                  \
	}

/* `second` is empty, or the second source and a comma; `r` the register's first letter. */
#define FORMS(name, insn, second, r)                                                               \
	FORM(name##_register, "%%ymm0", insn " %%" r "mm1, " second "%%" r "mm0")                  \
	FORM(name##_high, "%%ymm9", insn " %%" r "mm12, " second "%%" r "mm9")                     \
	FORM(name##_same, "%%ymm0",                                                                \
		"vmovaps %%ymm1, %%ymm0\n" insn " %%" r "mm0, " second "%%" r "mm0")               \
	FORM(name##_memory, "%%ymm0", insn " " SOURCE ", " second "%%" r "mm0")                    \
	FORM(name##_indexed, "%%ymm9", insn " (%%rdi, %%rcx, 4), " second "%%" r "mm9")            \
	FORM(name##_stack, "%%ymm0", insn " " RED_ZONE ", " second "%%" r "mm0")                   \
	FORM(name##_named, "%%ymm0", insn " named_source(%%rip), " second "%%" r "mm0")            \
	FORM(name##_two, "%%ymm0",                                                                 \
		insn " %%" r "mm1, " second "%%" r "mm2\n" insn " %%" r "mm1, " second "%%" r      \
		     "mm0")

#define SCALAR_FORMS(name, insn)                                                                   \
	FORMS(name, insn, "%%xmm4, ", "x")                                                         \
	FORM(name##_over_second, "%%ymm4",                                                         \
		"vmovaps " SECOND ", %%ymm4\n" insn " %%xmm1, %%xmm4, %%xmm4")                     \
	FORM(name##_over_both, "%%ymm1",                                                           \
		"vmovaps " SOURCE ", %%ymm1\n" insn " %%xmm1, %%xmm1, %%xmm1")

FORMS(vrcpps, "vrcpps", "", "x")
FORMS(vrcpps_wide, "vrcpps", "", "y")
FORMS(vrsqrtps, "vrsqrtps", "", "x")
FORMS(vrsqrtps_wide, "vrsqrtps", "", "y")
SCALAR_FORMS(vrcpss, "vrcpss")
SCALAR_FORMS(vrsqrtss, "vrsqrtss")

#define ROWS(insn, root, lanes, upper)                                                             \
	{ #insn " register", insn##_register, root, lanes, upper, ZERO },                          \
		{ #insn " high", insn##_high, root, lanes, upper, ZERO },                          \
		{ #insn " same", insn##_same, root, lanes, upper, ZERO },                          \
		{ #insn " memory", insn##_memory, root, lanes, upper, ZERO },                      \
		{ #insn " indexed", insn##_indexed, root, lanes, upper, ZERO },                    \
		{ #insn " stack", insn##_stack, root, lanes, upper, ZERO },                        \
		{ #insn " named", insn##_named, root, lanes, upper, ZERO },                        \
		{ #insn " two", insn##_two, root, lanes, upper, ZERO },
#define SCALAR_ROWS(insn, root)                                                                    \
	ROWS(insn, root, 1, OF_SECOND){ #insn " over second", insn##_over_second, root, 1,         \
		OF_SECOND, ZERO },                                                                 \
		{ #insn " over both", insn##_over_both, root, 1, OF_SOURCE, ZERO },

static const struct form forms[] = { ROWS(vrcpps, 0, 4, ZERO) ROWS(vrcpps_wide, 0, 8, ZERO)
		ROWS(vrsqrtps, 1, 4, ZERO) ROWS(vrsqrtps_wide, 1, 8, ZERO) SCALAR_ROWS(vrcpss, 0)
			SCALAR_ROWS(vrsqrtss, 1) };

int main(void)
{
	static uint32_t values[VALUES];

	if (!__builtin_cpu_supports("avx")) {
		printf("no AVX here\n");
		return 0;
	}
	fill(values);
	for (unsigned i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		try_form(&forms[i], values, 8);
	return verdict();
}
