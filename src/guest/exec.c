#include "guest/exec.h"

#include "guest/ahead.h"
#include "guest/descriptor.h"
#include "guest/elf.h"
#include "guest/handlers.h"
#include "guest/names.h"
#include "guest/place.h"
#include "guest/process.h"
#include "guest/recorder.h"
#include "guest/signal.h"
#include "guest/stack.h"
#include "guest/text.h"
#include "guest/turn.h"

#define SCRIPT_LINE  256 /* the kernel's BINPRM_BUF_SIZE */
#define SCRIPT_DEPTH 5	 /* ... and how many interpreters may follow each other */

/* One `#!` line. */
struct script {
	char line[SCRIPT_LINE];
	const char *interpreter, *option; /* into line; option may be NULL */
};

/* An exec under way. */
struct program {
	int dirfd;
	const char *path; /* the program's own memory, or the guest's */
	const char *name; /* what the program calls it */
	uint64_t argv, envp, flags;
	int fd;		  /* what it comes down to: a script's interpreter, else the file itself */
	const char *file; /* its name */
	struct script scripts[SCRIPT_DEPTH];
	int depth;
};

enum verdict {
	EXEC_NATIVE, /* the kernel can do it, or will say what is wrong */
	EXEC_CARRY,  /* the guest has to load it */
	EXEC_LOADER, /* the real loader, run as a program */
	EXEC_SCRIPT, /* another file follows */
	EXEC_WRONG_CLASS,
};

static char *skip_blanks(char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

/* Takes a script's first line apart as the kernel does. False: no interpreter in it. */
static bool script_parse(struct script *script, const char *head, size_t bytes)
{
	char *at, *end;
	size_t n = 0;

	while (n < bytes && n < SCRIPT_LINE - 1 && head[n] != '\n' && head[n])
		n++;
	memcpy(script->line, head, n);
	script->line[n] = 0;
	end = script->line + n;
	while (end > script->line && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = 0;
	at = skip_blanks(script->line + 2);
	script->interpreter = at;
	script->option = NULL;
	while (*at && *at != ' ' && *at != '\t')
		at++;
	if (*at) {
		*at = 0;
		script->option = skip_blanks(at + 1);
	}
	return script->interpreter[0] != 0;
}

/* Who starts a program that names this interpreter? When there is no such file, the kernel
 * says so. */
static enum verdict examine_interpreter(struct thread *self, const char *path)
{
	const struct arena_config *config = &process.arena->config;
	struct kernel_stat st;

	recorder_look(self, (struct name){ AT_FDCWD, (uint64_t)path }, 0, LOOK_NAME | LOOK_READ);
	if (sys(__NR_newfstatat, AT_FDCWD, path, &st, 0))
		return EXEC_NATIVE;
	ahead_look(self, inode_look(self, st.dev, st.ino));
	return st.dev == config->guest_device && st.ino == config->guest_inode &&
			       !config->randomised
		       ? EXEC_NATIVE
		       : EXEC_CARRY;
}

/* What kind of file is it? */
static enum verdict examine(struct thread *self, struct program *program)
{
	char head[2048];
	char interpreter[PATH_MAX];
	long n = sys(__NR_pread64, program->fd, head, sizeof(head), 0);

	if (n < 4)
		return EXEC_NATIVE;
	if (head[0] == '#' && head[1] == '!') {
		if (program->depth == SCRIPT_DEPTH ||
			!script_parse(&program->scripts[program->depth], head, (size_t)n))
			return EXEC_NATIVE;
		return EXEC_SCRIPT;
	}
	switch (elf_examine(program->fd, head, (size_t)n, interpreter, sizeof(interpreter))) {
	case ELF_NOT:
		return EXEC_NATIVE;
	case ELF_WRONG_CLASS:
		return EXEC_WRONG_CLASS;
	case ELF_GUEST:
		return EXEC_LOADER;
	case ELF_STATIC:
		return EXEC_CARRY;
	case ELF_INTERPRETED:
		break;
	}
	return examine_interpreter(self, interpreter);
}

/* Others must not change it while the kernel reads it. */
static void note(struct thread *self, int fd)
{
	struct kernel_stat st;

	if (turns_matter() && sys(__NR_fstat, fd, &st) == 0)
		ahead_executes(self, inode_look(self, st.dev, st.ino));
}

/* The file to run may be the last of a chain of interpreters. */
static enum verdict resolve(struct thread *self, struct program *program)
{
	enum verdict verdict;

	while ((verdict = examine(self, program)) == EXEC_SCRIPT) {
		const char *next = program->scripts[program->depth].interpreter;
		long fd;

		recorder_look(
			self, (struct name){ AT_FDCWD, (uint64_t)next }, 0, LOOK_NAME | LOOK_READ);
		fd = sys(__NR_openat, AT_FDCWD, next, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (failed(fd))
			return EXEC_NATIVE;
		sys(__NR_close, program->fd);
		program->depth++;
		program->fd = (int)fd;
		program->file = next;
		note(self, program->fd);
	}
	return verdict;
}

/* Entries of a NULL-terminated array of the program's, or -EFAULT. */
static long count(uint64_t array)
{
	uint64_t entry;
	long n = 0;

	if (!array)
		return 0;
	for (;; n++) {
		if (copy_in(&entry, array + (uint64_t)n * 8, 8))
			return -EFAULT;
		if (!entry)
			return n;
	}
}

/* How the kernel names a program that was given by descriptor. */
static void put_name(char *at, const struct program *program)
{
	if (program->dirfd == AT_FDCWD || program->name[0] == '/') {
		text_put(at, program->name);
		return;
	}
	at = text_put_number(text_put(at, "/dev/fd/"), program->dirfd);
	if (program->name[0])
		text_put(text_put(at, "/"), program->name);
}

/* The arguments for the guest: a script's chain in front, the note behind the environment. */
struct carried_arguments {
	uint64_t *argv, *envp;
	char *name, *note;
};

static long lay_out_arguments(
	struct thread *self, struct program *program, int fd, struct carried_arguments *out)
{
	long argc = count(program->argv), envc = count(program->envp);
	uint64_t words, *at;
	long memory;

	if (argc < 0 || envc < 0)
		return -EFAULT;
	words = (uint64_t)argc + (uint64_t)envc + 2ul * SCRIPT_DEPTH + 8;
	self->exec_bytes = PAGE_UP(words * 8 + 2 * STACK_NAME_BYTES);
	memory = own_map(self->exec_bytes, -1, 0);
	if (failed(memory))
		return memory;
	self->exec_memory = (void *)memory;
	out->argv = at = (uint64_t *)memory;
	out->name = (char *)memory + words * 8;
	out->note = out->name + STACK_NAME_BYTES;
	put_name(out->name, program);

	for (int i = program->depth - 1; i >= 0; i--) {
		*at++ = (uint64_t)program->scripts[i].interpreter;
		if (program->scripts[i].option)
			*at++ = (uint64_t)program->scripts[i].option;
	}
	if (program->depth) {
		*at++ = (uint64_t)out->name;
		if (argc > 1 && copy_in(at, program->argv + 8, ((uint64_t)argc - 1) * 8))
			return -EFAULT;
		at += argc > 1 ? argc - 1 : 0;
	} else {
		if (argc && copy_in(at, program->argv, (uint64_t)argc * 8))
			return -EFAULT;
		at += argc;
	}
	*at++ = 0;
	out->envp = at;
	if (envc && copy_in(at, program->envp, (uint64_t)envc * 8))
		return -EFAULT;
	at += envc;
	*at++ = (uint64_t)out->note;
	*at = 0;
	text_put(text_put(text_put_number(text_put(out->note, CARRY_NOTE), fd), ":"), out->name);
	return 0;
}

static long carry(struct thread *self, struct program *program, bool loader)
{
	struct carried_arguments arguments;
	long r, fd = -1;

	if (sys(__NR_faccessat2, program->fd, "", 1 /* X_OK */,
		    AT_EMPTY_PATH | 0x200 /* AT_EACCESS */))
		return -EACCES;
	/* The guest of the new program reads it from this descriptor. */
	if (!loader) {
		fd = program->fd;
		sys(__NR_fcntl, fd, F_SETFD, 0);
	}
	r = lay_out_arguments(self, program, (int)fd, &arguments);
	if (r == 0) {
		signal_before_exec(self);
		r = sys_window(
			__NR_execveat, FD_GUEST, "", arguments.argv, arguments.envp, AT_EMPTY_PATH);
		signal_after_failed_exec(self);
	}
	if (self->exec_memory)
		own_unmap(self->exec_memory, self->exec_bytes);
	self->exec_memory = NULL;
	return r;
}

/* The program was given by descriptor: one of our own for it, which can be read. */
static long reopen(int fd)
{
	return descriptor_reopen(fd, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static long open_program(struct program *program)
{
	uint64_t flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

	if ((program->flags & AT_EMPTY_PATH) && string_length((uint64_t)program->path, 1) == 0)
		return reopen(program->dirfd);
	if (program->flags & AT_SYMLINK_NOFOLLOW)
		flags |= O_NOFOLLOW;
	return sys(__NR_openat, program->dirfd, program->path, flags);
}

/* Executing needs no free descriptor, but looking at the file does: a limit that is reached is
 * raised for the moment, when it can be. */
static long open_beyond_limit(struct program *program)
{
	uint64_t limit[2], raised[2];
	long fd;

	if (sys(__NR_prlimit64, 0, RLIMIT_NOFILE, 0, limit))
		return -EMFILE;
	raised[0] = limit[0] + 8 < limit[1] ? limit[0] + 8 : limit[1];
	raised[1] = limit[1];
	sys(__NR_prlimit64, 0, RLIMIT_NOFILE, raised, 0);
	fd = open_program(program);
	sys(__NR_prlimit64, 0, RLIMIT_NOFILE, limit, 0);
	return fd;
}

static long exec_native(struct thread *self)
{
	long r;

	signal_before_exec(self);
	r = pass_on(self);
	signal_after_failed_exec(self);
	return r;
}

static long exec_resolved(struct thread *self, struct program *program)
{
	switch (resolve(self, program)) {
	case EXEC_WRONG_CLASS:
		/* As on a kernel without the 32-bit ABI. Shells and ldd probe; others say so and
		 * end. */
		refuse("%s is a 32-bit program, which Stet cannot run; use a 64-bit one",
			program->file);
		return -ENOEXEC;
	case EXEC_CARRY:
		return carry(self, program, false);
	case EXEC_LOADER:
		return carry(self, program, true);
	default:
		return exec_native(self);
	}
}

/* The registers hold the call as the program made it, for when the kernel can do it alone. */
static long exec_program(struct thread *self, struct program *program)
{
	long r;

	if (!program->path)
		return -EFAULT;
	program->name = program->path;
	program->path = names_own_program(program->path);
	program->file = program->path;
	recorder_look(self, (struct name){ program->dirfd, (uint64_t)program->path },
		program->flags & (AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH), LOOK_NAME | LOOK_READ);
	r = open_program(program);
	if (r == -EMFILE)
		r = open_beyond_limit(program);
	if (failed(r))
		return exec_native(self);
	program->fd = (int)r;
	note(self, program->fd);
	r = recorder_judge(program->fd, O_RDONLY);
	if (r == 0)
		r = exec_resolved(self, program);
	sys(__NR_close, program->fd);
	return r;
}

/* Newer kernels give a program that gets no arguments an empty one; with this, all do. The kernel
 * may take them from the register. */
static long exec_with_arguments(struct thread *self, struct program *program, uint64_t *argv)
{
	static const char *const empty[] = { "", NULL };
	uint64_t asked = *argv, first = 0;
	long r;

	if (!asked || (copy_in(&first, asked, sizeof(first)) == 0 && !first))
		*argv = (uint64_t)empty;
	program->argv = *argv;
	r = exec_program(self, program);
	*argv = asked;
	return r;
}

long handle_execve(struct thread *self)
{
	struct program program = {
		.dirfd = AT_FDCWD,
		.path = (const char *)argument(self, 0),
		.envp = argument(self, 2),
	};

	return exec_with_arguments(self, &program, &self->regs.rsi);
}

long handle_execveat(struct thread *self)
{
	struct program program = {
		.dirfd = (int)argument(self, 0),
		.path = (const char *)argument(self, 1),
		.envp = argument(self, 3),
		.flags = argument(self, 4),
	};

	return exec_with_arguments(self, &program, &self->regs.rdx);
}
