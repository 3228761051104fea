/* What a program finds after exec: arguments, environment, auxiliary vector, /proc/self; and exec's
 * errors. */
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

extern char **environ;
extern char _start[], __ehdr_start[];

static void check_vector(char **argv)
{
	expect_true("AT_PAGESZ", getauxval(AT_PAGESZ) == 4096);
	expect_true("AT_PHDR",
		getauxval(AT_PHDR) > (unsigned long)__ehdr_start && getauxval(AT_PHNUM) > 4);
	expect_true("AT_ENTRY", getauxval(AT_ENTRY) == (unsigned long)_start);
	expect_true("AT_BASE", getauxval(AT_BASE) != 0);
	expect_true("AT_RANDOM", getauxval(AT_RANDOM) != 0);
	expect("AT_SECURE", (long)getauxval(AT_SECURE), 0);
	expect_true("AT_UID", getauxval(AT_UID) == getuid());
	expect("AT_EXECFN", strcmp((char *)getauxval(AT_EXECFN), argv[0]), 0);
	expect_true("the stack is aligned", ((unsigned long)(argv - 1) & 15) == 0);
}

static long read_file(const char *path, char *buffer, size_t size)
{
	int file = open(path, O_RDONLY);
	must(file >= 0);
	long length = read(file, buffer, size - 1);
	must(length >= 0);
	buffer[length] = 0;
	close(file);
	return length;
}

static void check_proc(char **argv)
{
	char text[8192], link[4096];
	long length = read_file("/proc/self/cmdline", text, sizeof(text));
	expect("cmdline: first word", strcmp(text, argv[0]), 0);
	expect("cmdline: second word", strcmp(text + strlen(text) + 1, argv[1]), 0);
	expect_true("cmdline: length",
		length == (long)(strlen(argv[0]) + strlen(argv[1]) + strlen(argv[2]) + 3));
	read_file("/proc/self/comm", text, sizeof(text));
	expect("comm", strcmp(text, "exec_details\n"), 0);
	length = readlink("/proc/self/exe", link, sizeof(link) - 1);
	link[length > 0 ? length : 0] = 0;
	expect("exe", strcmp(strrchr(link, '/') + 1, "exec_details"), 0);
	read_file("/proc/self/environ", text, sizeof(text));
	expect("environ", strcmp(text, "ONLY=this"), 0);
}

static int second_life(char **argv)
{
	expect("arguments", argv[2][0] == 0 && argv[3] == NULL, 1);
	expect("environment", strcmp(environ[0], "ONLY=this") == 0 && environ[1] == NULL, 1);
	check_vector(argv);
	check_proc(argv);
	expect_errno("a descriptor with O_CLOEXEC is closed", fcntl(7, F_GETFD), EBADF);
	expect("one without is open", fcntl(8, F_GETFD), 0);
	return verdict();
}

static void check_errors(void)
{
	char *words[] = { "x", NULL };
	static char long_word[200000];
	char *too_long[] = { "x", long_word, NULL };
	memset(long_word, 'a', sizeof(long_word) - 1);
	expect_errno("a missing file", execv("/no/such", words), ENOENT);
	expect_errno("a directory", execv("/", words), EACCES);
	expect_errno("below a file", execv("/etc/passwd/x", words), ENOTDIR);
	expect_errno("not executable", execv("/etc/passwd", words), EACCES);
	expect_errno("an empty path", execv("", words), ENOENT);
	expect_errno("a word of 200000 bytes", execv("/bin/true", too_long), E2BIG);
	int file = open("garbage", O_WRONLY | O_CREAT, 0755);
	must(file >= 0 && write(file, "\177ELFgarbage", 11) == 11 && close(file) == 0);
	expect_errno("a broken ELF file", execv("./garbage", words), ENOEXEC);
	file = open("garbage", O_WRONLY | O_TRUNC);
	must(file >= 0 && write(file, "echo hello\n", 11) == 11);
	expect_errno("while it is open for writing", execv("./garbage", words), ETXTBSY);
	close(file);
	expect_errno("a script without #!", execv("./garbage", words), ENOEXEC);
	file = open("garbage", O_WRONLY | O_TRUNC);
	must(file >= 0 && write(file, "#!/no/such/interpreter\n", 23) == 23 && close(file) == 0);
	expect_errno("a missing interpreter", execv("./garbage", words), ENOENT);
	unlink("garbage");
}

/* execveat and fexecve of a descriptor. */
static void check_descriptor(void)
{
	int status, file = open("/bin/sh", O_RDONLY | O_CLOEXEC);
	char *words[] = { "sh", "-c", "exit 19", NULL };
	pid_t child = fork();
	if (child == 0) {
		fexecve(file, words, environ);
		_exit(1);
	}
	must(waitpid(child, &status, 0) == child);
	expect("fexecve", WEXITSTATUS(status), 19);
	child = fork();
	if (child == 0) {
		int directory = open("/bin", O_PATH | O_DIRECTORY);
		execveat(directory, "sh", words, environ, 0);
		_exit(1);
	}
	must(waitpid(child, &status, 0) == child);
	expect("execveat", WEXITSTATUS(status), 19);
}

int main(int argc, char **argv)
{
	char *words[] = { argv[0], "second life", "", NULL },
	     *environment[] = { "ONLY=this", NULL };
	if (argc > 1)
		return second_life(argv);
	check_errors();
	check_descriptor();
	if (check_failures)
		return verdict();
	must(dup2(1, 7) == 7 && fcntl(7, F_SETFD, FD_CLOEXEC) == 0 && dup2(1, 8) == 8);
	execve(argv[0], words, environment);
	must(!"exec");
}
