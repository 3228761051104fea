#include "box/ids.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"

#define MAP_BYTES 4096 /* the kernel takes less than a page */

static int write_file(pid_t pid, const char *name, const char *text)
{
	char path[64];
	cleanup_close int fd = -1;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		return -1;
	return 0;
}

void ids_identity_map(const char *own, char *out, size_t size)
{
	unsigned first, outside, count;
	size_t used = 0;
	int length, n;

	out[0] = '\0';
	while (sscanf(own, "%u %u %u%n", &first, &outside, &count, &length) == 3) {
		n = snprintf(out + used, size - used, "%u %u %u\n", first, first, count);
		if (n < 0 || (size_t)n >= size - used) {
			out[used] = '\0';
			return;
		}
		used += (size_t)n;
		own += length;
	}
}

/* Gives the child every id that this process's own namespace has. */
static int map_all(pid_t pid, const char *name)
{
	char path[64], own[MAP_BYTES], map[MAP_BYTES];
	cleanup_close int fd = -1;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, own, sizeof(own) - 1);
	if (n < 0)
		return -1;
	own[n] = '\0';
	ids_identity_map(own, map, sizeof(map));
	return write_file(pid, name, map);
}

bool ids_all(void)
{
	const uint32_t needed = 1u << CAP_SETUID | 1u << CAP_SETGID;
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	return geteuid() == 0 && syscall(SYS_capget, &header, data) == 0 &&
	       (data[0].effective & needed) == needed;
}

static int map_one(pid_t pid, const char *name, unsigned inside, unsigned outside)
{
	char map[64];

	snprintf(map, sizeof(map), "%u %u 1\n", inside, outside);
	return write_file(pid, name, map);
}

int ids_map(pid_t pid, uid_t uid, gid_t gid, struct error *err)
{
	/* Root without the capabilities, as in some containers, is treated like anybody else. */
	if (ids_all() && map_all(pid, "uid_map") == 0) {
		if (map_all(pid, "gid_map"))
			return error_set(err, errno, "cannot map group ids into the container");
		return 0;
	}
	if (write_file(pid, "setgroups", "deny") && errno != ENOENT)
		return error_set(err, errno, "cannot deny setgroups in the container");
	if (map_one(pid, "uid_map", uid, geteuid()) || map_one(pid, "gid_map", gid, getegid()))
		return error_set(err, errno, "cannot map the user's ids into the container");
	return 0;
}
