#include "box/again.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "arena/layout.h"

static bool is_own_input(const struct box_config *config)
{
	return config->stdin_path && strcmp(config->stdin_path, "-") == 0;
}

/* Nothing that is read from it is gone then. */
static bool is_repeatable(const struct stat *status)
{
	return S_ISREG(status->st_mode) ||
	       (S_ISCHR(status->st_mode) && status->st_rdev == makedev(1, 3)); /* /dev/null */
}

static bool input_repeats(const struct box_config *config)
{
	struct stat status;

	if (!config->stdin_path)
		return true;
	if (is_own_input(config))
		return fstat(STDIN_FILENO, &status) == 0 && is_repeatable(&status);
	return stat(config->stdin_path, &status) == 0 && is_repeatable(&status);
}

/* A file can be emptied; what has gone into a pipe is out. */
static bool log_repeats(const char *log)
{
	struct stat status;

	return !log || stat(log, &status) || S_ISREG(status.st_mode);
}

static bool is_below(const char *path, const char *directory)
{
	size_t length = strlen(directory);

	return strncmp(path, directory, length) == 0 &&
	       (path[length] == '/' || path[length] == '\0' || directory[length - 1] == '/');
}

/* Nobody else sees what is changed in it. */
static bool is_private(const struct box_mount *mount)
{
	return mount->mode == BOX_MOUNT_COPY || mount->mode == BOX_MOUNT_HELD;
}

/* What lies at two places has the number of the first by which it is seen: see guest/numbers.h. */
static bool is_shown_twice(const struct box_config *config, size_t index)
{
	const struct box_mount *mounts = config->mounts;

	for (size_t i = 0; i < config->mount_count; i++)
		if (i != index && !is_private(&mounts[i]) &&
			is_below(mounts[i].host, mounts[index].host))
			return true;
	return false;
}

/* What changes in it can be undone, see undo.h; a file by itself cannot be named there. */
static bool is_directory(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool mounts_repeat(const struct box_config *config)
{
	for (size_t i = 0; i < config->mount_count; i++) {
		const struct box_mount *mount = &config->mounts[i];

		if (!is_private(mount) && is_shown_twice(config, i))
			return false;
		if (mount->mode == BOX_MOUNT_RW && !is_directory(mount->host))
			return false;
	}
	return true;
}

/* By records that the container wrote, the supervisor must do nothing that the command could
 * not. */
static bool may_undo(const struct box_config *config)
{
	return !again_undoes(config) || geteuid() != 0 || config->uid == 0;
}

/* A second attempt must give the same as the first, so nothing may be the host's. */
bool again_possible(const struct box_config *config)
{
	uint32_t entropy = config->machine.entropy;

	return !config->relax && config->mount_count <= MOUNTED_DEVICES &&
	       entropy != ENTROPY_HOST && entropy != ENTROPY_RECORD && !config->tty &&
	       may_undo(config) && mounts_repeat(config) && input_repeats(config) &&
	       log_repeats(config->log);
}

off_t again_input(const struct box_config *config)
{
	return is_own_input(config) ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
}

void again_rewind(off_t input)
{
	if (input >= 0)
		lseek(STDIN_FILENO, input, SEEK_SET);
}

bool again_undoes(const struct box_config *config)
{
	for (size_t i = 0; i < config->mount_count; i++)
		if (config->mounts[i].mode == BOX_MOUNT_RW)
			return true;
	return false;
}
