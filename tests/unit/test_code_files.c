/* Real files and broken ones: every site that is claimed is one, and nothing makes it crash. */
#include <elf.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "test_code_snippet.h"

/* Counts what an independent disassembler finds. */
static unsigned objdump_count(const char *path, const char *mnemonic)
{
	char command[512], line[64] = "0";
	FILE *pipe;

	snprintf(command, sizeof(command), "objdump -d --no-show-raw-insn '%s' | grep -c '\t%s'",
		path, mnemonic);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_non_null(fgets(line, sizeof(line), pipe));
	pclose(pipe);
	return (unsigned)atoi(line);
}

static unsigned count(const struct snippet *snippet, enum insn_kind kind)
{
	unsigned found = 0;

	for (uint32_t i = 0; i < snippet->header.sites; i++)
		found += snippet->sites[i].kind == kind;
	return found;
}

/* At least `percent` of what objdump sees is rewritten, and never more than it sees. */
static void check_share(
	const char *path, enum insn_kind kind, const char *mnemonic, unsigned percent)
{
	struct snippet s;
	unsigned found, known;

	if (!snippet_load(&s, path))
		skip();
	snippet_check(&s);
	found = count(&s, kind);
	known = objdump_count(path, mnemonic);
	print_message("%s: %u of %u %s\n", path, found, known, mnemonic);
	assert_true(found * 100 >= known * percent);
	assert_true(found <= known);
	snippet_free(&s);
}

static void system_calls_of_libc_are_rewritten(void **state)
{
	check_share("/lib/x86_64-linux-gnu/libc.so.6", INSN_SYSCALL, "syscall", 95);
}

static void system_calls_of_the_loader_are_rewritten(void **state)
{
	check_share("/lib64/ld-linux-x86-64.so.2", INSN_SYSCALL, "syscall", 95);
}

static void cpuid_of_the_loader_is_rewritten(void **state)
{
	check_share("/lib64/ld-linux-x86-64.so.2", INSN_CPUID, "cpuid", 95);
}

static void static_busybox_is_rewritten(void **state)
{
	check_share("/bin/busybox", INSN_SYSCALL, "syscall", 90);
}

static void musl_is_rewritten(void **state)
{
	check_share("/usr/lib/x86_64-linux-musl/libc.so", INSN_SYSCALL, "syscall", 80);
}

/* Neighbours that are too short for a jump each are no reason to leave one out. */
static void approximations_of_libmvec_are_rewritten(void **state)
{
	check_share("/usr/lib/x86_64-linux-gnu/libmvec.so.1", INSN_APPROXIMATION,
		"v\\?r\\(cp\\|sqrt\\)[ps]s", 99);
}

/* Hand-written assembly with tables between functions: what is rewritten must be real. */
static void claims_in_libcrypto_are_true(void **state)
{
	struct snippet s;

	if (!snippet_load(&s, "/usr/lib/x86_64-linux-gnu/libcrypto.so.3"))
		skip();
	snippet_check(&s);
	assert_int_equal(count(&s, INSN_SYSCALL), 0);
	snippet_free(&s);
}

static void claims_in_many_files_are_true(void **state)
{
	static const char *const patterns[] = { "/usr/bin/[a-g]*",
		"/usr/lib/x86_64-linux-gnu/lib[a-p]*.so.?" };
	glob_t files = { 0 };

	for (unsigned i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		glob(patterns[i], i ? GLOB_APPEND : 0, NULL, &files);
	for (size_t i = 0; i < files.gl_pathc && i < 400; i++) {
		struct snippet s;

		if (!snippet_load(&s, files.gl_pathv[i]))
			continue;
		if (s.rc > 0)
			snippet_check(&s);
		snippet_free(&s);
	}
	globfree(&files);
}

static void truncated_files_do_no_harm(void **state)
{
	struct rewrite rewrite;
	struct snippet s;

	if (!snippet_load(&s, "/lib64/ld-linux-x86-64.so.2"))
		skip();
	for (size_t size = 0; size < s.size; size += size < 4096 ? 16 : 4099) {
		/* An exact allocation, so that a sanitizer sees the first byte too many. */
		uint8_t *bytes = malloc(size ? size : 1);

		memcpy(bytes, s.bytes, size);
		rewrite_elf(&rewrite, bytes, size);
		free(rewrite.image);
		free(bytes);
	}
	snippet_free(&s);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Where in a file a change is most likely to lead somewhere: headers, tables, frames. */
static size_t interesting_offset(const struct snippet *s, uint64_t *seed)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)s->bytes;

	switch (next_random(seed) % 4) {
	case 0:
		return next_random(seed) % sizeof(*header);
	case 1:
		return header->e_phoff + next_random(seed) % (header->e_phnum * sizeof(Elf64_Phdr));
	case 2:
		return header->e_shoff + next_random(seed) % (header->e_shnum * sizeof(Elf64_Shdr));
	default:
		return next_random(seed) % s->size;
	}
}

static void mutate(const char *path, long rounds)
{
	uint64_t seed = 0x9e3779b97f4a7c15ull;
	struct rewrite rewrite;
	struct snippet s;

	if (!snippet_load(&s, path))
		return;
	uint8_t *bytes = malloc(s.size);

	for (long round = 0; round < rounds; round++) {
		unsigned changes = 1 + next_random(&seed) % 16;

		memcpy(bytes, s.bytes, s.size);
		for (unsigned i = 0; i < changes; i++) {
			size_t at = interesting_offset(&s, &seed);

			bytes[at] = next_random(&seed) % 3 ? (uint8_t)next_random(&seed) : 0xff;
		}
		rewrite_elf(&rewrite, bytes, s.size);
		free(rewrite.image);
	}
	free(bytes);
	snippet_free(&s);
}

/* One with frames, one that is swept, one of Go. STET_FUZZ_ROUNDS makes it thorough. */
static void mutated_files_do_no_harm(void **state)
{
	const char *rounds_text = getenv("STET_FUZZ_ROUNDS");
	long rounds = rounds_text ? atol(rounds_text) : 100;

	mutate("/lib64/ld-linux-x86-64.so.2", rounds * 3);
	mutate("/usr/lib/x86_64-linux-musl/libc.so", rounds);
	mutate("/usr/lib/go-1.19/pkg/tool/linux_amd64/buildid", rounds / 2);
}

static void random_text_does_no_harm(void **state)
{
	uint64_t seed = 0x2545f4914f6cdd1dull;
	struct rewrite rewrite;
	struct snippet s;

	snippet_build(&s, ".globl _start\n _start: .fill 20000, 1, 0x90\n", "-static -no-pie");
	for (unsigned round = 0; round < 100; round++) {
		for (size_t at = 0x1000; at < 0x1000 + 20000; at++)
			s.bytes[at] = (uint8_t)next_random(&seed);
		rewrite_elf(&rewrite, s.bytes, s.size);
		free(rewrite.image);
	}
	snippet_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(system_calls_of_libc_are_rewritten),
		cmocka_unit_test(system_calls_of_the_loader_are_rewritten),
		cmocka_unit_test(cpuid_of_the_loader_is_rewritten),
		cmocka_unit_test(static_busybox_is_rewritten),
		cmocka_unit_test(musl_is_rewritten),
		cmocka_unit_test(approximations_of_libmvec_are_rewritten),
		cmocka_unit_test(claims_in_libcrypto_are_true),
		cmocka_unit_test(claims_in_many_files_are_true),
		cmocka_unit_test(truncated_files_do_no_harm),
		cmocka_unit_test(mutated_files_do_no_harm),
		cmocka_unit_test(random_text_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
