/* Calls, flags and commands that came after Linux 5.10 fail the same on every kernel.
 * Does not differ natively: one machine has one kernel. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void show(const char *what, long result)
{
	printf("%s: %s\n", what, result < 0 ? strerrorname_np(errno) : "passes");
}

/* Every number from the first newer one on, in ranges of equal answers. */
static void show_numbers(void)
{
	long first = 441;

	for (long n = 441; n <= 600; n++) {
		long r = syscall(n, -1, 0, 0, 0, 0, 0);

		if (r == -1 && errno == ENOSYS)
			continue;
		printf("%ld answers %ld\n", n, r);
		first = n;
	}
	printf("%ld to 600: ENOSYS\n", first);
}

static void show_flags(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int word = 0, own = (int)syscall(SYS_pidfd_open, getpid(), 0), socket_fd;
	struct {
		unsigned long flags, mode, resolve;
	} how = { O_RDONLY, 0, 0 };

	show("close_range, no flags", syscall(SYS_close_range, 900, 901, 0));
	show("close_range, CLOEXEC", syscall(SYS_close_range, 900, 901, 4));
	show("madvise, DONTNEED", madvise(page, 4096, MADV_DONTNEED));
	show("madvise, PAGEOUT", madvise(page, 4096, 21));
	show("madvise, POPULATE_READ", madvise(page, 4096, 22));
	show("madvise, COLLAPSE", madvise(page, 4096, 25));
	show("madvise, GUARD_INSTALL", madvise(page, 4096, 102));
	show("memfd_create", memfd_create("a", MFD_CLOEXEC | MFD_ALLOW_SEALING));
	show("memfd_create, NOEXEC_SEAL", memfd_create("a", 8));
	show("pidfd_open", own);
	show("pidfd_open, THREAD", syscall(SYS_pidfd_open, getpid(), O_EXCL));
	show("pidfd_send_signal", syscall(SYS_pidfd_send_signal, own, 0, NULL, 0));
	show("pidfd_send_signal, flags", syscall(SYS_pidfd_send_signal, own, 0, NULL, 2));
	show("fcntl, F_DUPFD_QUERY", fcntl(0, 1027, 0));
	show("futex, LOCK_PI2", syscall(SYS_futex, &word, 13, 0, NULL, NULL, 0));
	show("openat2", syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof(how)));
	how.resolve = 0x20;
	show("openat2, RESOLVE_CACHED", syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof(how)));
	show("execveat, AT_EXECVE_CHECK",
		syscall(SYS_execveat, AT_FDCWD, "/bin/sh", NULL, NULL, 0x10000));
	show("prctl, SET_VMA", syscall(SYS_prctl, 0x53564d41, 0, page, 4096, "name"));
	show("prctl, GET_MDWE", syscall(SYS_prctl, 66, 0, 0, 0, 0));
	show("prctl, GET_AUXV", syscall(SYS_prctl, 0x41555856, page, 4096, 0, 0));
	show("arch_prctl, GET_XCOMP_SUPP", syscall(SYS_arch_prctl, 0x1021, page));
	socket_fd = socket(AF_UNIX, SOCK_STREAM, 0);
	word = 1;
	show("setsockopt, PASSCRED",
		setsockopt(socket_fd, SOL_SOCKET, SO_PASSCRED, &word, sizeof(word)));
	show("setsockopt, PASSPIDFD", setsockopt(socket_fd, SOL_SOCKET, 76, &word, sizeof(word)));
}

int main(void)
{
	show_numbers();
	show_flags();
	return 0;
}
