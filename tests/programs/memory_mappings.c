/* mmap, mremap, mprotect, munmap and brk keep their rules, also around executable mappings of
 * files. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define PAGE 4096ul
static sigjmp_buf back;

static void handler(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

static int faults(volatile char *address)
{
	if (sigsetjmp(back, 1))
		return 1;
	(void)*address;
	return 0;
}

static void *map(void *address, unsigned long length, int flags)
{
	return mmap(address, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags,
		-1, 0);
}

static void check_placement(void)
{
	char *area = map(NULL, 8 * PAGE, 0);
	must(area != MAP_FAILED);
	memset(area, 1, 8 * PAGE);
	must(munmap(area + 2 * PAGE, 2 * PAGE) == 0);
	expect("a hole faults", faults(area + 2 * PAGE), 1);
	expect("its neighbour does not", faults(area + 4 * PAGE), 0);
	expect_true("MAP_FIXED fills it", map(area + 2 * PAGE, PAGE, MAP_FIXED) == area + 2 * PAGE);
	expect("with zeros", area[2 * PAGE], 0);
	expect_errno("MAP_FIXED_NOREPLACE over something",
		map(area, PAGE, MAP_FIXED_NOREPLACE) == MAP_FAILED ? -1 : 0, EEXIST);
	expect_errno("an unaligned MAP_FIXED",
		map(area + 1, PAGE, MAP_FIXED) == MAP_FAILED ? -1 : 0, EINVAL);
	expect_errno("length 0", map(NULL, 0, 0) == MAP_FAILED ? -1 : 0, EINVAL);
	expect_errno("munmap unaligned", munmap(area + 1, PAGE), EINVAL);
	expect_true(
		"a hint that is free is taken", map(area + 3 * PAGE, PAGE, 0) == area + 3 * PAGE);
	munmap(area, 8 * PAGE);
	char *low = map(NULL, PAGE, MAP_32BIT);
	expect_true("MAP_32BIT is low", (unsigned long)low < 0x80000000ul);
}

static void check_remap(void)
{
	char *area = map(NULL, 4 * PAGE, 0);
	area[0] = 7;
	area[3 * PAGE] = 8;
	char *grown = mremap(area, 4 * PAGE, 64 * PAGE, MREMAP_MAYMOVE);
	must(grown != MAP_FAILED);
	expect("content after growing", grown[0] + grown[3 * PAGE], 15);
	char *target = map(NULL, 64 * PAGE, 0);
	char *moved = mremap(grown, 64 * PAGE, 64 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, target);
	expect_true("moved to a place", moved == target);
	expect("content after moving", moved[0] + moved[3 * PAGE], 15);
	expect("the old place faults", faults(grown), 1);
	must(mremap(moved, 64 * PAGE, PAGE, 0) == moved);
	expect("shrunk: the rest faults", faults(moved + PAGE), 1);
	munmap(moved, PAGE);
}

static int answer(void)
{
	return getppid() > 0 ? 42 : 0;
}

/* The program's own code, mapped once more from its file, is the same and runs. */
static void check_own_code(void)
{
	int self = open("/proc/self/exe", O_RDONLY);
	char header[4];
	must(self >= 0 && pread(self, header, 4, 0) == 4);
	char *copy = mmap(NULL, 4 * PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, self, 0);
	must(copy != MAP_FAILED);
	expect("first bytes", memcmp(copy, header, 4), 0);
	must(mprotect(copy, 4 * PAGE, PROT_READ) == 0);
	must(mprotect(copy, PAGE, PROT_READ | PROT_WRITE) == 0);
	copy[0] = 'x';
	expect("written privately", copy[0], 'x');
	must(pread(self, header, 4, 0) == 4);
	expect("the file is unchanged", header[0], 0x7f);
	must(munmap(copy + PAGE, PAGE) == 0);
	must(munmap(copy, 4 * PAGE) == 0);
	expect("own code still runs", answer(), 42);
	close(self);
}

static void check_shared_file(void)
{
	char path[] = "scratch-XXXXXX", byte;
	int file = mkstemp(path), status;
	must(file >= 0 && unlink(path) == 0 && ftruncate(file, (off_t)PAGE) == 0);
	char *view = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	must(view != MAP_FAILED);
	pid_t child = fork();
	if (child == 0) {
		view[10] = 'c';
		_exit(0);
	}
	must(waitpid(child, &status, 0) == child);
	expect("a child's write shows", view[10], 'c');
	must(msync(view, PAGE, MS_SYNC) == 0 && pread(file, &byte, 1, 10) == 1);
	expect("and in the file", byte, 'c');
	must(madvise(view, PAGE, MADV_DONTNEED) == 0);
	expect("and after MADV_DONTNEED", view[10], 'c');
}

static long depth(long levels)
{
	volatile char frame[8192];
	frame[0] = (char)levels;
	frame[8191] = 1;
	return levels == 0 ? 0 : depth(levels - 1) + frame[8191];
}

int main(void)
{
	signal(SIGSEGV, handler);
	check_placement();
	check_remap();
	check_own_code();
	check_shared_file();
	expect("a stack of 6 MiB", depth(768), 768);
	return verdict();
}
