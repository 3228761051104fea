/* A pipe's capacity is what the program says, in powers of two of pages, up to a MiB whoever runs
 * it; what is in it stays. Does not differ natively: one process alone. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "../check.h"

static char bytes[2 << 20];
static int ends[2];

static void set(int size)
{
	int r = fcntl(ends[1], F_SETPIPE_SZ, size);

	printf("%d: %d %s, now %d\n", size, r, r < 0 ? strerror(errno) : "",
		fcntl(ends[0], F_GETPIPE_SZ));
}

int main(void)
{
	must(pipe2(ends, O_NONBLOCK) == 0);
	set(0);
	printf("%zd\n", write(ends[1], bytes, 5000));
	set(5000);
	printf("%zd\n", write(ends[1], bytes, 5000));
	set(4096);
	set(100000);
	set(1 << 20);
	printf("%zd\n", write(ends[1], bytes, sizeof(bytes)));
	set(65536);
	set((1 << 20) + 1);
	set(-1);
	for (int n = 0; (n = (int)read(ends[0], bytes, sizeof(bytes))) > 0;)
		printf("%d read\n", n);
	set(1);
	must(fcntl(open("/dev/null", O_RDONLY), F_SETPIPE_SZ, 4096) < 0);
	printf("no pipe: %s\n", strerror(errno));
	return 0;
}
