#include "box/arena_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int arena_file_make(struct arena_file *file, struct error *err)
{
	/* A container that could shorten the file would end the supervisor by SIGBUS. */
	int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
	struct arena *arena;

	file->arena = NULL;
	file->fd = memfd_create("stet-arena", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (file->fd < 0 || ftruncate(file->fd, ARENA_FILE_BYTES) ||
		fcntl(file->fd, F_ADD_SEALS, seals))
		return error_set(err, errno, "cannot make shared memory for the container");
	arena = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, 0);
	if (arena == MAP_FAILED)
		return error_set(err, errno, "cannot map the container's shared memory");
	arena->config.magic = ARENA_MAGIC;
	arena->config.version = ARENA_VERSION;
	arena->config.bytes = sizeof(struct arena);
	file->arena = arena;
	return 0;
}

void arena_file_release(struct arena_file *file)
{
	if (file->arena)
		munmap(file->arena, ARENA_BYTES);
	if (file->fd >= 0)
		close(file->fd);
}
