/* The mounts that a program sees: one root, the usual file systems, and what --mount names. */
#include "guest/proc_file.h"

#define PATH_ROOM   4096
#define ROOT_ID	    20
#define ROOT_SOURCE "/dev/sda1"
#define ROOT_TYPE   "ext4"

struct mount {
	unsigned id, parent, major, minor;
	const char *source, *place, *options, *type, *super;
};

/* Devices and types are those that stat and statfs show. */
static const struct mount fixed[] = {
	{ ROOT_ID, 1, ORDINARY_MAJOR, ORDINARY_MINOR, ROOT_SOURCE, "/", "rw,relatime", ROOT_TYPE,
		"rw" },
	{ 21, ROOT_ID, 0, 21, "proc", "/proc", "rw,nosuid,nodev,noexec,relatime", "proc", "rw" },
	{ 22, ROOT_ID, 0, 20, "sysfs", "/sys", "ro,nosuid,nodev,noexec,relatime", "sysfs", "ro" },
	{ 23, ROOT_ID, 0, 5, "tmpfs", "/dev", "rw,nosuid", "tmpfs", "rw,mode=755" },
	{ 24, 23, 0, 22, "devpts", "/dev/pts", "rw,nosuid,noexec,relatime", "devpts",
		"rw,gid=5,mode=620,ptmxmode=666" },
	{ 25, 23, 0, 23, "tmpfs", "/dev/shm", "rw,nosuid,nodev", "tmpfs", "rw" },
};

typedef void write_mount(struct view *view, const struct mount *mount);

/* One of the configuration's lines; answers the next one. */
static const char *place_of(const char *line, char place[PATH_ROOM])
{
	const char *end = line + 3;
	size_t length;

	while (*end && *end != '\n')
		end++;
	length = (size_t)(end - line) - 3;
	if (length >= PATH_ROOM)
		length = PATH_ROOM - 1;
	memcpy(place, line + 3, length);
	place[length] = 0;
	return *end ? end + 1 : end;
}

static void each(struct proc_file *file, write_mount *write)
{
	const char *line = process.arena->config.mounts;
	char place[PATH_ROOM];
	unsigned id = 30;

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		write(&file->view, &fixed[i]);
	while (*line && !view_full(&file->view)) {
		bool readonly = line[1] == 'o';
		struct mount mount = { id++, ROOT_ID, ORDINARY_MAJOR, ORDINARY_MINOR, ROOT_SOURCE,
			place, readonly ? "ro,relatime" : "rw,relatime", ROOT_TYPE, "rw" };

		line = place_of(line, place);
		write(&file->view, &mount);
	}
}

static void put_info(struct view *view, const struct mount *mount)
{
	view_print(view, "%u %u %u:%u / %s %s - %s %s %s\n", mount->id, mount->parent, mount->major,
		mount->minor, mount->place, mount->options, mount->type, mount->source,
		mount->super);
}

static void put_line(struct view *view, const struct mount *mount)
{
	view_print(view, "%s %s %s %s 0 0\n", mount->source, mount->place, mount->type,
		mount->options);
}

static void put_statistics(struct view *view, const struct mount *mount)
{
	view_print(view, "device %s mounted on %s with fstype %s\n", mount->source, mount->place,
		mount->type);
}

void proc_mountinfo(struct proc_file *file)
{
	each(file, put_info);
}

void proc_mounts(struct proc_file *file)
{
	each(file, put_line);
}

void proc_mountstats(struct proc_file *file)
{
	each(file, put_statistics);
}
