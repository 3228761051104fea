/*
 * Before the program's first instruction: the kernel has started the guest, either as the interpreter
 * of a program that it mapped, or as a program itself that has to load the real one.
 */
#include <linux/auxvec.h>

#include "guest/elf.h"
#include "guest/exec.h"
#include "guest/inodes.h"
#include "guest/process.h"
#include "guest/random.h"
#include "guest/report.h"
#include "guest/signal.h"
#include "guest/task.h"
#include "guest/text.h"
#include "guest/timers.h"
#include "guest/trap.h"
#include "guest/tsc.h"
#include "guest/dispatch.h"

#define HWCAP2_FSGSBASE 2
#define PIE_ADDRESS	0x555555554000ull /* where the kernel puts programs without randomisation */

struct process process;

/* The words that the kernel leaves on the stack. */
struct start_stack {
	uint64_t *base; /* argc */
	char **argv, **envp;
	uint64_t *auxv; /* pairs */
};

static struct start_stack stack_parse(uint64_t *base)
{
	struct start_stack stack = { .base = base, .argv = (char **)(base + 1) };
	char **at;

	stack.envp = stack.argv + base[0] + 1;
	for (at = stack.envp; *at; at++)
		;
	stack.auxv = (uint64_t *)(at + 1);
	return stack;
}

static uint64_t *aux_find(const struct start_stack *stack, uint64_t type)
{
	for (uint64_t *pair = stack->auxv; pair[0] != AT_NULL; pair += 2)
		if (pair[0] == type)
			return &pair[1];
	return NULL;
}

static uint64_t aux_get(const struct start_stack *stack, uint64_t type)
{
	const uint64_t *value = aux_find(stack, type);

	return value ? *value : 0;
}

static void aux_set(const struct start_stack *stack, uint64_t type, uint64_t value)
{
	uint64_t *place = aux_find(stack, type);

	if (place)
		*place = value;
}

_Noreturn static void give_up(const char *why)
{
	sys(__NR_write, 2, why, strlen(why));
	for (;;)
		sys(__NR_exit_group, 125);
}

static void map_arena(void)
{
	struct arena *arena = (struct arena *)ARENA_ADDRESS;

	if (sys(__NR_mmap, ARENA_ADDRESS, ARENA_BYTES, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_FIXED, FD_ARENA, 0) != (long)ARENA_ADDRESS ||
		arena->config.magic != ARENA_MAGIC || arena->config.bytes != sizeof(struct arena))
		give_up("stet: the guest runs only inside a container of stet run\n");
	process.arena = arena;
	process.reporting = arena->config.report;
	process.relax = arena->config.relax;
	process.stopped = arena->config.machine.time == TIME_STOP && !(process.relax & RELAX_TIME);
	process.pass = arena->pass[0];
}

static void install_filter(void)
{
	const struct {
		uint16_t length;
		const struct filter_insn *insns;
	} program = { (uint16_t)process.arena->config.filter_length, process.arena->config.filter };

	if (sys(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		sys(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
			&program))
		give_up("stet: the kernel refuses the seccomp filter; is CONFIG_SECCOMP_FILTER "
			"off?\n");
}

/* Takes the note off the environment and answers what it says; NULL when there is none. */
static const char *take_note(struct start_stack *stack)
{
	const size_t prefix = sizeof(CARRY_NOTE) - 1;
	char **last = (char **)stack->auxv - 2;
	const char *note = *last;
	uint64_t *end = stack->auxv;

	if (last < stack->envp || memcmp(note, CARRY_NOTE, prefix) != 0)
		return NULL;
	while (end[0] != AT_NULL)
		end += 2;
	memmove(last, last + 1, (uint64_t)(end + 2) - (uint64_t)(last + 1));
	stack->auxv--;
	return note + prefix;
}

static long parse_number(const char **at)
{
	bool minus = **at == '-';
	long n = 0;

	for (*at += minus; **at >= '0' && **at <= '9'; ++*at)
		n = n * 10 + (**at - '0');
	return minus ? -n : n;
}

static void set_name(const char *path)
{
	const char *base = path;

	for (const char *c = path; *c; c++)
		if (*c == '/')
			base = c + 1;
	sys(__NR_prctl, PR_SET_NAME, base);
}

static void find_own_path(long fd)
{
	char link[32];

	text_put_number(text_put(link, "self/fd/"), fd);
	sys(__NR_readlinkat, FD_PROC, link, process.path, sizeof(process.path) - 1);
}

_Noreturn static void die(void)
{
	const struct kernel_sigaction none = { .handler = SIG_DFL };

	sys(__NR_rt_sigaction, SIGSEGV, &none, 0, sizeof(sigmask_t));
	for (;;)
		sys(__NR_kill, sys(__NR_getpid), SIGSEGV);
}

/* Loads the program and what interprets it; answers where to begin. */
static uint64_t load_carried(struct start_stack *stack)
{
	struct elf_image image, loader = { 0 };
	const char *note = take_note(stack);
	long fd = note ? parse_number(&note) : -1;
	long file = fd >= 0 ? fd : FD_LOADER, r;

	process.carried = true;
	process.pass = thread_self()->pass = process.arena->pass[1];
	find_own_path(file);
	r = elf_load((int)file, PIE_ADDRESS, &image);
	if (fd >= 0)
		sys(__NR_close, fd);
	if (r == 0 && image.interpreter[0]) {
		fd = sys(__NR_openat, AT_FDCWD, image.interpreter, O_RDONLY | O_CLOEXEC);
		r = failed(fd) ? fd : elf_load((int)fd, 0, &loader);
		sys(__NR_close, fd);
	}
	if (r)
		die(); /* past the point of no return, as the kernel does */
	if (image.executable_stack)
		sys(__NR_mprotect, PAGE_DOWN((uint64_t)stack->base), PAGE,
			PROT_READ | PROT_WRITE | PROT_EXEC | PROT_GROWSDOWN);
	process.brk_start = process.brk_end = PAGE_UP(image.end);
	if (note) {
		aux_set(stack, AT_EXECFN, (uint64_t)(note + 1));
		set_name(note + 1);
	}
	aux_set(stack, AT_PHDR, image.headers);
	aux_set(stack, AT_PHNUM, image.header_count);
	aux_set(stack, AT_ENTRY, image.entry);
	aux_set(stack, AT_BASE, loader.bias);
	return loader.entry ? loader.entry : image.entry;
}

/* The kernel mapped the program; the loader that it asks for is ours to load. */
static uint64_t load_interpreter(const struct start_stack *stack)
{
	struct elf_image loader;

	elf_cover_program(aux_get(stack, AT_PHDR), aux_get(stack, AT_PHNUM));
	if (elf_load(FD_LOADER, 0, &loader))
		give_up("stet: cannot map the dynamic loader\n");
	aux_set(stack, AT_BASE, loader.bias);
	return loader.entry;
}

/* The vDSO would tell the host's time. */
static void hide_vdso(const struct start_stack *stack)
{
	uint64_t *vdso = aux_find(stack, AT_SYSINFO_EHDR);

	if (vdso && !(process.relax & RELAX_TIME))
		vdso[-1] = AT_IGNORE;
}

struct start {
	uint64_t stack, entry;
};

struct start start_process(uint64_t *base);
struct start start_process(uint64_t *base)
{
	struct start_stack stack = stack_parse(base);
	struct thread *self;
	uint64_t entry;

	map_arena();
	hide_vdso(&stack);
	process.fsgsbase = aux_get(&stack, AT_HWCAP2) & HWCAP2_FSGSBASE;
	self = thread_first();
	thread_use(self);
	signal_start(self);
	task_program(self);
	timers_program(self);
	trap_start();
	if (process.reporting)
		report_program(self, (const char *)aux_get(&stack, AT_EXECFN));
	if (aux_get(&stack, AT_ENTRY) != (uint64_t)guest_start) {
		entry = load_interpreter(&stack);
	} else if (__atomic_exchange_n(&process.arena->config.launch, LAUNCH_DONE,
			   __ATOMIC_ACQ_REL) == LAUNCH_PENDING) {
		pass_fill();
		inodes_begin(self);
		tsc_forbid();
		install_filter();
		exec_launch(self, stack.argv, stack.envp);
	} else {
		entry = load_carried(&stack);
	}
	if (!random_native() && aux_get(&stack, AT_RANDOM))
		random_start_bytes(self, (uint8_t *)aux_get(&stack, AT_RANDOM));
	return (struct start){ (uint64_t)base, entry };
}
