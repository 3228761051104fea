/*
 * status, stat and statm of a process or thread: who it is and how it is related are the kernel's
 * facts; what it has used is logical or fixed, and what only the guest did to it does not show.
 */
#include "guest/clock.h"
#include "guest/facts.h"
#include "guest/proc_file.h"
#include "guest/signal.h"
#include "guest/task.h"
#include "guest/turn.h"

#define TICK_NSEC    10000000ul
#define START_TICKS  100000ul /* when the command starts: the machine has run for 1000 s */
#define PF_RANDOMIZE 4194304u

static uint32_t cpus(void)
{
	return process.arena->config.machine.cpus;
}

static bool is_calling(const struct proc_file *file)
{
	return proc_is_own(file) && (!file->tid || file->tid == sys(__NR_gettid));
}

/* By a signal of the container's: one from outside is not to be seen. */
static bool is_stopped(const struct proc_file *file, char kernels)
{
	const struct task *task;

	if (!turns_matter())
		return kernels == 'T';
	task = task_find_process(file->pid);
	return task && turn_is_stopped((uint32_t)(task - process.arena->tasks));
}

/* Others are where they wait; whether they happen to run is nobody's business. */
static char state_of(const struct proc_file *file, char kernels)
{
	if (is_calling(file))
		return 'R';
	if (kernels == 'Z' || kernels == 'X' || kernels == 't')
		return kernels;
	return is_stopped(file, kernels) ? 'T' : 'S';
}

static void put_state(struct proc_file *file, const char *value)
{
	const char *word;

	switch (state_of(file, *value)) {
	case 'R':
		word = "R (running)";
		break;
	case 'Z':
		word = "Z (zombie)";
		break;
	case 'T':
	case 't':
		word = "T (stopped)";
		break;
	default:
		word = "S (sleeping)";
	}
	view_print(&file->view, "State:\t%s\n", word);
}

static void put_name(struct proc_file *file, const char *value)
{
	view_print(&file->view, "Name:\t%s\n", file->pid == INIT ? "init" : value);
}

static void put_memory(struct proc_file *file, const char *value)
{
	struct proc_memory memory;

	(void)value;
	proc_measure(file, &memory);
	const struct {
		const char *name;
		uint64_t bytes;
	} lines[] = {
		{ "VmPeak", memory.total },
		{ "VmSize", memory.total },
		{ "VmLck", 0 },
		{ "VmPin", 0 },
		{ "VmHWM", memory.resident },
		{ "VmRSS", memory.resident },
		{ "RssAnon", memory.resident - memory.shared },
		{ "RssFile", memory.shared },
		{ "RssShmem", 0 },
		{ "VmData", memory.data },
		{ "VmStk", memory.stack },
		{ "VmExe", memory.code_end - memory.code },
		{ "VmLib", memory.library },
		{ "VmPTE", 64 * 1024 },
		{ "VmSwap", 0 },
		{ "HugetlbPages", 0 },
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		view_print(&file->view, "%s:\t%8lu kB\n", lines[i].name, lines[i].bytes / 1024);
}

/* The kernel has those that end for a moment more. */
static uint64_t threads_of(const struct proc_file *file)
{
	const struct task *task = task_find_process(file->pid);

	return task ? task->users : 1;
}

static void put_threads(struct proc_file *file, const char *value)
{
	(void)value;
	view_print(&file->view, "Threads:\t%lu\n", threads_of(file));
}

static void put_queued(struct proc_file *file, const char *value)
{
	const struct facts *facts = proc_facts(file);

	(void)value;
	view_print(&file->view, "SigQ:\t0/%lu\n", facts ? facts->limits[RLIMIT_SIGPENDING][0] : 0);
}

static void put_blocked(struct proc_file *file, const char *value)
{
	sigmask_t mask = is_calling(file) ? file->self->mask : parse_hex(&value);

	view_print(&file->view, "SigBlk:\t%016lx\n", mask);
}

/* The guest's own handlers do not count, the program's for the same signals do. */
static sigmask_t among_guests(const struct proc_file *file, bool ignored)
{
	const struct actions *actions = file->self->actions;
	sigmask_t mask = 0;

	if (!proc_is_own(file))
		return 0;
	for (int signal = 1; signal <= SIGNALS; signal++) {
		uint64_t handler = actions->action[signal].handler;

		if ((SIG_BIT(signal) & GUEST_SIGNALS) &&
			(ignored ? handler == SIG_IGN : handler > SIG_IGN))
			mask |= SIG_BIT(signal);
	}
	return mask;
}

static void put_ignored(struct proc_file *file, const char *value)
{
	view_print(&file->view, "SigIgn:\t%016lx\n",
		(sigmask_t)((parse_hex(&value) & ~GUEST_SIGNALS) | among_guests(file, true)));
}

static void put_caught(struct proc_file *file, const char *value)
{
	view_print(&file->view, "SigCgt:\t%016lx\n",
		(sigmask_t)((parse_hex(&value) & ~GUEST_SIGNALS) | among_guests(file, false)));
}

static bool may_use(const struct facts *facts, uint32_t cpu)
{
	return cpu < cpus() && (!facts || facts->affinity[cpu / 64] & 1ull << cpu % 64);
}

/* Bits in groups of 32, the highest first. */
static void put_cpu_mask(struct view *view, const struct facts *facts)
{
	uint32_t group = (cpus() - 1) / 32;
	bool first = true;

	do {
		uint32_t bits = 0;

		for (uint32_t i = 0; i < 32; i++)
			bits |= (uint32_t)may_use(facts, group * 32 + i) << i;
		view_print(view, first ? "%x" : ",%08x", bits);
		first = false;
	} while (group--);
}

static void put_cpu_list(struct view *view, const struct facts *facts)
{
	const char *between = "";

	for (uint32_t i = 0; i < cpus(); i++) {
		uint32_t first = i;

		if (!may_use(facts, i))
			continue;
		while (may_use(facts, i + 1))
			i++;
		view_print(view, i > first ? "%s%u-%u" : "%s%u", between, first, i);
		between = ",";
	}
}

static void put_cpus(struct proc_file *file, const char *value)
{
	const struct facts *facts = proc_facts(file);

	(void)value;
	view_string(&file->view, "Cpus_allowed:\t");
	put_cpu_mask(&file->view, facts);
	view_string(&file->view, "\nCpus_allowed_list:\t");
	put_cpu_list(&file->view, facts);
	view_string(&file->view, "\n");
}

static void put_groups(struct proc_file *file, const char *value)
{
	const struct facts *facts = proc_facts(file);

	(void)value;
	view_string(&file->view, "Groups:\t");
	for (uint32_t i = 0; facts && i < facts->group_count; i++)
		view_print(&file->view, "%u ", facts->groups[i]);
	view_string(&file->view, facts && facts->group_count ? "\n" : " \n");
}

static void put_no_privileges(struct proc_file *file, const char *value)
{
	const struct facts *facts = proc_facts(file);

	(void)value;
	view_print(&file->view, "NoNewPrivs:\t%u\n", facts ? facts->no_new_privileges : 0);
}

/* What becomes of each line of the kernel's; lines that are not here are left out. */
static const struct line {
	const char *key, *fixed;
	void (*put)(struct proc_file *file, const char *value);
} status_lines[] = {
	{ "Name", NULL, put_name },
	{ "Umask", NULL, NULL },
	{ "State", NULL, put_state },
	{ "Tgid", NULL, NULL },
	{ "Ngid", "0", NULL },
	{ "Pid", NULL, NULL },
	{ "PPid", NULL, NULL },
	{ "TracerPid", NULL, NULL },
	{ "Uid", NULL, NULL },
	{ "Gid", NULL, NULL },
	{ "FDSize", "256", NULL },
	{ "Groups", NULL, put_groups },
	{ "NStgid", NULL, NULL },
	{ "NSpid", NULL, NULL },
	{ "NSpgid", NULL, NULL },
	{ "NSsid", NULL, NULL },
	{ "VmPeak", NULL, put_memory },
	{ "CoreDumping", "0", NULL },
	{ "THP_enabled", "1", NULL },
	{ "Threads", NULL, put_threads },
	{ "SigQ", NULL, put_queued },
	{ "SigPnd", "0000000000000000", NULL },
	{ "ShdPnd", "0000000000000000", NULL },
	{ "SigBlk", NULL, put_blocked },
	{ "SigIgn", NULL, put_ignored },
	{ "SigCgt", NULL, put_caught },
	{ "CapInh", NULL, NULL },
	{ "CapPrm", NULL, NULL },
	{ "CapEff", NULL, NULL },
	{ "CapBnd", NULL, NULL },
	{ "CapAmb", NULL, NULL },
	{ "NoNewPrivs", NULL, put_no_privileges },
	{ "Seccomp", "0", NULL },
	{ "Speculation_Store_Bypass", "not vulnerable", NULL },
	{ "Cpus_allowed", NULL, put_cpus },
	{ "Mems_allowed", "1", NULL },
	{ "Mems_allowed_list", "0", NULL },
	{ "voluntary_ctxt_switches", "1", NULL },
	{ "nonvoluntary_ctxt_switches", "0", NULL },
};

static void put_status_line(struct proc_file *file, const char *line)
{
	for (size_t i = 0; i < sizeof(status_lines) / sizeof(status_lines[0]); i++) {
		const struct line *known = &status_lines[i];
		const char *value = after_prefix(line, known->key);

		if (!value || *value != ':')
			continue;
		value += 2;
		if (known->put)
			known->put(file, value);
		else if (known->fixed)
			view_print(&file->view, "%s:\t%s\n", known->key, known->fixed);
		else
			view_print(&file->view, "%s\n", line);
		return;
	}
}

void proc_status(struct proc_file *file)
{
	struct lines lines;
	char *line;

	proc_kernels(file, &lines, "status");
	if (failed(lines.fd))
		file->error = -ESRCH;
	while (!view_full(&file->view) && (line = lines_next(&lines)))
		put_status_line(file, line);
	lines_close(&lines);
}

/* The fields of stat from the third on, by their numbers in proc(5); only the ones that are
 * taken. */
struct stat_fields {
	char state;
	int64_t value[23]; /* [4] to [22] */
};

static int64_t parse_signed(const char **at)
{
	bool minus = **at == '-';
	int64_t n;

	*at += minus;
	n = (int64_t)parse_decimal(at);
	return minus ? -n : n;
}

/* The name is between the first and the last bracket, and may hold any character. */
static bool parse_stat(char *line, struct stat_fields *fields, const char **name)
{
	char *close = line + strlen(line);
	const char *at;

	while (close > line && *close != ')')
		close--;
	*name = line;
	while (**name && **name != '(')
		++*name;
	if (close <= *name)
		return false;
	++*name;
	*close = 0;
	fields->state = close[2];
	at = close + 4;
	for (int i = 4; i <= 22; i++) {
		fields->value[i] = parse_signed(&at);
		at = skip_spaces(at);
	}
	return true;
}

/* Logical ticks since the command's start; of a process that has no clock, none. */
static uint64_t ticks_of(const struct proc_file *file)
{
	const struct task *task = task_find_process(file->pid);

	return task ? clock_cpu_seen(file->self, task) / TICK_NSEC : 0;
}

static void put_times(struct proc_file *file)
{
	const struct facts *facts = proc_facts(file);
	int nice = facts ? facts->nice : 0;

	/* minflt cminflt majflt cmajflt utime stime cutime cstime */
	view_print(&file->view, "%u 0 0 0 0 %lu 0 0 0 ", PF_RANDOMIZE, ticks_of(file));
	/* priority nice num_threads itrealvalue starttime */
	view_print(&file->view, "%d %d %lu 0 %lu ", 20 + nice, nice, threads_of(file),
		file->pid == INIT ? 0 : START_TICKS);
}

static void put_addresses(struct proc_file *file)
{
	const struct task *task = task_find_process(file->pid);
	struct program_stack stack = { 0 };
	struct proc_memory memory;

	if (task)
		stack = task->stack;
	proc_measure(file, &memory);
	/* vsize rss rsslim startcode endcode startstack kstkesp kstkeip */
	view_print(&file->view, "%lu %lu 18446744073709551615 %lu %lu %lu 0 0 ", memory.total,
		memory.resident / PAGE, memory.code, memory.code_end, stack.base);
	/* signal blocked sigignore sigcatch wchan nswap cnswap exit_signal processor rt_priority
	 * policy delayacct_blkio_ticks guest_time cguest_time start_data end_data start_brk */
	view_print(&file->view, "0 0 0 0 0 0 0 %d 0 0 0 0 0 0 0 0 0 ", SIGCHLD);
	view_print(&file->view, "%lu %lu %lu %lu 0\n", stack.arguments, stack.arguments_end,
		stack.environment, stack.environment_end);
}

void proc_stat(struct proc_file *file)
{
	struct stat_fields fields;
	const char *name;
	struct lines lines;
	char *line;

	proc_kernels(file, &lines, "stat");
	line = lines_next(&lines);
	if (line && parse_stat(line, &fields, &name)) {
		view_print(&file->view, "%d (%s) %c %ld %ld %ld %ld %ld ",
			file->tid ? file->tid : file->pid, file->pid == INIT ? "init" : name,
			state_of(file, fields.state), fields.value[4], fields.value[5],
			fields.value[6], fields.value[7], fields.value[8]);
		put_times(file);
		put_addresses(file);
	} else {
		file->error = -ESRCH;
	}
	lines_close(&lines);
}

void proc_statm(struct proc_file *file)
{
	struct proc_memory memory;

	proc_measure(file, &memory);
	view_print(&file->view, "%lu %lu %lu %lu 0 %lu 0\n", memory.total / PAGE,
		memory.resident / PAGE, memory.shared / PAGE,
		(memory.code_end - memory.code) / PAGE, (memory.data + memory.stack) / PAGE);
}
