/*
 * The code cache's file format, and the contract between rewritten code and the guest.
 *
 * A cached file holds a rewritten copy of the executable segment of one ELF file, the stubs to
 * which its patched sites jump, and a table of the sites. Everything is position-independent: the
 * stubs are mapped at a fixed distance (stub_delta) from the segment. Guest and host both read this
 * header; it uses fixed-width types only.
 *
 * How rewritten code enters the guest (offsets are from the GS base, see GS_*):
 *
 *   a system call       copied instructions before it
 *                       lea   BACK(%rip), %rcx
 *                       jmp   *%gs:GS_ENTER_SYSCALL
 *     BACK - 2 is always a `syscall` instruction: the untouched original one when an instruction of
 *     at least 5 bytes before it was replaced, else one inside the stub. The guest leaves to BACK.
 *     rcx and r11 are lost, as with the real instruction; every other register, the flags, the
 *     stack and its red zone are untouched.
 *
 *   another instruction mov   %rcx, %gs:GS_INSN_RCX
 *                       lea   BACK(%rip), %rcx
 *                       jmp   *%gs:GS_ENTER_INSN
 *                       .byte KIND, REGISTER, OPERAND_BYTES, 0     (the 4 bytes before BACK)
 *     BACK:             copied instructions after it, jmp back
 *     The guest emulates it, with rcx as saved, and leaves to BACK with exactly the registers and
 *     flags that the instruction would have changed. xbegin always aborts: rax is set to 0 and
 *     the guest leaves to BACK, where the stub jumps to the fallback address.
 *
 *   an approximation    movaps  DESTINATION, %gs:GS_EXACT_KEPT    (vmovaps, 32 bytes: VEX forms)
 *                       stmxcsr %gs:GS_EXACT_MXCSR_KEPT
 *                       ldmxcsr %gs:GS_EXACT_MXCSR
 *                       ...                                       (from CODE_EXACT_BEGUN on)
 *                       ldmxcsr %gs:GS_EXACT_MXCSR_KEPT
 *     BACK:             copied instructions after it, jmp back
 *     It never enters the guest. Whoever is interrupted before BACK, be it by a fault of the
 *     operand, is put back to before the instruction: by then nothing but the destination and
 *     MXCSR has changed, and both are kept. The guest fills GS_EXACT_ONES with ones, 4-byte
 *     floating-point numbers, GS_EXACT_INTEGER with the integer 1, and GS_EXACT_MXCSR with
 *     EXACT_MXCSR. Several approximations can share one stub, and one window: each has a site of
 *     its own, whose stub begins where its sequence does, but for the first one's.
 */
#ifndef STET_CODE_FORMAT_H
#define STET_CODE_FORMAT_H

#include <stdint.h>

#define GS_ENTER_SYSCALL    0x00
#define GS_ENTER_INSN	    0x08
#define GS_INSN_RCX	    0x10

#define GS_EXACT_KEPT	    0x120 /* 32 bytes each, and aligned */
#define GS_EXACT_OPERAND    0x140
#define GS_EXACT_ONES	    0x160
#define GS_EXACT_MXCSR	    0x180 /* 4 bytes each */
#define GS_EXACT_MXCSR_KEPT 0x184
#define GS_EXACT_INTEGER    0x188

/* Rounds to nearest, masks all exceptions, takes denormal numbers for zeros and makes none. */
#define EXACT_MXCSR 0x9fc0u

enum insn_kind {
	INSN_SYSCALL = 0,
	INSN_RDTSC,
	INSN_RDTSCP,
	INSN_CPUID,
	INSN_RDRAND,
	INSN_RDSEED,
	INSN_RDPID,
	INSN_XBEGIN,
	INSN_XGETBV,
	INSN_APPROXIMATION, /* rcpps, rcpss, rsqrtps, rsqrtss, and their VEX forms */
	INSN_KINDS,
};

/* One pair of equivalent places: at an instruction boundary of the stub the machine's state is that
 * of the original program at the original address. */
struct code_place {
	uint8_t stub;	 /* offset from the site's stub */
	int8_t original; /* offset from the site's instruction */
};
#define CODE_PLACES 14

struct code_site {
	uint32_t site;	/* the instruction, relative to the start of the copied segment */
	uint32_t patch; /* first patched byte, likewise */
	uint32_t stub;	/* its stub, relative to the start of the stubs */
	uint8_t patch_length;
	uint8_t stub_length;
	uint8_t kind;	/* enum insn_kind */
	uint8_t intact; /* the site's own bytes are: only instructions before it are patched */
	uint8_t enter;	/* offset in the stub of the sequence that enters the guest */
	uint8_t back;	/* offset in the stub of BACK, 0 when BACK is in the original code */
	uint8_t places; /* how many of place[] are used */
	uint8_t kept;	/* of an approximation: number of its destination, CODE_KEPT_WIDE */
	struct code_place
		place[CODE_PLACES]; /* ascending by stub: copied instructions and the jump back */
};

#define CODE_KEPT_WIDE 0x10 /* 32 bytes of it were kept, not 16 */

/* Offset from `enter`: from here on, until BACK, what was kept counts. */
#define CODE_EXACT_BEGUN 28u

#define CODE_MAGIC	 "STETCODE"
#define CODE_FORMAT	 3u

struct code_header {
	char magic[8];
	uint32_t format; /* CODE_FORMAT */
	uint32_t sites;
	uint8_t source_digest[32]; /* SHA-256 of the source file */
	uint64_t source_size;
	uint64_t file_size; /* of the cached file: a shorter one is truncated */
	uint64_t checksum;  /* XXH3-64 of all that follows the header's page */
	uint64_t source_offset, length, copy_offset;
	uint64_t stub_offset, stub_length;
	int64_t stub_delta;
	uint64_t table_offset, table_length; /* sites * struct code_site, ascending by stub */
};

#endif
