/*
 * Names of extended attributes come in order; those of the host's security modules do not show.
 * Does not differ natively on file systems that keep the names in order.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static void result(const char *what, long r)
{
	printf("%s: %ld %s\n", what, r, r < 0 ? strerror(errno) : "");
}

static void show(const char *list, long bytes)
{
	for (long at = 0; at < bytes; at += (long)strlen(list + at) + 1)
		printf("  %s\n", list + at);
}

int main(void)
{
	static const char *const names[] = { "user.c", "user.a", "user.bb", "user.b", "user.C" };
	int fd = open("/tmp/attributes", O_CREAT | O_RDWR, 0644);
	struct timespec now;
	char list[256];
	long r;

	clock_gettime(CLOCK_REALTIME, &now);
	for (int i = 0; i < 5; i++)
		result("set", fsetxattr(fd, names[(i + now.tv_nsec / 1000) % 5], "value", 5, 0));
	result("how long", flistxattr(fd, NULL, 0));
	result("too short", listxattr("/tmp/attributes", list, 10));
	r = listxattr("/tmp/attributes", list, sizeof(list));
	result("list", r);
	show(list, r);
	result("get", getxattr("/tmp/attributes", "user.bb", list, sizeof(list)));
	result("label", getxattr("/tmp/attributes", "security.selinux", list, sizeof(list)));
	result("trusted", lgetxattr("/tmp/attributes", "trusted.x", list, sizeof(list)));
	result("access", fgetxattr(fd, "system.posix_acl_access", list, sizeof(list)));
	result("set label", setxattr("/tmp/attributes", "security.x", "y", 1, 0));
	result("not there", getxattr("nowhere/at all", "security.selinux", list, sizeof(list)));
	result("missing", fgetxattr(fd, "user.none", list, sizeof(list)));
	result("remove", fremovexattr(fd, "user.bb"));
	r = llistxattr("/tmp/attributes", list, sizeof(list));
	result("list", r);
	show(list, r);
	return 0;
}
