/* Handles, which hold the file system's own numbers, are not given out; nor is residence in
 * memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	struct file_handle *handle = calloc(1, sizeof(*handle) + 128);
	unsigned char resident[16] = { 0 };
	int mount = -1, r, fd = open("file", O_CREAT | O_RDWR, 0644);
	char *memory;

	handle->handle_bytes = 128;
	r = name_to_handle_at(AT_FDCWD, "file", handle, &mount, 0);
	printf("handle: %d %s\n", r, r ? strerror(errno) : "");
	for (int i = 0; i < 128; i++)
		printf("%x", handle->f_handle[i]);
	printf(" of mount %d\n", mount);
	r = name_to_handle_at(AT_FDCWD, "nowhere", handle, &mount, 0);
	printf("not there: %d %s\n", r, r ? strerror(errno) : "");
	r = open_by_handle_at(AT_FDCWD, handle, O_RDONLY);
	printf("opened: %d %s\n", r, r ? strerror(errno) : "");

	ftruncate(fd, 16 * 4096);
	memory = mmap(NULL, 16 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	memory[5 * 4096] = 1;
	r = mincore(memory, 16 * 4096 - 5, resident);
	printf("resident: %d: ", r);
	for (int i = 0; i < 16; i++)
		printf("%d", resident[i]);
	printf("\nunmapped: %d\n", mincore(memory + 1, 4096, resident));
	return 0;
}
