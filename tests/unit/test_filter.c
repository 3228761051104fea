/* The system call filter: interpreted for every number, and once installed for real. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "arena/calls.h"
#include "box/filter.h"

#define INSIDE	      (GUEST_STUB_START + 0x123)
#define OUTSIDE	      0x7f0012345678ull
#define EPERM_ANSWER  (SECCOMP_RET_ERRNO | EPERM)
#define ENOSYS_ANSWER (SECCOMP_RET_ERRNO | ENOSYS)

struct program {
	struct filter_insn insns[FILTER_INSNS];
	int length;
	int steps;	     /* of the last run */
	bool pointer_loaded; /* in the last run */
};

static struct program program_make(uint32_t relax)
{
	struct program p = { 0 };
	struct error err;

	p.length = filter_make(relax, REPORT_STATS, p.insns, FILTER_INSNS, &err);
	assert_true(p.length > 0);
	return p;
}

static uint32_t load(struct program *p, const struct seccomp_data *data, uint32_t offset)
{
	uint32_t word;

	assert_true(offset % 4 == 0 && offset < sizeof(*data));
	if (offset >= offsetof(struct seccomp_data, instruction_pointer))
		p->pointer_loaded = true;
	memcpy(&word, (const char *)data + offset, sizeof(word));
	return word;
}

static bool compare(uint16_t code, uint32_t accumulator, uint32_t k)
{
	switch (BPF_OP(code)) {
	case BPF_JEQ:
		return accumulator == k;
	case BPF_JGE:
		return accumulator >= k;
	case BPF_JGT:
		return accumulator > k;
	case BPF_JSET:
		return accumulator & k;
	default:
		fail_msg("unexpected comparison %#x", code);
		return false;
	}
}

/* An interpreter of as much of classic BPF as the filter uses. */
static uint32_t run(struct program *p, const struct seccomp_data *data)
{
	uint32_t accumulator = 0;

	p->pointer_loaded = false;
	p->steps = 0;
	for (int at = 0; at < p->length; at++, p->steps++) {
		const struct filter_insn *insn = &p->insns[at];

		switch (BPF_CLASS(insn->code)) {
		case BPF_LD:
			accumulator = load(p, data, insn->k);
			break;
		case BPF_JMP:
			at += compare(insn->code, accumulator, insn->k) ? insn->jt : insn->jf;
			break;
		case BPF_RET:
			return insn->k;
		default:
			fail_msg("unexpected instruction %#x", insn->code);
		}
	}
	fail_msg("ran off the end");
	return 0;
}

static uint32_t answer(
	struct program *p, uint32_t number, uint64_t pointer, uint64_t first, uint64_t second)
{
	struct seccomp_data data = {
		.nr = (int)number,
		.arch = AUDIT_ARCH_X86_64,
		.instruction_pointer = pointer,
		.args = { first, second },
	};

	return run(p, &data);
}

static bool is_identity(unsigned number)
{
	static const unsigned numbers[] = { SYS_getpid, SYS_getppid, SYS_gettid, SYS_getuid,
		SYS_geteuid, SYS_getgid, SYS_getegid };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (numbers[i] == number)
			return true;
	}
	return false;
}

static uint32_t expected_inside(unsigned number)
{
	const struct call_info *call = call_info(number);

	if (!call || number == SYS_clone3)
		return ENOSYS_ANSWER;
	return call->refusal ? SECCOMP_RET_ERRNO | (uint32_t)call->refusal : SECCOMP_RET_ALLOW;
}

static void calls_outside_of_the_stubs_trap(void **state)
{
	static const uint64_t places[] = { 0, OUTSIDE, GUEST_STUB_START - 1, GUEST_STUB_END,
		GUEST_ADDRESS, INSIDE + (1ull << 32), INSIDE - (1ull << 32), INSIDE & UINT32_MAX };
	struct program p = program_make(0);

	for (unsigned number = 0; number < 1024; number++) {
		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
			assert_int_equal(answer(&p, number, places[i], 0, 0), SECCOMP_RET_TRAP);
	}
}

static void calls_from_the_stubs_follow_the_table(void **state)
{
	static const uint64_t places[] = { GUEST_STUB_START, INSIDE, GUEST_STUB_END - 1 };
	static const uint32_t relaxes[] = { 0, RELAX_ALL };

	for (size_t r = 0; r < 2; r++) {
		struct program p = program_make(relaxes[r]);

		for (unsigned number = 0; number < 1024; number++) {
			for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
				assert_int_equal(answer(&p, number, places[i], 0, 0),
					expected_inside(number));
		}
	}
}

static void read_needs_only_the_number_when_nothing_depends_on_it(void **state)
{
	const struct {
		uint32_t relax, report;
		uint32_t expected;
	} cases[] = {
		{ RELAX_ALL, 0, SECCOMP_RET_ALLOW },
		{ RELAX_ALL, REPORT_LOG, SECCOMP_RET_TRAP },
		{ RELAX_ALL & ~RELAX_ORDER, 0, SECCOMP_RET_TRAP },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct program p = { 0 };
		struct error err;

		p.length =
			filter_make(cases[i].relax, cases[i].report, p.insns, FILTER_INSNS, &err);
		assert_true(p.length > 0);
		assert_int_equal(answer(&p, SYS_read, 0x400000, 0, 0), cases[i].expected);
		assert_int_equal(answer(&p, SYS_write, 0x400000, 0, 0), SECCOMP_RET_TRAP);
	}
}

static void identity_needs_only_the_number_when_pids_are_relaxed(void **state)
{
	struct program strict = program_make(RELAX_ALL & ~RELAX_PID);
	struct program relaxed = program_make(RELAX_PID);

	for (unsigned number = 0; number < 1024; number++) {
		assert_int_equal(answer(&strict, number, OUTSIDE, 0, 0), SECCOMP_RET_TRAP);
		assert_int_equal(answer(&relaxed, number, OUTSIDE, 0, 0),
			is_identity(number) ? SECCOMP_RET_ALLOW : SECCOMP_RET_TRAP);
		assert_int_equal(relaxed.pointer_loaded, !is_identity(number));
	}
}

static void new_namespaces_are_refused(void **state)
{
	static const uint32_t flags[] = { CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
		CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET };
	struct program p = program_make(RELAX_ALL);

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		assert_int_equal(
			answer(&p, SYS_clone, INSIDE, flags[i] | SIGCHLD, 0), EPERM_ANSWER);
		assert_int_equal(answer(&p, SYS_unshare, INSIDE, flags[i], 0), EPERM_ANSWER);
		assert_int_equal(answer(&p, SYS_clone, OUTSIDE, flags[i], 0), SECCOMP_RET_TRAP);
	}
	assert_int_equal(answer(&p, SYS_unshare, INSIDE, CLONE_NEWTIME, 0), EPERM_ANSWER);
	assert_int_equal(
		answer(&p, SYS_unshare, INSIDE, CLONE_FILES | CLONE_FS, 0), SECCOMP_RET_ALLOW);
	for (uint32_t number = 0; number < 256; number++) /* all bits of the signal at exit */
		assert_int_equal(answer(&p, SYS_clone, INSIDE, CLONE_VM | CLONE_THREAD | number, 0),
			SECCOMP_RET_ALLOW);
}

static void typing_into_terminals_is_refused(void **state)
{
	static const uint64_t high = 1ull << 40; /* the kernel drops it, so it must not help */
	struct program p = program_make(RELAX_ALL);

	assert_int_equal(answer(&p, SYS_ioctl, INSIDE, 0, TIOCSTI), EPERM_ANSWER);
	assert_int_equal(answer(&p, SYS_ioctl, INSIDE, 0, TIOCLINUX), EPERM_ANSWER);
	assert_int_equal(answer(&p, SYS_ioctl, INSIDE, 0, high | TIOCSTI), EPERM_ANSWER);
	assert_int_equal(answer(&p, SYS_ioctl, INSIDE, 0, TCGETS), SECCOMP_RET_ALLOW);
	assert_int_equal(answer(&p, SYS_ioctl, INSIDE, TIOCSTI, FIONREAD), SECCOMP_RET_ALLOW);
	assert_int_equal(answer(&p, SYS_ioctl, OUTSIDE, 0, TCGETS), SECCOMP_RET_TRAP);
}

static void sockets_that_leave_the_container_are_refused(void **state)
{
	struct program p = program_make(RELAX_ALL);
	uint32_t refusal = SECCOMP_RET_ERRNO | EAFNOSUPPORT;

	for (uint64_t family = 0; family < AF_MAX; family++)
		assert_int_equal(answer(&p, SYS_socket, INSIDE, family, SOCK_STREAM),
			family == AF_VSOCK || family == AF_ALG ? refusal : SECCOMP_RET_ALLOW);
}

static void other_architectures_trap(void **state)
{
	struct seccomp_data compat = {
		.arch = AUDIT_ARCH_I386, .nr = SYS_getpid, .instruction_pointer = INSIDE
	};
	struct program p = program_make(RELAX_ALL);

	assert_int_equal(run(&p, &compat), SECCOMP_RET_TRAP);
	for (uint32_t number = 0; number < 1024; number++)
		assert_int_equal(answer(&p, 0x40000000u | number, INSIDE, 0, 0), SECCOMP_RET_TRAP);
	assert_int_equal(answer(&p, UINT32_MAX, INSIDE, 0, 0), SECCOMP_RET_TRAP);
	assert_int_equal(answer(&p, 0x3fffffffu, INSIDE, 0, 0), ENOSYS_ANSWER);
}

/* 3 instructions before the search, 7 comparisons at most, 5 for the place, 1 to answer. */
static void no_allowed_call_needs_many_steps(void **state)
{
	struct program p = program_make(RELAX_ALL);

	for (unsigned number = 0; number < SYSCALL_LIMIT; number++) {
		if (answer(&p, number, INSIDE, 0, 0) == SECCOMP_RET_ALLOW)
			assert_true(p.steps <= 3 + 7 + 5 + 3);
	}
}

static void a_short_buffer_is_an_error(void **state)
{
	struct filter_insn insns[FILTER_INSNS];
	struct error err;
	int length = filter_make(RELAX_ALL, 0, insns, FILTER_INSNS, &err);

	for (int max = 0; max < length; max++)
		assert_int_equal(filter_make(RELAX_ALL, 0, insns, (size_t)max, &err), -1);
	assert_int_equal(filter_make(RELAX_ALL, 0, insns, (size_t)length, &err), length);
}

static volatile sig_atomic_t trapped;

static void count_trap(int number, siginfo_t *info, void *context)
{
	trapped++;
}

/* What the kernel makes of the filter; gives 0, or the number of the step that went wrong. */
static int live_steps(long (*stub)(long number, ...))
{
	struct utsname name;

	if (syscall(SYS_getpid) <= 0 || trapped)
		return 1;
	uname(&name);
	if (trapped != 1)
		return 2;
	if (stub(SYS_uname, &name) != 0 || trapped != 1)
		return 3;
	if (stub(SYS_bpf, 0L, NULL, 0L) != -EPERM || stub(SYS_rseq, NULL, 0L, 0L, 0L) != -ENOSYS)
		return 4;
	if (stub(400) != -ENOSYS || stub(SYS_unshare, (long)CLONE_NEWUSER) != -EPERM)
		return 5;
	if (stub(SYS_socket, (long)AF_ALG, (long)SOCK_SEQPACKET, 0L) != -EAFNOSUPPORT)
		return 6;
	return trapped == 1 ? 0 : 7;
}

/* The stub page: a call of the number in the first argument, and the return from a signal
 * handler. */
static const unsigned char stub_code[] = {
	0x48, 0x89, 0xf8,	      /* mov %rdi, %rax */
	0x48, 0x89, 0xf7,	      /* mov %rsi, %rdi */
	0x48, 0x89, 0xd6,	      /* mov %rdx, %rsi */
	0x48, 0x89, 0xca,	      /* mov %rcx, %rdx */
	0x4d, 0x89, 0xc2,	      /* mov %r8, %r10 */
	0x0f, 0x05,		      /* syscall */
	0xc3,			      /* ret */
	0xb8, 0x0f, 0x00, 0x00, 0x00, /* mov $__NR_rt_sigreturn, %eax */
	0x0f, 0x05,		      /* syscall */
};
#define RESTORER_AT 18

/* The kernel's own form: the C library would put its own restorer, outside of the stubs. */
struct kernel_sigaction {
	void (*handler)(int number, siginfo_t *info, void *context);
	unsigned long flags;
	void *restorer;
	uint64_t mask;
};
#define SA_RESTORER 0x04000000

static int live_child(void)
{
	struct program p = program_make(RELAX_ALL);
	struct sock_fprog prog = { (unsigned short)p.length, (struct sock_filter *)p.insns };
	char *page = mmap((void *)GUEST_STUB_START, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	long (*stub)(long number, ...) = (long (*)(long, ...))(void *)page;
	struct kernel_sigaction action = { count_trap, SA_SIGINFO | SA_RESTORER, page + RESTORER_AT,
		0 };

	if (page == MAP_FAILED)
		return 100;
	memcpy(page, stub_code, sizeof(stub_code));
	if (syscall(SYS_rt_sigaction, SIGSYS, &action, NULL, sizeof(action.mask)) ||
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		return 101;
	stub(SYS_exit_group, (long)live_steps(stub));
	return 102;
}

static void the_kernel_takes_it(void **state)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0)
		_exit(live_child());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_outside_of_the_stubs_trap),
		cmocka_unit_test(calls_from_the_stubs_follow_the_table),
		cmocka_unit_test(read_needs_only_the_number_when_nothing_depends_on_it),
		cmocka_unit_test(identity_needs_only_the_number_when_pids_are_relaxed),
		cmocka_unit_test(new_namespaces_are_refused),
		cmocka_unit_test(typing_into_terminals_is_refused),
		cmocka_unit_test(sockets_that_leave_the_container_are_refused),
		cmocka_unit_test(other_architectures_trap),
		cmocka_unit_test(no_allowed_call_needs_many_steps),
		cmocka_unit_test(a_short_buffer_is_an_error),
		cmocka_unit_test(the_kernel_takes_it),
	};

	return cmocka_run_group_tests_name("filter", tests, NULL, NULL);
}
