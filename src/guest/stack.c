#include "guest/stack.h"

#include "arena/cpu_model.h"
#include "guest/insn.h"
#include "guest/place.h"
#include "guest/sys.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif
#define STACK_MARGIN	    (256 * 1024ul) /* more than a kernel maps below it at first */
#define CLOCK_TICKS	    100
#define EXTENDED_STATE_MOST 0x4000ull /* AVX-512 and AMX have 11 KiB */
#define PLATFORM	    CPU_MODEL_PLATFORM
#define BYTES_PER_AUX	    16

struct start_stack stack_parse(uint64_t *base)
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

uint64_t aux_get(const struct start_stack *stack, uint64_t type)
{
	const uint64_t *value = aux_find(stack, type);

	return value ? *value : 0;
}

void aux_set(const struct start_stack *stack, uint64_t type, uint64_t value)
{
	uint64_t *place = aux_find(stack, type);

	if (place)
		*place = value;
}

/* Pointers into what has moved. */
static void shift_strings(struct start_stack *stack, uint64_t by)
{
	for (char **arg = stack->argv; *arg; arg++)
		*arg += by;
	for (char **variable = stack->envp; *variable; variable++)
		*variable += by;
}

/*
 * The kernel keeps growing the part that is moved, and it counts against the same limit. What it
 * mapped below for the start is left behind and goes.
 */
void stack_settle(struct start_stack *stack)
{
	uint64_t name = aux_get(stack, AT_EXECFN), bottom = PAGE_DOWN((uint64_t)stack->base);
	uint64_t end, by, bytes, place;

	if (!name)
		return;
	end = PAGE_UP(name + strlen((const char *)name) + 1 + 8);
	by = STACK_TOP - end;
	bytes = end - bottom;
	place = STACK_TOP - bytes;
	if (!by)
		return;
	if (by < bytes) { /* too near: by way of somewhere else */
		sys(__NR_mremap, bottom, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
			MAPPING_TOP - bytes);
		sys(__NR_munmap, bottom - STACK_MARGIN, STACK_MARGIN);
		bottom = MAPPING_TOP - bytes;
	}
	if (sys(__NR_mremap, bottom, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) !=
		(long)place)
		return;
	sys(__NR_munmap, bottom - STACK_MARGIN, STACK_MARGIN);
	*stack = (struct start_stack){
		.base = (uint64_t *)((uint64_t)stack->base + by),
		.argv = (char **)((uint64_t)stack->argv + by),
		.envp = (char **)((uint64_t)stack->envp + by),
		.auxv = (uint64_t *)((uint64_t)stack->auxv + by),
	};
	shift_strings(stack, by);
	aux_set(stack, AT_EXECFN, name + by);
	aux_set(stack, AT_RANDOM, aux_get(stack, AT_RANDOM) + by);
}

/* The lowest string: arguments lie below the environment, and that below the program's name. */
static uint64_t strings_start(const struct start_stack *stack)
{
	if (stack->argv[0])
		return (uint64_t)stack->argv[0];
	return stack->envp[0] ? (uint64_t)stack->envp[0] : aux_get(stack, AT_EXECFN);
}

static uint64_t strings_end(const struct start_stack *stack)
{
	char **last = (char **)stack->auxv - 2;

	if (last < stack->envp)
		last = stack->envp - 2;
	return last < stack->argv ? 0 : (uint64_t)*last + strlen(*last) + 1;
}

void stack_lift_strings(struct start_stack *stack, const char *name)
{
	char copy[STACK_NAME_BYTES];
	size_t bytes = strlen(name) + 1;
	uint64_t place = STACK_TOP - 8 - bytes;
	uint64_t start = strings_start(stack), end = strings_end(stack);

	if (bytes > sizeof(copy))
		return;
	memcpy(copy, name, bytes);
	if (start && end) {
		memmove((void *)(start + place - end), (void *)start, end - start);
		shift_strings(stack, place - end);
	}
	memcpy((void *)place, copy, bytes);
	aux_set(stack, AT_EXECFN, place);
}

struct vector {
	uint64_t pair[24][2];
	uint32_t count;
};

static void put(struct vector *v, uint64_t type, uint64_t value)
{
	v->pair[v->count][0] = type;
	v->pair[v->count++][1] = value;
}

static void keep(struct vector *v, const struct start_stack *stack, uint64_t type)
{
	put(v, type, aux_get(stack, type));
}

/* The entries that a program gets, in the kernel's order; what newer kernels add is not among
 * them. */
static void collect(struct vector *v, const struct start_stack *stack)
{
	const uint64_t *frame = aux_find(stack, AT_MINSIGSTKSZ);
	const struct machine *machine = &process.arena->config.machine;
	bool native_cpu = cpu_is_hosts();

	v->count = 0;
	if ((process.relax & RELAX_TIME) && aux_get(stack, AT_SYSINFO_EHDR))
		keep(v, stack, AT_SYSINFO_EHDR);
	put(v, AT_MINSIGSTKSZ, native_cpu && frame ? *frame : CPU_MODEL_MINSIGSTKSZ);
	put(v, AT_HWCAP, native_cpu ? aux_get(stack, AT_HWCAP) : cpu_model_hwcap(machine));
	put(v, AT_PAGESZ, PAGE);
	put(v, AT_CLKTCK, CLOCK_TICKS);
	keep(v, stack, AT_PHDR);
	keep(v, stack, AT_PHENT);
	keep(v, stack, AT_PHNUM);
	keep(v, stack, AT_BASE);
	put(v, AT_FLAGS, 0);
	keep(v, stack, AT_ENTRY);
	keep(v, stack, AT_UID);
	keep(v, stack, AT_EUID);
	keep(v, stack, AT_GID);
	keep(v, stack, AT_EGID);
	put(v, AT_SECURE,
		aux_get(stack, AT_UID) != aux_get(stack, AT_EUID) ||
			aux_get(stack, AT_GID) != aux_get(stack, AT_EGID));
	keep(v, stack, AT_RANDOM);
	put(v, AT_HWCAP2, native_cpu ? aux_get(stack, AT_HWCAP2) : cpu_model_hwcap2(machine));
	keep(v, stack, AT_EXECFN);
	put(v, AT_PLATFORM, 0);
	put(v, AT_NULL, 0);
}

/*
 * The kernel takes a signal frame only where the host's whole extended state would fit between it
 * and the end of the program's addresses, even if the frame holds less, as ours do (deliver.c).
 */
static uint64_t below_frames(uint64_t strings)
{
	const uint64_t limit = STACK_TOP - EXTENDED_STATE_MOST;

	return strings < limit ? strings : limit;
}

void stack_build(struct start_stack *stack)
{
	const char *bytes_at = (const char *)aux_get(stack, AT_RANDOM);
	uint64_t strings = strings_start(stack), *base;
	size_t pointers = (size_t)(stack->auxv - stack->base);
	char bytes[16] = { 0 }, *platform, *random;
	struct vector v;

	collect(&v, stack);
	if (bytes_at)
		memcpy(bytes, bytes_at, sizeof(bytes));
	platform = (char *)((below_frames(strings) - sizeof(PLATFORM)) & ~15ull);
	random = platform - sizeof(bytes);
	base = (uint64_t *)(((uint64_t)random - v.count * BYTES_PER_AUX - pointers * 8) & ~15ull);

	/* The old words may lie where any of the new ones will: first those that are only moved. */
	memmove(base, stack->base, pointers * 8);
	memcpy(base + pointers, v.pair, v.count * BYTES_PER_AUX);
	memcpy(platform, PLATFORM, sizeof(PLATFORM));
	memcpy(random, bytes, sizeof(bytes));
	*stack = stack_parse(base);
	aux_set(stack, AT_PLATFORM, (uint64_t)platform);
	aux_set(stack, AT_RANDOM, (uint64_t)random);
}
