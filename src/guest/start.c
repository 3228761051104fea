/*
 * Before the program's first instruction: the kernel has started the guest, either as the
 * interpreter of a program that it mapped, or as a program itself that has to load the real one.
 */
#include "guest/descriptor.h"
#include "guest/dispatch.h"
#include "guest/elf.h"
#include "guest/exec.h"
#include "guest/files.h"
#include "guest/inodes.h"
#include "guest/launch.h"
#include "guest/order.h"
#include "guest/place.h"
#include "guest/proc.h"
#include "guest/random.h"
#include "guest/recorder.h"
#include "guest/report.h"
#include "guest/signal.h"
#include "guest/stack.h"
#include "guest/task.h"
#include "guest/timers.h"
#include "guest/trap.h"
#include "guest/tsc.h"

#define HWCAP2_FSGSBASE 2
/* With all of these relaxed a program starts on the stack that the kernel made. */
#define NATIVE_STACK (RELAX_TIME | RELAX_RANDOM | RELAX_CPU | RELAX_ADDRESS)

struct process process HOT;
char program_path[4096];

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
	recorder_program();
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

/* Where the kernel puts programs and stacks from now on. Where it must not be asked (some
 * containers forbid it), every program is carried. */
static void settle_addresses(void)
{
	struct arena_config *config = &process.arena->config;
	long native = process.relax & RELAX_ADDRESS;

	if (native)
		sys(__NR_personality, sys(__NR_personality, ~0u) & ADDR_NO_RANDOMIZE);
	else if (failed(sys(__NR_personality, ADDR_NO_RANDOMIZE)))
		config->randomised = 1;
}

/* The kernel's own clock functions, and the real time that they read. */
static void hide_vdso(const struct start_stack *stack)
{
	const struct arena_config *config = &process.arena->config;
	uint64_t vdso = aux_get(stack, AT_SYSINFO_EHDR);

	if (vdso && !(process.relax & RELAX_TIME))
		sys(__NR_munmap, vdso - config->vdso_below,
			config->vdso_below + config->vdso_bytes);
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
	descriptor_path(fd, program_path, sizeof(program_path));
}

_Noreturn static void die(void)
{
	const struct kernel_sigaction none = { .handler = SIG_DFL };

	sys(__NR_rt_sigaction, SIGSEGV, &none, 0, sizeof(sigmask_t));
	for (;;)
		sys(__NR_kill, sys(__NR_getpid), SIGSEGV);
}

/* Is it the file that lies over the loader? */
static bool is_guest(long fd)
{
	const struct arena_config *config = &process.arena->config;
	struct kernel_stat st;

	return sys(__NR_fstat, fd, &st) == 0 && st.dev == config->guest_device &&
	       st.ino == config->guest_inode;
}

/* Answers whether it was the usual loader. */
static bool load_carried_loader(const char *path, struct elf_image *loader, long *error)
{
	long fd = sys(__NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	bool usual = !failed(fd) && is_guest(fd);

	*error = failed(fd) ? fd : elf_load(usual ? FD_LOADER : (int)fd, 0, loader);
	if (!failed(fd))
		sys(__NR_close, fd);
	return usual;
}

static void load_carried_file(int fd, struct elf_image *image)
{
	long r;

	find_own_path(fd);
	r = elf_load(fd, PIE_ADDRESS, image);
	if (fd != FD_LOADER)
		sys(__NR_close, fd);
	if (r)
		die(); /* past the point of no return, as the kernel does */
	process.brk_start = process.brk_end = PAGE_UP(image->end);
}

/* Loads the program and what interprets it; answers where to begin. */
static uint64_t load_carried(struct start_stack *stack)
{
	struct elf_image image, loader = { 0 };
	const char *note = take_note(stack);
	long fd = note ? parse_number(&note) : -1, r = 0;
	bool usual = false;

	process.carried = true;
	process.pass = thread_self()->pass = process.arena->pass[1];
	load_carried_file(fd >= 0 ? (int)fd : FD_LOADER, &image);
	if (image.interpreter[0])
		usual = load_carried_loader(image.interpreter, &loader, &r);
	if (r)
		die();
	if (image.executable_stack)
		sys(__NR_mprotect, PAGE_DOWN((uint64_t)stack->base), PAGE,
			PROT_READ | PROT_WRITE | PROT_EXEC | PROT_GROWSDOWN);
	if (note) {
		set_name(note + 1);
		aux_set(stack, AT_EXECFN, (uint64_t)(note + 1));
	}
	if (note && usual)
		stack_lift_strings(stack, note + 1);
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

	process.brk_start = process.brk_end =
		elf_program_end(aux_get(stack, AT_PHDR), aux_get(stack, AT_PHNUM));
	elf_cover_program(aux_get(stack, AT_PHDR), aux_get(stack, AT_PHNUM));
	if (elf_load(FD_LOADER, 0, &loader))
		give_up("stet: cannot map the dynamic loader\n");
	aux_set(stack, AT_BASE, loader.bias);
	return loader.entry;
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
	process.fsgsbase = aux_get(&stack, AT_HWCAP2) & HWCAP2_FSGSBASE;
	self = thread_first();
	thread_use(self);
	signal_start(self);
	task_program(self);
	timers_program(self);
	order_program(self);
	trap_start();
	if (process.reporting)
		report_program(self, (const char *)aux_get(&stack, AT_EXECFN));
	hide_vdso(&stack);
	if (aux_get(&stack, AT_ENTRY) != (uint64_t)guest_start) {
		entry = load_interpreter(&stack);
	} else if (__atomic_exchange_n(&process.arena->config.launch, LAUNCH_DONE,
			   __ATOMIC_ACQ_REL) == LAUNCH_PENDING) {
		settle_addresses();
		pass_fill();
		files_begin();
		inodes_begin(self);
		recorder_begin(self);
		tsc_forbid();
		install_filter();
		launch(self, stack.argv, stack.envp);
	} else {
		if (process.arena->config.randomised)
			stack_settle(&stack);
		entry = load_carried(&stack);
	}
	if ((process.relax & NATIVE_STACK) != NATIVE_STACK)
		stack_build(&stack);
	if (!random_native() && aux_get(&stack, AT_RANDOM))
		random_start_bytes(self, (uint8_t *)aux_get(&stack, AT_RANDOM));
	proc_program(self, stack.base);
	return (struct start){ (uint64_t)stack.base, entry };
}
