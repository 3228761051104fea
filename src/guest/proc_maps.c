/*
 * A process's memory, from the kernel's own list: without what belongs to the guest, and with the
 * files themselves in place of their rewritten copies.
 */
#include "guest/numbers.h"
#include "guest/proc_file.h"
#include "guest/task.h"
#include "guest/text.h"

#define NAME_COLUMN 73
#define NAME_ROOM   4096
#define DIGEST	    64 /* hexadecimal digits that names of cached copies begin with */

struct mapping {
	uint64_t start, end, offset, inode;
	char rights[5];
	const char *name; /* "" when it has none */
};

/* The way through one process's list. */
struct walk {
	struct proc_file *file;
	struct lines lines;
	bool numbers;		      /* inode columns are wanted */
	uint64_t stack, heap;	      /* addresses in the program's, or 0 */
	uint64_t last_end;	      /* of the mapping before */
	uint64_t last_inode;	      /* ... and what its inode column shows, or 0 */
	char last[NAME_ROOM];	      /* ... and its name */
	const struct code_slot *slot; /* of the copy that was met last, or NULL */
};

static void parse(const char *line, struct mapping *m)
{
	m->start = parse_hex(&line);
	line++;
	m->end = parse_hex(&line);
	line++;
	memcpy(m->rights, line, 4);
	m->rights[4] = 0;
	line += 5;
	m->offset = parse_hex(&line);
	line = skip_spaces(line);
	while (*line && *line != ' ') /* the device */
		line++;
	line = skip_spaces(line);
	m->inode = parse_decimal(&line);
	m->name = skip_spaces(line);
}

static void walk_open(struct walk *walk, struct proc_file *file, bool numbers)
{
	const struct task *task = task_find_process(file->pid);

	walk->file = file;
	walk->numbers = numbers;
	walk->stack = task ? task->stack.base : 0;
	walk->heap = task ? task->stack.heap : 0;
	walk->last_end = walk->last_inode = 0;
	walk->last[0] = 0;
	walk->slot = NULL;
	proc_kernels(file, &walk->lines, "maps");
	if (failed(walk->lines.fd))
		file->error = walk->lines.fd == -ENOENT ? -ESRCH : walk->lines.fd;
}

static bool is_copy(const char *name)
{
	for (int i = 1; i <= DIGEST; i++)
		if (!(name[i] >= '0' && name[i] <= '9') && !(name[i] >= 'a' && name[i] <= 'f'))
			return false;
	return name[0] == '/' && name[DIGEST + 1] == '-';
}

/* The supervisor's word on a copy, by its name. */
static const struct code_slot *find_slot(const char *digest)
{
	for (int i = 0; i < CODE_SLOTS; i++) {
		const struct code_slot *slot = &process.arena->code[i];

		if (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) == CODE_READY &&
			memcmp(slot->name, digest, DIGEST) == 0)
			return slot;
	}
	return NULL;
}

/* Which part of which file a copy stands for; its stubs and its code follow each other. That is not
 * read from the copy: it loses its name when another run prunes the cache, or has made the same. */
static bool know_copy(struct walk *walk, const char *name)
{
	if (!walk->slot || memcmp(walk->slot->name, name + 1, DIGEST) != 0)
		walk->slot = find_slot(name + 1);
	return walk->slot;
}

/* The file's next segment follows without a gap. */
static bool find_next(struct walk *walk, uint64_t end)
{
	struct lines lines;
	struct mapping m;
	bool found = false;
	char *line;

	proc_kernels(walk->file, &lines, "maps");
	while (!found && (line = lines_next(&lines))) {
		parse(line, &m);
		if (m.start < end)
			continue;
		found = m.start == end && m.name[0] == '/' && !is_copy(m.name);
		if (found)
			memcpy(walk->last, m.name, strlen(m.name) + 1);
		break;
	}
	lines_close(&lines);
	return found;
}

static void find_program(struct walk *walk)
{
	char link[64];
	long n;

	text_put(text_put(link, walk->file->directory), "/exe");
	n = sys(__NR_readlinkat, FD_PROC, link, walk->last, NAME_ROOM - 1);
	walk->last[n > 0 ? n : 0] = 0;
}

/* Of a copy: the file that it stands for, which its other segments name. False: the program knows
 * nothing of this part. */
static bool resolve(struct walk *walk, struct mapping *m)
{
	const struct code_slot *slot;

	if (!know_copy(walk, m->name))
		return false;
	slot = walk->slot;
	if (m->offset < slot->copy_offset || m->offset >= slot->copy_offset + slot->length)
		return false;
	m->offset = m->offset - slot->copy_offset + slot->source_offset;
	if (walk->last_end != m->start || walk->last[0] != '/') {
		walk->last_inode = 0;
		if (!find_next(walk, m->end))
			find_program(walk);
	}
	m->name = walk->last;
	return true;
}

static bool is_kernels(const char *name)
{
	return after_prefix(name, "[v");
}

/* The heap is the guest's business, and the kernel may not know where a program's stack is. Names
 * that a program gave to its memory are newer than the machine's kernel. */
static void label(struct walk *walk, struct mapping *m)
{
	if (m->start <= walk->stack && walk->stack < m->end)
		m->name = "[stack]";
	else if (after_prefix(m->name, "[stack") || after_prefix(m->name, "[anon"))
		m->name = "";
	if (!m->inode && m->start <= walk->heap && walk->heap < m->end)
		m->name = "[heap]";
}

/* The number that stat shows. */
static uint64_t shown_inode(struct walk *walk, const struct mapping *m)
{
	const struct name name = { AT_FDCWD, (uint64_t)m->name };
	struct thread *self = walk->file->self;
	struct kernel_stat st;

	if (!m->inode)
		return 0;
	if (!name_status(name, 0, &st))
		return number_by_text(self, inode_look(self, 0, m->inode), m->name);
	if (names_is_guest(st.dev, st.ino))
		sys(__NR_fstat, FD_LOADER, &st);
	return number_of(self, inode_look(self, st.dev, st.ino), &st, name, 0);
}

/* What the next segment may need to know. */
static void remember(struct walk *walk, struct mapping *m)
{
	const char *rest = after_prefix(m->name, walk->last);

	if (!m->inode || !rest || *rest || !walk->last_inode)
		walk->last_inode = walk->numbers ? shown_inode(walk, m) : m->inode;
	m->inode = walk->last_inode;
	walk->last_end = m->end;
	if (m->name != walk->last)
		memcpy(walk->last, m->name, strlen(m->name) + 1);
}

static bool walk_next(struct walk *walk, struct mapping *m)
{
	char *line;

	while ((line = lines_next(&walk->lines))) {
		parse(line, m);
		if (guest_range(m->start, m->end - m->start) || is_kernels(m->name) ||
			strlen(m->name) >= NAME_ROOM)
			continue;
		if (is_copy(m->name) && !resolve(walk, m))
			continue;
		label(walk, m);
		remember(walk, m);
		return true;
	}
	return false;
}

static void put_mapping(struct view *view, const struct mapping *m)
{
	uint64_t start = view->at;

	view_print(view, "%08lx-%08lx %s %08lx %02x:%02x %lu ", m->start, m->end, m->rights,
		m->offset, m->inode ? ORDINARY_MAJOR : 0, m->inode ? ORDINARY_MINOR : 0, m->inode);
	if (m->name[0]) {
		while (view->at < start + NAME_COLUMN && !view_full(view))
			view_put(view, " ", 1);
		view_string(view, m->name);
	}
	view_string(view, "\n");
}

void proc_maps(struct proc_file *file)
{
	struct walk walk;
	struct mapping m;

	walk_open(&walk, file, true);
	while (!view_full(&file->view) && walk_next(&walk, &m))
		put_mapping(&file->view, &m);
	lines_close(&walk.lines);
}

/* How much of it is in memory: all that can be touched, which needs no look at page tables. */
static uint64_t resident(const struct mapping *m)
{
	return m->rights[0] == 'r' || m->rights[1] == 'w' || m->rights[2] == 'x' ? m->end - m->start
										 : 0;
}

/* The part of a mapping's, or a whole process's, numbers that smaps shows. */
static void put_numbers(struct view *view, uint64_t kib, uint64_t dirty)
{
	const struct {
		const char *name;
		uint64_t kib;
	} lines[] = {
		{ "Rss:", kib },
		{ "Pss:", kib },
		{ "Shared_Clean:", 0 },
		{ "Shared_Dirty:", 0 },
		{ "Private_Clean:", kib - dirty },
		{ "Private_Dirty:", dirty },
		{ "Referenced:", kib },
		{ "Anonymous:", dirty },
		{ "LazyFree:", 0 },
		{ "AnonHugePages:", 0 },
		{ "ShmemPmdMapped:", 0 },
		{ "FilePmdMapped:", 0 },
		{ "Shared_Hugetlb:", 0 },
		{ "Private_Hugetlb:", 0 },
		{ "Swap:", 0 },
		{ "SwapPss:", 0 },
		{ "Locked:", 0 },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		view_print(view, "%-16s%8lu kB\n", lines[i].name, lines[i].kib);
}

static uint64_t dirty_of(const struct mapping *m)
{
	return m->rights[1] == 'w' ? resident(m) : 0;
}

static void put_flags(struct view *view, const struct mapping *m)
{
	view_string(view, "VmFlags: ");
	view_string(view, m->rights[0] == 'r' ? "rd " : "");
	view_string(view, m->rights[1] == 'w' ? "wr " : "");
	view_string(view, m->rights[2] == 'x' ? "ex " : "");
	view_string(view, m->rights[3] == 's' ? "sh " : "");
	view_string(view, "mr mw me ");
	view_string(view, m->rights[3] == 's' ? "ms " : "");
	view_string(view, after_prefix(m->name, "[stack]") ? "gd " : "");
	view_string(view, m->rights[1] == 'w' ? "ac \n" : "\n");
}

void proc_smaps(struct proc_file *file)
{
	struct walk walk;
	struct mapping m;

	walk_open(&walk, file, true);
	while (!view_full(&file->view) && walk_next(&walk, &m)) {
		put_mapping(&file->view, &m);
		view_print(&file->view, "%-16s%8lu kB\n%-16s%8u kB\n%-16s%8u kB\n",
			"Size:", (m.end - m.start) / 1024, "KernelPageSize:", 4u,
			"MMUPageSize:", 4u);
		put_numbers(&file->view, resident(&m) / 1024, dirty_of(&m) / 1024);
		view_print(&file->view, "%-16s%8u\n", "THPeligible:", 0u);
		put_flags(&file->view, &m);
	}
	lines_close(&walk.lines);
}

void proc_smaps_rollup(struct proc_file *file)
{
	struct mapping m, all = { 0 };
	uint64_t kib = 0, dirty = 0;
	struct walk walk;

	walk_open(&walk, file, false);
	while (walk_next(&walk, &m)) {
		if (!all.start)
			all.start = m.start;
		all.end = m.end;
		kib += resident(&m) / 1024;
		dirty += dirty_of(&m) / 1024;
	}
	lines_close(&walk.lines);
	all.name = "[rollup]";
	memcpy(all.rights, "---p", 5);
	put_mapping(&file->view, &all);
	put_numbers(&file->view, kib, dirty);
}

static void count(struct proc_memory *memory, const struct mapping *m)
{
	uint64_t bytes = m->end - m->start;

	memory->total += bytes;
	memory->resident += resident(m);
	if (m->rights[2] == 'x') {
		if (!memory->code)
			memory->code = m->start, memory->code_end = m->end;
		else
			memory->library += bytes;
	}
	if (m->inode)
		memory->shared += bytes;
	if (after_prefix(m->name, "[stack]"))
		memory->stack += bytes;
	else if (m->rights[1] == 'w' && m->rights[3] == 'p')
		memory->data += bytes;
}

void proc_measure(struct proc_file *file, struct proc_memory *memory)
{
	uint64_t limit = process.arena->config.machine.memory / 4;
	struct walk walk;
	struct mapping m;

	*memory = (struct proc_memory){ 0 };
	walk_open(&walk, file, false);
	while (walk_next(&walk, &m))
		count(memory, &m);
	lines_close(&walk.lines);
	file->error = 0; /* who may not see it sees zeros */
	if (memory->resident > limit)
		memory->resident = limit;
	if (memory->shared > memory->resident)
		memory->shared = memory->resident;
}
