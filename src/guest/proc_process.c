/* Files of each process and thread that need only a few words, and its own arguments. */
#include "guest/facts.h"
#include "guest/proc.h"
#include "guest/proc_file.h"
#include "guest/task.h"

#define AT_NULL	  0
#define RESOURCES 16

void proc_program(struct thread *self, const uint64_t *stack)
{
	struct program_stack *to = &task_at(self->task)->stack;
	const uint64_t *words = stack + 1, *end = words + stack[0];

	*to = (struct program_stack){ .base = (uint64_t)stack, .heap = process.brk_start };
	if (stack[0]) {
		to->arguments = words[0];
		to->arguments_end = end[-1] + strlen((const char *)end[-1]) + 1;
	}
	words = end + 1;
	for (end = words; *end; end++)
		;
	if (end > words) {
		to->environment = words[0];
		to->environment_end = end[-1] + strlen((const char *)end[-1]) + 1;
	}
	to->vector = (uint64_t)(end + 1);
}

/* From the process's memory: how much could be read. */
static long read_memory(struct proc_file *file, uint64_t address, char *to, uint64_t bytes)
{
	struct {
		uint64_t base, bytes;
	} here = { (uint64_t)to, bytes }, there = { address, bytes };

	if (proc_is_own(file))
		return copy_in(to, address, bytes) ? 0 : (long)bytes;
	return sys(__NR_process_vm_readv, file->pid, &here, 1, &there, 1, 0);
}

static void put_memory(struct proc_file *file, uint64_t start, uint64_t end)
{
	char piece[512];

	while (start < end && !view_full(&file->view)) {
		uint64_t n = end - start < sizeof(piece) ? end - start : sizeof(piece);

		if (read_memory(file, start, piece, n) != (long)n)
			return;
		view_put(&file->view, piece, n);
		start += n;
	}
}

/* Where the process's strings lie; NULL when the kernel knows better, or they cannot be seen. */
static const struct program_stack *stack_of(struct proc_file *file)
{
	const struct task *task = task_find_process(file->pid);
	const struct program_stack *stack = task ? &task->stack : NULL;
	char byte = 0;

	return stack && read_memory(file, stack->base, &byte, 1) == 1 ? stack : NULL;
}

static void write_cmdline(struct proc_file *file)
{
	const struct program_stack *stack;

	if (file->pid == INIT) {
		view_put(&file->view, "init", 5);
		return;
	}
	stack = stack_of(file);
	if (stack)
		put_memory(file, stack->arguments, stack->arguments_end);
	else
		proc_copy(file);
}

static void write_environ(struct proc_file *file)
{
	const struct program_stack *stack = stack_of(file);

	if (stack)
		put_memory(file, stack->environment, stack->environment_end);
	else
		proc_copy(file);
}

/* Pairs, the last of which is AT_NULL. */
static void write_auxv(struct proc_file *file)
{
	const struct program_stack *stack = stack_of(file);
	uint64_t pair[2] = { 1, 0 };

	if (!stack) {
		proc_copy(file);
		return;
	}
	for (uint64_t at = stack->vector; pair[0] != AT_NULL; at += sizeof(pair)) {
		if (read_memory(file, at, (char *)pair, sizeof(pair)) != sizeof(pair))
			return;
		view_put(&file->view, (const char *)pair, sizeof(pair));
	}
}

static void write_comm(struct proc_file *file)
{
	if (file->pid == INIT)
		view_string(&file->view, "init\n");
	else
		proc_copy(file);
}

/* Until the program sets another, it is 0. */
static void write_oom_score_adj(struct proc_file *file)
{
	struct lines lines;
	const char *line;
	bool minus;
	int value;

	proc_kernels(file, &lines, "oom_score_adj");
	line = lines_next(&lines);
	minus = line && *line == '-';
	if (line)
		line += minus;
	value = line ? (int)parse_decimal(&line) : 0;
	value = minus ? -value : value;
	lines_close(&lines);
	view_print(&file->view, "%d\n", value == process.arena->config.oom_score_adj ? 0 : value);
}

static void put_limit(struct view *view, uint64_t limit)
{
	if (limit == RLIM_INFINITY)
		view_print(view, "%-20s ", "unlimited");
	else
		view_print(view, "%-20lu ", limit);
}

static void write_limits(struct proc_file *file)
{
	static const struct {
		const char *name, *unit;
	} names[RESOURCES] = {
		{ "Max cpu time", "seconds" },
		{ "Max file size", "bytes" },
		{ "Max data size", "bytes" },
		{ "Max stack size", "bytes" },
		{ "Max core file size", "bytes" },
		{ "Max resident set", "bytes" },
		{ "Max processes", "processes" },
		{ "Max open files", "files" },
		{ "Max locked memory", "bytes" },
		{ "Max address space", "bytes" },
		{ "Max file locks", "locks" },
		{ "Max pending signals", "signals" },
		{ "Max msgqueue size", "bytes" },
		{ "Max nice priority", NULL },
		{ "Max realtime priority", NULL },
		{ "Max realtime timeout", "us" },
	};

	const struct facts *facts = proc_facts(file);

	if (!facts) /* of a process that has no place in the arena: what all start with */
		facts = facts_of_process(file->self);
	view_print(&file->view, "%-25s %-20s %-20s %-10s\n", "Limit", "Soft Limit", "Hard Limit",
		"Units");
	for (unsigned i = 0; i < RESOURCES; i++) {
		const uint64_t *limits = facts->limits[i];

		view_print(&file->view, "%-25s ", names[i].name);
		put_limit(&file->view, limits[0]);
		put_limit(&file->view, limits[1]);
		if (names[i].unit)
			view_print(&file->view, "%-10s", names[i].unit);
		view_string(&file->view, "\n");
	}
}

static void write_personality(struct proc_file *file)
{
	const struct facts *facts = proc_facts(file);

	view_print(&file->view, "%08x\n", facts ? facts->personality : 0);
}

static void write_nothing_allowed(struct proc_file *file)
{
	file->error = -EPERM;
}

/* Lines that depend on the process alone. */
static bool descriptor_line(const char *line)
{
	static const char *const keys[] = { "pos:", "flags:", "eventfd-count:", "sigmask:", "Pid:",
		"NSpid:", "clockid:", "tty-index:" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (after_prefix(line, keys[i]))
			return true;
	return false;
}

void proc_fdinfo(struct proc_file *file)
{
	struct lines lines;
	char *line;

	lines_open(&lines, file->path);
	if (failed(lines.fd))
		file->error = -ENOENT;
	while ((line = lines_next(&lines))) {
		if (descriptor_line(line))
			view_print(&file->view, "%s\n", line);
		else if (after_prefix(line, "mnt_id:"))
			view_string(&file->view, "mnt_id:\t20\n");
	}
	lines_close(&lines);
}

#define IDENTITY_MAP "         0          0 4294967295\n"

const struct proc_entry proc_process[] = {
	THERE("cwd"),
	THERE("exe"),
	THERE("fd"),
	THERE("fdinfo"),
	THERE("net"),
	THERE("root"),
	THERE("task"),
	THERE("clear_refs"),
	THERE("ns/cgroup"),
	THERE("ns/ipc"),
	THERE("ns/mnt"),
	THERE("ns/net"),
	THERE("ns/pid"),
	THERE("ns/pid_for_children"),
	THERE("ns/user"),
	THERE("ns/uts"),
	WRITTEN("auxv", write_auxv),
	TEXT("cgroup", "0::/\n"),
	WRITTEN("cmdline", write_cmdline),
	WRITTEN("comm", write_comm),
	KERNELS("coredump_filter"),
	WRITTEN("environ", write_environ),
	TEXT("gid_map", IDENTITY_MAP),
	TEXT("io", "rchar: 0\nwchar: 0\nsyscr: 0\nsyscw: 0\nread_bytes: 0\nwrite_bytes: 0\n"
		   "cancelled_write_bytes: 0\n"),
	WRITTEN("limits", write_limits),
	TEXT("loginuid", "4294967295"),
	WRITTEN("maps", proc_maps),
	KERNELS("mem"),
	WRITTEN("mountinfo", proc_mountinfo),
	WRITTEN("mounts", proc_mounts),
	WRITTEN("mountstats", proc_mountstats),
	TEXT("oom_score", "0\n"),
	WRITTEN("oom_score_adj", write_oom_score_adj),
	WRITTEN("pagemap", write_nothing_allowed),
	WRITTEN("personality", write_personality),
	TEXT("projid_map", IDENTITY_MAP),
	TEXT("schedstat", "0 0 0\n"),
	TEXT("sessionid", "4294967295"),
	TEXT("setgroups", "allow\n"),
	WRITTEN("smaps", proc_smaps),
	WRITTEN("smaps_rollup", proc_smaps_rollup),
	WRITTEN("stat", proc_stat),
	WRITTEN("statm", proc_statm),
	WRITTEN("status", proc_status),
	TEXT("timers", ""),
	KERNELS("timerslack_ns"),
	TEXT("uid_map", IDENTITY_MAP),
	TEXT("wchan", "0"),
	{ 0 },
};
