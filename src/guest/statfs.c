/*
 * File systems as the fixed machine has them: one ordinary one for all files, and the kernel's own.
 * How large they are and how full has nothing to do with the host's disks.
 */
#include "guest/descriptor.h"
#include "guest/handlers.h"
#include "guest/process.h"
#include "guest/stat.h"

enum file_system {
	EXT4 = 0xef53,
	TMPFS = 0x01021994,
	PROC = 0x9fa0,
	SYSFS = 0x62656572,
	DEVPTS = 0x1cd1,
	MQUEUE = 0x19800202,
	PIPEFS = 0x50495045,
	SOCKFS = 0x534f434b,
	ANONYMOUS = 0x09041934,
};

struct kernel_statfs {
	int64_t type, block_bytes;
	uint64_t blocks, free, available, files, files_free;
	int32_t id[2];
	int64_t name_bytes, fragment_bytes, flags, spare[4];
};
_Static_assert(sizeof(struct kernel_statfs) == 120, "struct statfs");

#define READ_ONLY  0x1 /* the one flag that the container's own mounts decide */
#define RELATIME   0x1000
#define VALID	   0x20
#define DISK	   (64ull << 30)
#define DISK_FREE  (48ull << 30)
#define FILES	   (4ull << 20)
#define FILES_FREE (3ull << 20)

/* Memory is for the devices and what programs share; /sys and the rest of the root only happen to
 * be there. */
static int64_t type_in_memory(long fd)
{
	static const char devices[] = "/dev", memfd[] = "/memfd:", system[] = "/sys";
	char link[16] = { 0 };

	descriptor_path(fd, link, sizeof(link));
	if (memcmp(link, memfd, sizeof(memfd) - 1) == 0)
		return TMPFS;
	if (link[4] && link[4] != '/')
		return EXT4;
	if (memcmp(link, system, sizeof(system) - 1) == 0 && !(process.relax & RELAX_PROC))
		return SYSFS;
	return memcmp(link, devices, sizeof(devices) - 1) == 0 ? TMPFS : EXT4;
}

static int64_t type_shown(int64_t type, long fd)
{
	switch (type) {
	case PROC:
	case SYSFS:
	case DEVPTS:
	case MQUEUE:
	case PIPEFS:
	case SOCKFS:
	case ANONYMOUS:
		return type;
	case TMPFS:
		return type_in_memory(fd);
	default:
		return EXT4;
	}
}

static struct kernel_statfs describe(int64_t type, int64_t flags)
{
	struct kernel_statfs s = {
		.type = type,
		.block_bytes = BLOCK,
		.name_bytes = 255,
		.fragment_bytes = BLOCK,
		.flags = (flags & READ_ONLY) | RELATIME | VALID,
	};

	if (type == EXT4) {
		s.blocks = DISK / BLOCK;
		s.free = s.available = DISK_FREE / BLOCK;
		s.files = FILES;
		s.files_free = FILES_FREE;
	} else if (type == TMPFS) {
		s.blocks = process.arena->config.machine.memory / 2 / BLOCK;
		s.free = s.available = s.blocks;
		s.files = s.files_free = s.blocks;
	}
	return s;
}

static long answer(long fd, const struct kernel_statfs *real, uint64_t buffer)
{
	const struct kernel_statfs shown = describe(type_shown(real->type, fd), real->flags);

	return copy_out(buffer, &shown, sizeof(shown));
}

long handle_fstatfs(struct thread *self)
{
	struct kernel_statfs real;
	long r = sys_window(__NR_fstatfs, argument(self, 0), &real);

	return r ? r : answer((int)argument(self, 0), &real, argument(self, 1));
}

long handle_statfs(struct thread *self)
{
	struct kernel_statfs real;
	long r = sys_window(__NR_statfs, argument(self, 0), &real), fd = -1;

	if (r)
		return r;
	if (real.type == TMPFS)
		fd = sys(__NR_openat, AT_FDCWD, argument(self, 0), O_PATH | O_CLOEXEC);
	r = answer(fd, &real, argument(self, 1));
	if (fd >= 0)
		sys(__NR_close, fd);
	return r;
}
