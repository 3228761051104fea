/*
 * What the guest keeps for the process: how it was started, and the few facts that every handler
 * needs. Set up by start.c, constant afterwards unless said otherwise.
 */
#ifndef STET_GUEST_PROCESS_H
#define STET_GUEST_PROCESS_H

#include "guest/thread.h"

struct process {
	struct arena *arena;
	const uint8_t *pass; /* see struct thread */
	bool fsgsbase;	     /* the CPU and kernel let us set the GS base directly */
	uint32_t relax;	     /* enum relax: sources that are left native */
	bool reporting;	     /* events go to the arena */
	bool stopped;	     /* --time stop: the clock shows the epoch, whatever happens */
	bool carried; /* the guest is the kernel's idea of the program; it loaded the real one */
	uint64_t brk_start, brk_end; /* when carried: the heap is the guest's business */
};

extern struct process process;
extern char program_path[PATH_MAX]; /* when carried */

/* What nearly every process writes lies on one page, which the kernel itself touches at each
 * exec. */
#define HOT __attribute__((section(".bss.hot")))

/* What programs see of the machine, as the options say. */
static inline const struct machine *machine(void)
{
	return &process.arena->config.machine;
}

/* Labels of stub.S and entry.S, for the signal layer. */
extern const char enter_syscall[], pass_begin[], pass_done[], pass_end[];
extern const char window_begin[], window_done[], window_abort[];
extern const char look_enter[], look_begin[], look_saved[], look_slow[];
extern const char enter_insn[], leave_guest[], leave_end[], leave_trap[];
extern const char signal_enter[], signal_restore[];
extern const char guest_stub_page[], guest_code_end[], guest_end[], guest_start[];

/* Ends the run: one line for the user, status 125. The format knows %s only. */
_Noreturn void fatal(const char *format, const char *argument);
/* Ends the run and has it started again in strict order: tasks that nothing synchronises raced. The
 * calling task stays where it is in the race, so that nothing later than it leaves the
 * container. */
_Noreturn void conflict(struct thread *self, const char *format, const char *argument);
/* At each event: the one that config.conflict_at names is such a race. */
void conflict_wanted(struct thread *self);
/* A line for the user about what was refused: told if the command fails. */
void refuse(const char *format, const char *argument);
/* And for what the user should know at once, while the run goes on. */
void notice(const char *format, const char *argument);

/* Is it one of the guest's own descriptors? */
static inline bool descriptor_hidden(uint64_t fd)
{
	return (uint32_t)fd - HIDDEN_FD_FIRST < HIDDEN_FD_END - HIDDEN_FD_FIRST;
}

/* Does [address, address + bytes) touch what belongs to the guest? */
static inline bool guest_range(uint64_t address, uint64_t bytes)
{
	return address < GUEST_RANGE_END && address + bytes > GUEST_ADDRESS;
}

#endif
