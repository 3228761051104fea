/* statx: one kernel's mask and attributes, the time of birth, and the same as stat in the rest. */
#include "files.h"

#define ALL_BITS 0x7fffffffu

static void show(const char *path, unsigned mask)
{
	struct statx x;
	struct stat st = look(path);
	const unsigned char *bytes = (const unsigned char *)&x;
	int rest = 0;

	memset(&x, 0x55, sizeof(x));
	check(statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, mask, &x) == 0, path);
	for (size_t i = 152; i < sizeof(x); i++)
		rest |= bytes[i];
	printf("%s: asked %x got %x attributes %llx of %llx device %u:%u as stat %d rest %d\n",
		path, mask, x.stx_mask, x.stx_attributes, x.stx_attributes_mask, x.stx_dev_major,
		x.stx_dev_minor,
		x.stx_ino == st.st_ino && x.stx_size == (unsigned long long)st.st_size &&
			x.stx_blocks == (unsigned long long)st.st_blocks &&
			x.stx_mode == st.st_mode && x.stx_nlink == st.st_nlink &&
			x.stx_mtime.tv_sec == st.st_mtim.tv_sec &&
			x.stx_mtime.tv_nsec == st.st_mtim.tv_nsec,
		rest);
	printf("born %lld.%d, changed %lld.%d\n", x.stx_btime.tv_sec, x.stx_btime.tv_nsec % 10,
		x.stx_ctime.tv_sec, x.stx_ctime.tv_nsec % 10);
}

int main(void)
{
	struct statx x;

	touch("f");
	look("f"); /* kernels keep finer times of files that are looked at */
	check(chmod("f", 0600) == 0 && mkdir("d", 0700) == 0, "chmod");
	show("f", STATX_BASIC_STATS);
	show("f", ALL_BITS);
	show("d", STATX_BASIC_STATS | STATX_BTIME);
	show("d", 0);
	show("/", STATX_ALL);
	printf("reserved: %d\n", statx(AT_FDCWD, "f", 0, 0x80000000u, &x) == -1 && errno == EINVAL);
	printf("no buffer: %d\n",
		statx(AT_FDCWD, "f", 0, 0, (struct statx *)8) == -1 && errno == EFAULT);
	return 0;
}
