/* Instructions other than `syscall` that the guest answers. */
#include "guest/insn.h"

#include "arena/cpu_model.h"
#include "code/format.h"
#include "guest/dispatch.h"
#include "guest/random.h"
#include "guest/report.h"
#include "guest/tsc.h"

#define FLAG_CF		 0x1ull
#define FLAGS_ARITHMETIC 0x8d5ull /* CF PF AF ZF SF OF */

/* The four bytes before the way back (code/format.h). */
struct insn {
	uint8_t kind, reg, bytes, pad;
};

static void cpuid_real(struct cpuid_answer *a)
{
	__asm__ volatile("cpuid"
			 : "=a"(a->eax), "=b"(a->ebx), "=c"(a->ecx), "=d"(a->edx)
			 : "a"(a->leaf), "c"(a->subleaf));
}

/* Leaves that say on which CPU they were asked. */
static bool cpuid_varies(uint32_t leaf)
{
	return leaf == 0xb || leaf == 0x1f || leaf == 0x8000001e;
}

static struct cpuid plain(const struct cpuid_answer *a)
{
	return (struct cpuid){ a->eax, a->ebx, a->ecx, a->edx };
}

/* The host's own answer, when it is not replaced: the instruction is slow in a virtual machine. */
static struct cpuid hosts_cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_answer *known = process.arena->cpuid;
	struct cpuid_answer answer = { .leaf = leaf, .subleaf = subleaf };

	for (int i = 0; i < CPUID_ANSWERS && !cpuid_varies(leaf); i++) {
		uint32_t state = __atomic_load_n(&known[i].state, __ATOMIC_ACQUIRE);

		if (state == 2 && known[i].leaf == leaf && known[i].subleaf == subleaf)
			return plain(&known[i]);
		if (state == 0) {
			cpuid_real(&answer);
			if (!__atomic_compare_exchange_n(&known[i].state, &state, 1, false,
				    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
				return plain(&answer);
			answer.state = 1;
			known[i] = answer;
			__atomic_store_n(&known[i].state, 2, __ATOMIC_RELEASE);
			return plain(&answer);
		}
	}
	cpuid_real(&answer);
	return plain(&answer);
}

void insn_cpuid(struct regs *r)
{
	uint32_t leaf = (uint32_t)r->rax, subleaf = (uint32_t)r->rcx;
	struct cpuid answer;

	if (cpu_is_hosts())
		answer = hosts_cpuid(leaf, subleaf);
	else
		answer = cpu_model_cpuid(&process.arena->config.machine, leaf, subleaf);
	r->rax = answer.eax;
	r->rbx = answer.ebx;
	r->rcx = answer.ecx;
	r->rdx = answer.edx;
}

/* The model has no second register of this kind; the host's may. */
static void do_xgetbv(struct regs *r)
{
	uint64_t value = cpu_model_xcr0(&process.arena->config.machine);
	uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);

	if (cpu_is_hosts())
		__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"((uint32_t)r->rcx));
	r->rax = low;
	r->rdx = high;
}

/* A general register by its number in the instruction's encoding. */
static uint64_t *register_of(struct regs *r, uint8_t number)
{
	uint64_t *const all[16] = { &r->rax, &r->rcx, &r->rdx, &r->rbx, &r->rsp, &r->rbp, &r->rsi,
		&r->rdi, &r->r8, &r->r9, &r->r10, &r->r11, &r->r12, &r->r13, &r->r14, &r->r15 };

	return all[number & 15];
}

static void store(uint64_t *place, uint64_t value, uint8_t bytes)
{
	if (bytes == 2)
		*place = (*place & ~0xffffull) | (value & 0xffff);
	else
		*place = bytes == 4 ? (uint32_t)value : value;
}

static bool random_real(const struct insn *insn, uint64_t *value)
{
	bool ok;

	if (insn->kind == INSN_RDRAND)
		__asm__ volatile("rdrand %0" : "=r"(*value), "=@ccc"(ok));
	else
		__asm__ volatile("rdseed %0" : "=r"(*value), "=@ccc"(ok));
	return ok;
}

static void do_random(struct thread *self, const struct insn *insn)
{
	struct regs *r = &self->regs;
	uint64_t value = 0;
	bool ok = true;

	if (random_native())
		ok = random_real(insn, &value);
	else
		random_fill(self, &value, insn->bytes);
	store(register_of(r, insn->reg), value, insn->bytes);
	r->rflags = (r->rflags & ~FLAGS_ARITHMETIC) | (ok ? FLAG_CF : 0);
}

/* The number of the CPU. rdpid reads the register that rdtscp reads, and not every CPU has it. */
static void do_rdpid(struct regs *r, const struct insn *insn)
{
	uint32_t low, high, aux = 0;

	if (process.relax & RELAX_CPU)
		__asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(aux));
	*register_of(r, insn->reg) = aux;
}

void emulate_fast(struct thread *self);
void emulate_fast(struct thread *self)
{
	struct regs *r = &self->regs;
	const struct insn *insn = (const struct insn *)(r->rip - 4);

	switch (insn->kind) {
	case INSN_CPUID:
		insn_cpuid(r);
		break;
	case INSN_RDTSC:
		tsc_read(self, r, false);
		break;
	case INSN_RDTSCP:
		tsc_read(self, r, true);
		break;
	case INSN_RDRAND:
	case INSN_RDSEED:
		do_random(self, insn);
		break;
	case INSN_RDPID:
		do_rdpid(r, insn);
		break;
	case INSN_XBEGIN: /* aborts at once, for no reason that a retry could help */
		r->rax = 0;
		break;
	case INSN_XGETBV:
		do_xgetbv(r);
		break;
	}
	if (process.reporting)
		report_insn(self, insn->kind, r->rax, false);
}
