/* Resources that free themselves at the end of their scope (GCC's cleanup attribute). */
#ifndef STET_BASE_CLEANUP_H
#define STET_BASE_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void cleanup_free_do(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_close_do(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_file_do(FILE **f)
{
	if (*f)
		fclose(*f);
}

static inline void cleanup_dir_do(DIR **d)
{
	if (*d)
		closedir(*d);
}

#define cleanup_free  __attribute__((cleanup(cleanup_free_do)))
#define cleanup_close __attribute__((cleanup(cleanup_close_do)))
#define cleanup_file  __attribute__((cleanup(cleanup_file_do)))
#define cleanup_dir   __attribute__((cleanup(cleanup_dir_do)))

#endif
