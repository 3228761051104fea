/* The old vsyscall page, where the kernel has one, tells the time; where it has none, it faults. */
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

#define VSYSCALL_GETTIMEOFDAY 0xffffffffff600000ul
#define VSYSCALL_TIME	      0xffffffffff600400ul

static sigjmp_buf back;

static void handler(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

static int mapped(void)
{
	char line[512];
	int found = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	must(maps);
	while (fgets(line, sizeof(line), maps))
		found |= strstr(line, "[vsyscall]") != NULL;
	fclose(maps);
	return found;
}

int main(void)
{
	struct timeval now = { 0, 0 };
	volatile int works = 0;
	signal(SIGSEGV, handler);
	if (sigsetjmp(back, 1) == 0) {
		int (*tell)(struct timeval *, void *) =
			(int (*)(struct timeval *, void *))VSYSCALL_GETTIMEOFDAY;
		time_t (*seconds)(time_t *) = (time_t(*)(time_t *))VSYSCALL_TIME;
		works = tell(&now, NULL) == 0 && labs(now.tv_sec - time(NULL)) <= 2;
		works += labs(seconds(NULL) - time(NULL)) <= 2;
	}
	expect("vsyscalls that work", works, mapped() ? 2 : 0);
	return verdict();
}
