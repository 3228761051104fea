/* brk grows, shrinks and refuses as the kernel's does; also run as a static program, see
 * static_variants.sh. */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

#define PAGE 4096l

static long brk_to(long address)
{
	return syscall(SYS_brk, address);
}

static int all_zero(long from, long to)
{
	for (char *byte = (char *)from; byte < (char *)to; byte++)
		if (*byte)
			return 0;
	return 1;
}

static void check_nonsense(long start)
{
	expect_true("0 asks where it is", brk_to(0) == start);
	expect_true("the last address is refused", brk_to(-1) == start);
	expect_true("the last page is refused", brk_to(-4000) == start);
	expect_true("page 1 is refused", brk_to(PAGE) == start);
	expect_true("the kernel's half is refused", brk_to(1l << 60) == start);
}

static long check_growth(long start)
{
	long first_page = (start + PAGE - 1) & -PAGE, end = start + 50000;
	expect_true("grows by 100 bytes", brk_to(start + 100) == start + 100);
	memset((void *)start, 1, 100);
	expect_true("grows by 50000 bytes", brk_to(end) == end);
	expect_true("which are zero", all_zero(first_page + PAGE, end));
	memset((void *)start, 7, 50000);
	expect_true("shrinks", brk_to(start + 10) == start + 10);
	expect_true("grows again", brk_to(end) == end);
	expect_true("and gives zeros again", all_zero(first_page + PAGE, end));
	return end;
}

static void check_mapping_in_the_way(long start, long end)
{
	long there = (start + (1 << 20)) & -PAGE, beyond = start + (2 << 20);
	void *wanted = (void *)there;
	must(mmap(wanted, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
		wanted);
	expect_true("does not grow over a mapping", brk_to(beyond) == end);
	must(munmap(wanted, PAGE) == 0);
	expect_true("grows when it is gone", brk_to(beyond) == beyond);
	expect_true("and shrinks", brk_to(end) == end);
}

/* Far more than the limit: Stet's own memory may count as well, and the limit has room for it. */
static void check_limit(long start, long end)
{
	struct rlimit limit;
	must(getrlimit(RLIMIT_DATA, &limit) == 0);
	limit.rlim_cur = 16 << 20;
	must(setrlimit(RLIMIT_DATA, &limit) == 0);
	expect_true("does not grow over RLIMIT_DATA", brk_to(start + (1l << 30)) == end);
	expect_true("grows within it", brk_to(start + (1 << 20)) == start + (1 << 20));
}

int main(void)
{
	printf("start\n"); /* so that stdio has its memory */
	long start = brk_to(0);
	check_nonsense(start);
	long end = check_growth(start);
	check_mapping_in_the_way(start, end);
	check_limit(start, end);
	return verdict();
}
