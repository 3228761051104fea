#include "guest/launch.h"

#include "guest/handlers.h"
#include "guest/process.h"
#include "guest/text.h"

static long try(struct thread *self, const char *path, char **argv, char **envp)
{
	self->regs.rax = __NR_execve;
	self->regs.rdi = (uint64_t)path;
	self->regs.rsi = (uint64_t)argv;
	self->regs.rdx = (uint64_t)envp;
	return handle_execve(self);
}

static const char *search_path(char **envp)
{
	for (; *envp; envp++)
		if (memcmp(*envp, "PATH=", 5) == 0)
			return *envp + 5;
	return "/usr/local/bin:/usr/bin:/bin";
}

/* Each directory of PATH, as execvp does: the last error that is not "not there" counts. */
static long search(struct thread *self, char **argv, char **envp)
{
	const char *dir = search_path(envp);
	long result = -ENOENT;

	while (*argv[0]) {
		char path[PATH_MAX + 256];
		size_t n = 0;
		long r;

		while (dir[n] && dir[n] != ':')
			n++;
		if (n + strlen(argv[0]) + 2 <= sizeof(path)) {
			memcpy(path, dir, n);
			text_put(text_put(path + n, n ? "/" : "./"), argv[0]);
			r = try(self, path, argv, envp);
			if (r != -ENOENT && r != -ENOTDIR && r != -EACCES)
				return r;
			if (r == -EACCES)
				result = r;
		}
		if (!dir[n])
			break;
		dir += n + 1;
	}
	return result;
}

_Noreturn void launch(struct thread *self, char **argv, char **envp)
{
	bool direct = false;
	long r;

	for (const char *c = argv[0]; *c; c++)
		direct |= *c == '/';
	r = direct ? try(self, argv[0], argv, envp) : search(self, argv, envp);
	if (r == -ENOEXEC && process.arena->refusal.state == 2)
		fatal("%s", process.arena->refusal.text);
	process.arena->config.launch_error = (int32_t)-r;
	for (;;)
		sys(__NR_exit_group, r == -ENOENT ? 127 : 126);
}
