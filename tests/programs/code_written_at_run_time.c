/*
 * Programs that write code and run it: in a page that is writable and executable, in one that
 * becomes executable, in two views of one memory file, and over code that has run before.
 */
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

typedef long (*function)(void);

/* mov $NUMBER,%eax; syscall; ret */
static const unsigned char call_getppid[] = { 0xb8, SYS_getppid, 0, 0, 0, 0x0f, 0x05, 0xc3 };
static const unsigned char call_getuid[] = { 0xb8, SYS_getuid, 0, 0, 0, 0x0f, 0x05, 0xc3 };
/* rdtsc; shl $32,%rdx; or %rdx,%rax; ret */
static const unsigned char read_tsc[] = { 0x0f, 0x31, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x09, 0xd0,
	0xc3 };
/* push %rbx; xor %eax,%eax; cpuid; pop %rbx; cltq; ret */
static const unsigned char ask_cpu[] = { 0x53, 0x31, 0xc0, 0x0f, 0xa2, 0x5b, 0x48, 0x98, 0xc3 };

static void check_function(const char *how, unsigned char *place, function code,
	void (*before)(void *), void (*after)(void *))
{
	printf("%s\n", how);
	before(place);
	memcpy(place, call_getppid, sizeof(call_getppid));
	after(place);
	expect_true("getppid", code() == getppid());
	before(place);
	memcpy(place, call_getuid, sizeof(call_getuid));
	after(place);
	expect_true("getuid written over it", code() == (long)getuid());
	before(place);
	memcpy(place, read_tsc, sizeof(read_tsc));
	after(place);
	long first = code(), second = code();
	expect_true("rdtsc moves", second > first);
	before(place);
	memcpy(place, ask_cpu, sizeof(ask_cpu));
	after(place);
	expect_true("cpuid: highest leaf", code() >= 1);
	long sum = 0;
	before(place);
	memcpy(place, call_getppid, sizeof(call_getppid));
	after(place);
	for (int i = 0; i < 10000; i++)
		sum += code() == getppid();
	expect("10000 times", sum, 10000);
}

static void nothing(void *place)
{
	(void)place;
}

static void make_writable(void *place)
{
	must(mprotect(place, 4096, PROT_READ | PROT_WRITE) == 0);
}

static void make_executable(void *place)
{
	must(mprotect(place, 4096, PROT_READ | PROT_EXEC) == 0);
}

static void check_two_views(int flags_of_code)
{
	int memory = memfd_create("code", 0);
	must(memory >= 0 && ftruncate(memory, 4096) == 0);
	unsigned char *data = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, flags_of_code, memory, 0);
	must(data != MAP_FAILED && code != MAP_FAILED);
	check_function("two views of one memory file", data, (function)code, nothing, nothing);
	munmap(data, 4096);
	munmap(code, 4096);
	close(memory);
}

/* Code in a file that is mapped executable: what is mapped is what the file holds. */
static void check_file(void)
{
	char path[] = "scratch-XXXXXX";
	int file = mkstemp(path);
	must(file >= 0 && unlink(path) == 0 && ftruncate(file, 8192) == 0);
	must(pwrite(file, call_getuid, sizeof(call_getuid), 4096) == sizeof(call_getuid));
	unsigned char *mapped = mmap(NULL, 8192, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
	must(mapped != MAP_FAILED);
	expect_true("a mapped file's code", ((function)(mapped + 4096))() == (long)getuid());
	expect("its bytes are the file's", memcmp(mapped + 4096, call_getuid, sizeof(call_getuid)),
		0);
	must(mprotect(mapped, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0);
	memcpy(mapped + 4096, call_getppid, sizeof(call_getppid));
	expect_true("written over in memory", ((function)(mapped + 4096))() == getppid());
	must(pwrite(file, call_getppid, sizeof(call_getppid), 4096) == sizeof(call_getppid));
	munmap(mapped, 8192);
	mapped = mmap(NULL, 8192, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
	must(mapped != MAP_FAILED);
	expect_true("the changed file, mapped again", ((function)(mapped + 4096))() == getppid());
	must(pwrite(file, call_getuid, sizeof(call_getuid), 4096) == sizeof(call_getuid));
	expect_true("changed while mapped shared", ((function)(mapped + 4096))() == (long)getuid());
	munmap(mapped, 8192);
	close(file);
}

int main(void)
{
	unsigned char *page = mmap(
		NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(page != MAP_FAILED);
	check_function("writable and executable", page, (function)page, nothing, nothing);
	munmap(page, 4096);
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(page != MAP_FAILED);
	check_function("either writable or executable", page, (function)page, make_writable,
		make_executable);
	check_two_views(MAP_SHARED);
	check_file();
	return verdict();
}
