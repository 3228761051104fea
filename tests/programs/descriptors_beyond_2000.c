/* A program that raises its limit can use as many descriptors as that says, whatever their numbers,
 * and each of them is its own. */
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

#define COUNT 3000

int main(void)
{
	struct rlimit limit;
	int opened[COUNT], bad = 0;

	must(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	limit.rlim_cur = limit.rlim_max;
	must(limit.rlim_max > COUNT + 100 && setrlimit(RLIMIT_NOFILE, &limit) == 0);
	for (int i = 0; i < COUNT; i++) {
		opened[i] = open("/dev/null", O_WRONLY);
		bad += opened[i] < 0 || write(opened[i], "", 1) != 1 ||
		       fcntl(opened[i], F_GETFD) != 0;
	}
	for (int i = 0; i < COUNT; i++)
		bad += close(opened[i]) != 0;
	expect("that cannot be used", bad, 0);
	return verdict();
}
