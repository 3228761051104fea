/* Links of /proc that name an object by a number of the kernel's. */
#include "guest/lines.h"
#include "guest/numbers.h"
#include "guest/proc.h"
#include "guest/text.h"

#define FIRST_NAMESPACE 4026531832ul /* as the kernel counts them from boot */

/* In the order of the kernel's first ones; a number each, whatever the container has. */
static const char *const namespaces[] = { "pid:[", "uts:[", "ipc:[", "mnt:[", "user:[", "net:[",
	"cgroup:[", "time:[" };

/* The number that a target of this form shows, or 0 when it is none. */
static uint64_t number_for(struct thread *self, const char *target, const struct kernel_stat *to)
{
	if (after_prefix(target, "pipe:[") || after_prefix(target, "socket:["))
		return number_of(self, inode_look(self, to->dev, to->ino), to,
			(struct name){ -1, 0 }, AT_EMPTY_PATH);
	for (size_t i = 0; i < sizeof(namespaces) / sizeof(namespaces[0]); i++)
		if (after_prefix(target, namespaces[i]))
			return FIRST_NAMESPACE + i;
	return 0;
}

/* "KIND:[", which paths hardly ever begin with. */
static bool looks_so(const char *target)
{
	int n = 0;

	while (target[n] >= 'a' && target[n] <= 'z')
		n++;
	return n && target[n] == ':' && target[n + 1] == '[';
}

/* The number in "/proc/N/exe", or 0. */
static int32_t whose_program(uint64_t path)
{
	char text[32];
	long length = string_length(path, sizeof(text));
	const char *at;
	int32_t pid;

	if (length < 0 || length >= (long)sizeof(text) || copy_in(text, path, (size_t)length + 1))
		return 0;
	at = after_prefix(text, "/proc/");
	if (!at)
		return 0;
	pid = (int32_t)parse_decimal(&at);
	at = after_prefix(at, "/exe");
	return at && !*at ? pid : 0;
}

/* For the kernel, a program that the guest carries is the guest; which one it is stands at the same
 * place in each. Answers the new length. */
static long carried_program(int32_t pid, uint64_t buffer, long length, long room)
{
	char path[sizeof(program_path)];
	bool carried = false;
	const struct iovec {
		const void *base;
		uint64_t bytes;
	} here[2] = { { &carried, sizeof(carried) }, { path, sizeof(path) } },
	  there[2] = { { &process.carried, sizeof(carried) },
		  { program_path, sizeof(program_path) } };

	if (sys(__NR_process_vm_readv, pid, here, 2, there, 2, 0) <= 0 || !carried)
		return length;
	path[sizeof(path) - 1] = 0;
	length = (long)strlen(path);
	length = length < room ? length : room;
	return copy_out(buffer, path, (size_t)length) ? -EFAULT : length;
}

long proc_link(
	struct thread *self, int dirfd, uint64_t path, uint64_t buffer, long length, long room)
{
	struct kernel_stat link, to;
	char target[64];
	uint64_t number;
	int32_t pid;
	char *at;

	if (process.relax & RELAX_PROC)
		return length;
	pid = whose_program(path);
	if (pid)
		return carried_program(pid, buffer, length, room);
	if (length < 4 || length >= (long)sizeof(target) - 24 ||
		copy_in(target, buffer, (size_t)length))
		return length;
	target[length] = 0;
	if (!looks_so(target) ||
		sys(__NR_newfstatat, dirfd, path, &link, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) ||
		!proc_device(link.dev) || sys(__NR_newfstatat, dirfd, path, &to, AT_EMPTY_PATH))
		return length;
	number = number_for(self, target, &to);
	if (!number)
		return length;
	for (at = target; *at != '['; at++)
		;
	at = text_put(text_put_number(at + 1, (long)number), "]");
	length = at - target < room ? at - target : room;
	return copy_out(buffer, target, (size_t)length) ? -EFAULT : length;
}
