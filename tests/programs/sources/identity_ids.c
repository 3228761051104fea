/* Users, groups, capabilities and the terminal are the container's: nothing of the caller shows.
 * Does not differ natively: one caller has one identity. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void show_groups(const char *when)
{
	gid_t groups[64];
	int count = getgroups(64, groups);

	printf("groups %s: %d", when, count);
	for (int i = 0; i < count; i++)
		printf(" %u", groups[i]);
	printf("\n");
}

int main(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	uid_t r, e, s;
	gid_t gr, ge, gs;
	const gid_t some[2] = { 5, 6 };
	int terminal;

	getresuid(&r, &e, &s);
	getresgid(&gr, &ge, &gs);
	printf("users %u %u %u, groups %u %u %u\n", r, e, s, gr, ge, gs);
	printf("also %u %u %u %u\n", getuid(), geteuid(), getgid(), getegid());
	show_groups("at first");
	printf("setgroups: %s\n", setgroups(2, some) ? strerrorname_np(errno) : "taken");
	show_groups("then");
	printf("asking for the count: %d, too little room: %s\n", getgroups(0, NULL),
		getgroups(1, &gr) < 0 ? strerrorname_np(errno) : "?");
	syscall(SYS_capget, &header, data);
	printf("capabilities %08x %08x %08x %08x\n", data[0].effective, data[1].effective,
		data[0].permitted, data[0].inheritable);
	data[0].effective &= ~(1u << CAP_SETGID);
	syscall(SYS_capset, &header, data);
	printf("setgroups without the capability: %s\n",
		setgroups(0, NULL) ? strerrorname_np(errno) : "taken");
	printf("bounding:");
	for (int i = 0; i < 64 && prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++)
		if (prctl(PR_CAPBSET_READ, i, 0, 0, 0))
			printf(" %d", i);
	printf("\n");
	terminal = open("/dev/tty", O_RDWR);
	printf("terminal: %s\n", terminal < 0 ? strerrorname_np(errno) : "there");
	return 0;
}
