/*
 * Writes doc/sources.md, the page on what makes each system call and instruction deterministic,
 * from the tables of the guest; with --check it says whether the page is current.
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/calls.h"
#include "arena/layout.h"
#include "base/cleanup.h"

#define TROUBLE 125

struct section {
	enum call_class class;
	const char *title, *text;
};

static const struct section sections[] = {
	{ CALL_LOCAL, "Local",
		"The answer depends on the process's own past alone, so it is given at once, in no "
		"order with other tasks." },
	{ CALL_SHARED, "Shared",
		"The call touches what other tasks can reach, so it is made in the task's turn." },
	{ CALL_EMULATED, "Emulated",
		"The call waits for other tasks, acts on them, or reads a clock: the guest does it "
		"itself, in logical time; what the reason says to wait in the kernel does so while "
		"others go on." },
	{ CALL_PASSED, "Passed",
		"The call goes to the kernel in no order: its answer is deterministic as it is, or "
		"the reason says why it is not." },
	{ CALL_REFUSED, "Refused",
		"The call fails, the same on every host: with `EPERM`, as it does for an "
		"unprivileged user, or with `ENOSYS`, as on a kernel without it. Numbers that have "
		"no name here give `ENOSYS`." },
};

static const char intro[] =
	"# System calls and instructions, and what makes each deterministic\n"
	"\n"
	"Generated from `src/guest/syscalls.def`, `newer.def` and `instructions.def` by\n"
	"`ninja -C build sources`; a change belongs there.\n"
	"\n"
	"This is what each call is with full determinism. What `--relax` names is left as the\n"
	"kernel has it. The last column says what the call means for caching and for the search "
	"of\n"
	"causes: it *looks* at something outside of the process, *changes* something there, is\n"
	"*neutral*, or *impure* (its process is no function of the files that it reads).\n";

/* Instructions, as src/guest/instructions.def has them. */
enum way { WAY_BOTH, WAY_FAULTS, WAY_REWRITTEN, WAY_FREE };

static const struct instruction {
	const char *name;
	enum way way;
	const char *source, *reason;
} instructions[] = {
#define INSTRUCTION(NAME, WAY, SOURCE, REASON) { #NAME, WAY_##WAY, SOURCE, REASON },
#include "guest/instructions.def"
#undef INSTRUCTION
};

/* What came after the fixed kernel, as src/guest/newer.def has it. */
static const struct newer {
	const char *call, *error, *since, *what;
} newer[] = {
#define NEWER(CALL, ARGUMENT, KIND, LOW, HIGH, ERROR, SINCE, WHAT) { #CALL, #ERROR, SINCE, WHAT },
#include "guest/newer.def"
#undef NEWER
};

static unsigned count_of(enum call_class class)
{
	unsigned count = 0;

	for (unsigned number = 0; number < SYSCALL_LIMIT; number++) {
		const struct call_info *call = call_info(number);

		count += call && call->class == class;
	}
	return count;
}

static void write_call(FILE *out, unsigned number, const struct call_info *call)
{
	static const char *const roles[] = {
		[CALL_LOOKS] = "looks",
		[CALL_CHANGES] = "changes",
		[CALL_NEUTRAL] = "neutral",
		[CALL_IMPURE] = "impure",
	};

	fprintf(out, "| %u | `%s` | %s | %s |\n", number, call->name, call->reason,
		call->class == CALL_REFUSED ? call->handler : roles[call->role]);
}

static void write_section(FILE *out, const struct section *section)
{
	fprintf(out, "\n## %s: %u calls\n\n%s\n\n| number | call | why, and what is done | %s |\n",
		section->title, count_of(section->class), section->text,
		section->class == CALL_REFUSED ? "error" : "role");
	fprintf(out, "|---|---|---|---|\n");
	for (unsigned number = 0; number < SYSCALL_LIMIT; number++) {
		const struct call_info *call = call_info(number);

		if (call && call->class == section->class)
			write_call(out, number, call);
	}
}

static void write_newer(FILE *out)
{
	fprintf(out,
		"\n## Newer than the fixed kernel\n\n"
		"Whatever the host has, programs find Linux 5.10. Calls that came later are among "
		"the refused ones above. Flags and commands that came later, of calls that are "
		"older, fail as they do there, unless `proc` is relaxed:\n\n"
		"| call | what | since | error |\n|---|---|---|---|\n");
	for (size_t i = 0; i < sizeof(newer) / sizeof(newer[0]); i++)
		fprintf(out, "| `%s` | %s | %s | %s |\n", newer[i].call, newer[i].what,
			newer[i].since, newer[i].error);
}

static void write_instructions(FILE *out)
{
	static const char *const ways[] = {
		[WAY_BOTH] = "rewritten, and faults elsewhere",
		[WAY_FAULTS] = "faults",
		[WAY_REWRITTEN] = "rewritten",
		[WAY_FREE] = "no",
	};

	fprintf(out,
		"\n## Instructions\n\n"
		"Besides system calls, these are the ways in which a program can learn what is no "
		"function of its own state. *Rewritten*: in the code cache's copy of every file "
		"that is mapped to be executed. *Faults*: in any code.\n\n"
		"| instruction | shows | caught | what is done |\n|---|---|---|---|\n");
	for (size_t i = 0; i < sizeof(instructions) / sizeof(instructions[0]); i++)
		fprintf(out, "| `%s` | %s | %s | %s |\n", instructions[i].name,
			instructions[i].source, ways[instructions[i].way], instructions[i].reason);
}

static char *page_make(size_t *length)
{
	char *page;
	FILE *out = open_memstream(&page, length);

	if (!out)
		err(TROUBLE, "cannot make the page");
	fputs(intro, out);
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		write_section(out, &sections[i]);
	write_newer(out);
	write_instructions(out);
	if (fclose(out))
		err(TROUBLE, "cannot make the page");
	return page;
}

static int check(const char *path, const char *page, size_t length)
{
	cleanup_file FILE *file = fopen(path, "re");
	cleanup_free char *found = malloc(length + 1);

	if (!file || !found)
		err(TROUBLE, "cannot read %s", path);
	if (fread(found, 1, length + 1, file) == length && memcmp(found, page, length) == 0)
		return 0;
	warnx("%s is not what the tables in src/guest say; run: ninja -C build sources", path);
	return 1;
}

static int save(const char *path, const char *page, size_t length)
{
	FILE *file = fopen(path, "we");

	if (!file || fwrite(page, 1, length, file) != length || fclose(file))
		err(TROUBLE, "cannot write %s", path);
	return 0;
}

int main(int argc, char **argv)
{
	bool checking = argc == 3 && strcmp(argv[1], "--check") == 0;
	cleanup_free char *page = NULL;
	size_t length;

	if (argc != 2 && !checking)
		errx(TROUBLE, "usage: sources [--check] FILE");
	page = page_make(&length);
	return checking ? check(argv[2], page, length) : save(argv[1], page, length);
}
