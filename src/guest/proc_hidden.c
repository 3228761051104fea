/* Names below /proc that its fixed tree does not have: programs find nothing there. */
#include "guest/proc.h"
#include "guest/proc_file.h"
#include "guest/sys.h"
#include "guest/task.h"
#include "guest/text.h"

/* Is there such an entry, or are there entries below? */
static bool leads_on(const struct proc_entry *table, const char *name)
{
	for (; table->name; table++) {
		const char *rest = after_prefix(table->name, name);

		if (rest && (!*rest || *rest == '/'))
			return true;
	}
	return false;
}

/* A descriptor's number in fd/ or fdinfo/ that is the guest's own. */
static bool hides_descriptor(const char *name)
{
	uint64_t number;
	const char *end = after_number(name, &number);

	return end && descriptor_hidden(number);
}

/* Of init only what everybody may see of every process. */
static bool init_hides(const char *name)
{
	static const char *const shown[] = { "cgroup", "cmdline", "comm", "limits", "oom_score",
		"stat", "statm", "status", "task" };

	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		if (text_same(shown[i], name))
			return false;
	return !after_prefix(name, "task/");
}

/* The kernel has threads that end for a moment more; a process, until somebody waits for it. */
static bool is_gone(uint64_t tid, uint64_t pid)
{
	return tid != pid && pid != INIT && task_find(thread_self(), (int32_t)tid) == NO_TASK;
}

/* Below a process's or thread's directory. */
static bool process_hides(const char *name, uint64_t pid)
{
	const char *rest;
	uint64_t tid;

	if (!*name)
		return false;
	if (pid == INIT && init_hides(name))
		return true;
	if ((rest = after_prefix(name, "fd/")) || (rest = after_prefix(name, "fdinfo/")))
		return hides_descriptor(rest);
	if ((rest = after_prefix(name, "net/")))
		return *rest && !leads_on(proc_network, rest);
	if ((rest = after_prefix(name, "task/"))) {
		rest = after_number(rest, &tid);
		return rest && (is_gone(tid, pid) || process_hides(after_slash(rest), pid));
	}
	/* What a link leads to is not ours to judge. */
	if (after_prefix(name, "cwd/") || after_prefix(name, "root/"))
		return false;
	return !leads_on(proc_process, name);
}

/* `path` is below /proc. */
static bool hides(const char *path)
{
	const char *rest;
	uint64_t pid;

	if (!*path)
		return false;
	if ((rest = after_number(path, &pid)))
		return process_hides(after_slash(rest), pid);
	if ((rest = after_prefix(path, "self/")) || (rest = after_prefix(path, "thread-self/")))
		return process_hides(rest, (uint64_t)sys(__NR_getpid));
	if ((rest = after_prefix(path, "net/")))
		return *rest && !leads_on(proc_network, rest);
	if ((rest = after_prefix(path, "sys/")))
		return *rest && !leads_on(proc_sysctls, rest);
	return !leads_on(proc_machine, path);
}

/* Copies the path without double slashes, "." and a slash at the end; false when it does not fit or
 * goes up, which is rare and then judged when the file is read. */
static bool tidy(char *to, size_t room, const char *from)
{
	size_t n = 0;

	while (*from) {
		const char *end = from;

		while (*end && *end != '/')
			end++;
		if (n + (size_t)(end - from) + 2 > room ||
			(end - from == 2 && from[0] == '.' && from[1] == '.'))
			return false;
		if (end > from && !(end - from == 1 && *from == '.')) {
			if (n)
				to[n++] = '/';
			memcpy(to + n, from, (size_t)(end - from));
			n += (size_t)(end - from);
		}
		from = after_slash(end);
	}
	to[n] = 0;
	return true;
}

bool proc_absent(const char *path)
{
	char below[256];

	if (path[0] != '/')
		return false;
	path = after_prefix(after_slash(path), "proc/");
	return path && !(process.relax & RELAX_PROC) && tidy(below, sizeof(below), path) &&
	       hides(below);
}

bool proc_hidden(const char *directory, const char *name)
{
	const char *below = after_prefix(directory, "/proc");
	char path[512];

	if (!below || (*below && *below != '/') || (process.relax & RELAX_PROC) ||
		strlen(below) + strlen(name) + 2 > sizeof(path) || text_same(name, ".") ||
		text_same(name, ".."))
		return false;
	below = after_slash(below);
	text_put(text_put(text_put(path, below), *below ? "/" : ""), name);
	return hides(path);
}
