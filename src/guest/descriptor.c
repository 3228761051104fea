#include "guest/descriptor.h"

#include "guest/process.h"
#include "guest/sys.h"
#include "guest/text.h"

#define LINK_BYTES 48

static void put_link(char link[LINK_BYTES], long fd)
{
	text_put_number(text_put(link, "thread-self/fd/"), fd);
}

long descriptor_path(long fd, char *path, size_t room)
{
	char link[LINK_BYTES];
	long n;

	put_link(link, fd);
	n = sys(__NR_readlinkat, FD_PROC, link, path, room - 1);
	path[failed(n) ? 0 : n] = 0;
	return failed(n) ? n : 0;
}

long descriptor_reopen(long fd, uint64_t flags)
{
	char link[LINK_BYTES];

	put_link(link, fd);
	return sys(__NR_openat, FD_PROC, link, flags);
}
