/*
 * The program is a search tree over the call's number, whose leaves are verdicts:
 *
 *   load arch, compare             another architecture: trap
 *   load number, binary search     6 to 7 comparisons, whichever call it is
 *   verdict                        load and compare the instruction pointer, answer
 *
 * Harmless calls have a verdict that needs no instruction pointer: the kernel sees that their
 * answer depends on the number alone and caches it, which makes them nearly free.
 */
#include "box/filter.h"

#include <asm/ioctls.h>
#include <asm/unistd.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "arena/calls.h"

#define X32_BIT 0x40000000u /* __X32_SYSCALL_BIT, as an unsigned number */

/* clone's lowest byte is the signal at exit, so CLONE_NEWTIME can be given to unshare only. */
#define CLONE_NAMESPACES                                                                           \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |             \
		CLONE_NEWPID | CLONE_NEWNET)
#define UNSHARE_NAMESPACES (CLONE_NAMESPACES | CLONE_NEWTIME)

/* What is answered to a call, given its number. */
enum verdict {
	VERDICT_FREE, /* allowed from everywhere */
	VERDICT_TRAP, /* traps from everywhere */
	VERDICT_PASS, /* this one and the following trap outside of the stubs */
	VERDICT_ENOSYS,
	VERDICT_EPERM,
	VERDICT_CLONE, /* this one and the following look at an argument */
	VERDICT_UNSHARE,
	VERDICT_IOCTL,
	VERDICT_SOCKET,
	VERDICTS,
};

/* Numbers from `first` up to the next range's first get one verdict. */
struct range {
	uint32_t first;
	enum verdict verdict;
};

struct emitter {
	struct filter_insn *out;
	size_t max, length;
	bool overflow;
	size_t verdict_at[VERDICTS]; /* where a verdict's code starts */
};

static void emit(struct emitter *e, uint16_t code, uint32_t k, size_t jt, size_t jf)
{
	if (e->length >= e->max || jt > UINT8_MAX || jf > UINT8_MAX) {
		e->overflow = true;
		return;
	}
	e->out[e->length++] =
		(struct filter_insn){ .code = code, .jt = (uint8_t)jt, .jf = (uint8_t)jf, .k = k };
}

static void emit_load(struct emitter *e, size_t offset)
{
	emit(e, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void emit_jump(struct emitter *e, uint16_t comparison, uint32_t k, size_t jt, size_t jf)
{
	emit(e, BPF_JMP | comparison | BPF_K, k, jt, jf);
}

static void emit_return(struct emitter *e, uint32_t action)
{
	emit(e, BPF_RET | BPF_K, action, 0, 0);
}

/* Traps unless the call comes from the stubs. */
static void emit_stubs_only(struct emitter *e)
{
	_Static_assert(GUEST_STUB_START >> 32 == (GUEST_STUB_END - 1) >> 32, "one upper half");

	emit_load(e, offsetof(struct seccomp_data, instruction_pointer) + 4);
	emit_jump(e, BPF_JEQ, GUEST_STUB_START >> 32, 0, 3);
	emit_load(e, offsetof(struct seccomp_data, instruction_pointer));
	emit_jump(e, BPF_JGE, (uint32_t)GUEST_STUB_START, 0, 1);
	emit_jump(e, BPF_JGE, (uint32_t)GUEST_STUB_END, 0, 1);
	emit_return(e, SECCOMP_RET_TRAP);
}

/* The kernel takes no more than the lower half of these arguments. */
static void emit_load_argument(struct emitter *e, size_t index)
{
	emit_load(e, offsetof(struct seccomp_data, args) + index * sizeof(uint64_t));
}

static void emit_refuse_flags(struct emitter *e, size_t argument, uint32_t flags)
{
	emit_load_argument(e, argument);
	emit_jump(e, BPF_JSET, flags, 0, 1);
	emit_return(e, SECCOMP_RET_ERRNO | EPERM);
	emit_return(e, SECCOMP_RET_ALLOW);
}

static void emit_refuse_values(
	struct emitter *e, size_t argument, const uint32_t values[2], uint32_t error)
{
	emit_load_argument(e, argument);
	emit_jump(e, BPF_JEQ, values[0], 1, 0);
	emit_jump(e, BPF_JEQ, values[1], 0, 1);
	emit_return(e, SECCOMP_RET_ERRNO | error);
	emit_return(e, SECCOMP_RET_ALLOW);
}

static void emit_verdict(struct emitter *e, enum verdict verdict)
{
	/* Typing on the terminal that stet was started from; sockets that leave the container. */
	static const uint32_t typing[2] = { TIOCSTI, TIOCLINUX };
	static const uint32_t families[2] = { AF_VSOCK, AF_ALG };

	e->verdict_at[verdict] = e->length;
	if (verdict >= VERDICT_PASS)
		emit_stubs_only(e);
	switch (verdict) {
	case VERDICT_TRAP:
		emit_return(e, SECCOMP_RET_TRAP);
		break;
	case VERDICT_ENOSYS:
		emit_return(e, SECCOMP_RET_ERRNO | ENOSYS);
		break;
	case VERDICT_EPERM:
		emit_return(e, SECCOMP_RET_ERRNO | EPERM);
		break;
	case VERDICT_CLONE:
		emit_refuse_flags(e, 0, CLONE_NAMESPACES);
		break;
	case VERDICT_UNSHARE:
		emit_refuse_flags(e, 0, UNSHARE_NAMESPACES);
		break;
	case VERDICT_IOCTL:
		emit_refuse_values(e, 1, typing, EPERM);
		break;
	case VERDICT_SOCKET:
		emit_refuse_values(e, 0, families, EAFNOSUPPORT);
		break;
	default:
		emit_return(e, SECCOMP_RET_ALLOW);
	}
}

/*
 * The search tree of `count` ranges is `count - 1` comparisons in preorder: a comparison is
 * followed by the tree of the lower half, then by that of the upper half. A tree of one range is
 * its verdict's code and takes no place of its own. Gives where the tree at `at` starts.
 */
static size_t tree_at(const struct emitter *e, const struct range *ranges, size_t count, size_t at)
{
	return count == 1 ? e->verdict_at[ranges[0].verdict] : at;
}

static void emit_tree(struct emitter *e, const struct range *ranges, size_t count)
{
	size_t lower = count / 2, upper = count - lower, next = e->length + 1;

	if (count == 1)
		return;
	emit_jump(e, BPF_JGE, ranges[lower].first,
		tree_at(e, ranges + lower, upper, next + lower - 1) - next,
		tree_at(e, ranges, lower, next) - next);
	emit_tree(e, ranges, lower);
	emit_tree(e, ranges + lower, upper);
}

static bool is_identity(unsigned number)
{
	return number == __NR_getpid || number == __NR_getppid || number == __NR_gettid ||
	       number == __NR_getuid || number == __NR_geteuid || number == __NR_getgid ||
	       number == __NR_getegid;
}

static bool is_free(unsigned number, uint32_t relax, uint32_t report)
{
	if (number == __NR_read)
		return relax == RELAX_ALL && !report;
	return (relax & RELAX_PID) && is_identity(number);
}

static enum verdict verdict_of(unsigned number, uint32_t relax, uint32_t report)
{
	const struct call_info *call = call_info(number);

	if (!call || number == __NR_clone3) /* the guest makes clone3 from clone */
		return VERDICT_ENOSYS;
	if (call->class == CALL_REFUSED)
		return call->refusal == EPERM ? VERDICT_EPERM : VERDICT_ENOSYS;
	switch (number) {
	case __NR_clone:
		return VERDICT_CLONE;
	case __NR_unshare:
		return VERDICT_UNSHARE;
	case __NR_ioctl:
		return VERDICT_IOCTL;
	case __NR_socket:
		return VERDICT_SOCKET;
	default:
		return is_free(number, relax, report) ? VERDICT_FREE : VERDICT_PASS;
	}
}

/* At most one range per number and one for x32. */
static size_t ranges_make(uint32_t relax, uint32_t report, struct range *ranges)
{
	size_t count = 0;

	for (unsigned number = 0; number < SYSCALL_LIMIT; number++) {
		enum verdict verdict = verdict_of(number, relax, report);

		if (count == 0 || ranges[count - 1].verdict != verdict)
			ranges[count++] = (struct range){ number, verdict };
	}
	if (ranges[count - 1].verdict != VERDICT_ENOSYS)
		ranges[count++] = (struct range){ SYSCALL_LIMIT, VERDICT_ENOSYS };
	ranges[count++] = (struct range){ X32_BIT, VERDICT_TRAP };
	return count;
}

int filter_make(
	uint32_t relax, uint32_t report, struct filter_insn *out, size_t max, struct error *err)
{
	struct range ranges[SYSCALL_LIMIT + 2] = { 0 };
	struct emitter e = { .out = out, .max = max };
	size_t count = ranges_make(relax, report, ranges), tree, end;

	emit_load(&e, offsetof(struct seccomp_data, arch));
	emit_jump(&e, BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0);
	emit_return(&e, SECCOMP_RET_TRAP);
	emit_load(&e, offsetof(struct seccomp_data, nr));
	/* Jumps lead forward only, so the verdicts lie behind the tree; but the tree needs to know
	 * where. */
	tree = e.length;
	e.length += count - 1;
	for (enum verdict verdict = 0; verdict < VERDICTS; verdict++)
		emit_verdict(&e, verdict);
	end = e.length;
	e.length = tree;
	emit_tree(&e, ranges, count);
	if (e.overflow)
		return error_set(
			err, 0, "the system call filter does not fit into %zu instructions", max);
	return (int)end;
}
