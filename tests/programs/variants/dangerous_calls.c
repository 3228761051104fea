/*
 * Calls that could leave the container, or that are not supported, fail with ENOSYS or EPERM. Their
 * arguments are such that nothing happens where one is not refused: it then fails with another
 * errno.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TRY(name, ...) refused(#name, syscall(SYS_##name, __VA_ARGS__))

static int accepted;

static void refused(const char *name, long result)
{
	if (result == -1 && (errno == ENOSYS || errno == EPERM))
		return;
	printf("%s: %ld (%s)\n", name, result, result == -1 ? strerror(errno) : "success");
	accepted++;
}

int main(void)
{
	static char zeros[4096];
	TRY(mount, "none", "/no/such", "tmpfs", 0L, 0L);
	TRY(umount2, "/no/such", 0);
	TRY(pivot_root, "/no/such", "/no/such");
	TRY(fsopen, "no such", 0);
	TRY(open_tree, -100, "/no/such", 1);
	TRY(bpf, 9999, zeros, 128);
	TRY(init_module, zeros, 0L, "");
	TRY(finit_module, -1, "", 0);
	TRY(delete_module, "no such", 0);
	TRY(kexec_load, 0, 9999, 0, 0);
	TRY(perf_event_open, zeros, 0, -1, -1, 0);
	TRY(io_uring_setup, 0, zeros);
	TRY(userfaultfd, 0xffff);
	TRY(reboot, 0, 0, 0, 0);
	TRY(swapon, "/no/such", 0);
	TRY(unshare, 0x10000000 | 1);
	TRY(setns, -1, 0);
	TRY(acct, "/no/such");
	TRY(fanotify_init, 0xffff, 0);
	TRY(open_by_handle_at, 0, zeros, 0);
	return accepted ? 1 : 0;
}
