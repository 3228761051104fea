/* The container's bookkeeping: id maps, the host's mounts, what was placed, what a machine
 * lacks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "arena/cpu_model.h"
#include "box/channel.h"
#include "box/ids.h"
#include "box/links.h"
#include "box/mountinfo.h"
#include "box/preflight.h"
#include "box/record.h"

/* A processor as the model says, but for one feature. */
static struct cpuid without_avx2(uint32_t leaf, uint32_t subleaf)
{
	const struct machine machine = { .cpu = CPU_X86_64_V3, .cpus = 4 };
	struct cpuid answer = cpu_model_cpuid(&machine, leaf, subleaf);

	if (leaf == 7)
		answer.ebx &= ~(1u << 5);
	return answer;
}

static void a_cpu_stands_in_for_lower_levels_only(void **state)
{
	struct machine machine = { .cpu = CPU_X86_64_V3, .cpus = 1 };

	assert_false(cpu_model_fits(&machine, COUNTER_HOSTS, without_avx2));
	machine.cpu = CPU_X86_64_V2;
	assert_true(cpu_model_fits(&machine, COUNTER_HOSTS, without_avx2));
	machine.cpu = CPU_X86_64;
	assert_true(cpu_model_fits(&machine, COUNTER_HOSTS, without_avx2));
}

/* As old processors are in virtual machines. */
static struct cpuid without_rdtscp(uint32_t leaf, uint32_t subleaf)
{
	const struct machine machine = { .cpu = CPU_X86_64_V2, .cpus = 1 };
	struct cpuid answer = cpu_model_cpuid(&machine, leaf, subleaf);

	if (leaf == 0x80000001)
		answer.edx &= ~(1u << 27);
	return answer;
}

static void rdtscp_is_needed_only_where_the_hosts_counter_is_read(void **state)
{
	struct machine machine = { .cpu = CPU_X86_64_V2, .cpus = 1 };

	assert_true(cpu_model_fits(&machine, COUNTER_LOGICAL, without_rdtscp));
	assert_false(cpu_model_fits(&machine, COUNTER_HOSTS, without_rdtscp));
}

static void map_of_the_whole_range_stays_the_same(void **state)
{
	char map[256];

	ids_identity_map("         0          0 4294967295\n", map, sizeof(map));
	assert_string_equal(map, "0 0 4294967295\n");
}

static void map_of_a_nested_namespace_names_its_own_ids(void **state)
{
	char map[256];

	ids_identity_map("0 1000 1\n1 100000 65536\n", map, sizeof(map));
	assert_string_equal(map, "0 0 1\n1 1 65536\n");
	ids_identity_map("", map, sizeof(map));
	assert_string_equal(map, "");
}

static void map_that_does_not_fit_is_cut_at_a_line(void **state)
{
	char map[12];

	ids_identity_map("0 0 1000\n1000 1000 1000\n", map, sizeof(map));
	assert_string_equal(map, "0 0 1000\n");
}

static const char mounts_text[] = "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
				  "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
				  "28 27 0:25 / /mnt/with\\040blank/x ro shared:1 - tmpfs none ro\n"
				  "29 27 0:26 / /var rw - ext4 /dev/vdb rw\n";

static struct mountinfo parsed(void)
{
	struct mountinfo mounts = { strdup(mounts_text), sizeof(mounts_text) - 1 };

	mountinfo_parse(&mounts);
	return mounts;
}

static void mounts_below_a_directory_are_found(void **state)
{
	struct mountinfo mounts = parsed();

	assert_true(mountinfo_below(&mounts, "/"));
	assert_true(mountinfo_below(&mounts, "/mnt"));
	assert_true(mountinfo_below(&mounts, "/mnt/with blank"));
	free(mounts.text);
}

static void a_mount_point_has_nothing_below_itself(void **state)
{
	struct mountinfo mounts = parsed();

	assert_false(mountinfo_below(&mounts, "/var"));
	assert_false(mountinfo_below(&mounts, "/proc"));
	assert_false(mountinfo_below(&mounts, "/mnt/with"));
	assert_false(mountinfo_below(&mounts, "/mnt/with blank/x"));
	assert_false(mountinfo_below(&mounts, "/mn"));
	free(mounts.text);
}

static void record_finds_the_last_of_a_path(void **state)
{
	struct record record = { 0 };
	char path[32];

	for (int i = 0; i < 200; i++) {
		snprintf(path, sizeof(path), "/dir/%d", i);
		assert_non_null(record_add(&record, PLACED_FILE, path));
	}
	assert_non_null(record_add(&record, PLACED_MOUNT, "/dir/7"));
	assert_int_equal(record_find(&record, "/dir/7")->kind, PLACED_MOUNT);
	assert_int_equal(record_find(&record, "/dir/199")->kind, PLACED_FILE);
	assert_null(record_find(&record, "/dir"));
	assert_true(record_below(&record, "/dir"));
	assert_true(record_below(&record, "/"));
	assert_false(record_below(&record, "/dir/7"));
	assert_false(record_below(&record, "/di"));
	for (size_t i = 0; i < record.count; i++)
		free(record.items[i].path);
	free(record.items);
}

static void links_are_found_by_inode_and_device(void **state)
{
	struct stat one = { .st_dev = 1, .st_ino = 5, .st_nlink = 2 };
	struct stat single = { .st_dev = 1, .st_ino = 6, .st_nlink = 1 };
	struct stat other = { .st_dev = 2, .st_ino = 5, .st_nlink = 2 };
	struct links links = { 0 };

	assert_int_equal(links_add(&links, &one, "/a"), 0);
	assert_int_equal(links_add(&links, &single, "/b"), 0);
	assert_string_equal(links_find(&links, &one), "/a");
	assert_null(links_find(&links, &single));
	assert_null(links_find(&links, &other));
	links_release(&links);
}

static void old_kernels_are_refused(void **state)
{
	struct error err;

	assert_int_equal(preflight_kernel("6.1.0-18-amd64", &err), 0);
	assert_int_equal(preflight_kernel("5.12.0", &err), 0);
	assert_int_equal(preflight_kernel("10.0", &err), 0);
	assert_int_equal(preflight_kernel("5.10.0-28-amd64", &err), -1);
	assert_non_null(strstr(err.text, "5.12"));
	assert_int_equal(preflight_kernel("4.19.0", &err), -1);
	assert_int_equal(preflight_kernel("strange", &err), -1);
}

static void channel_carries_messages_and_descriptors(void **state)
{
	struct message sent = { .kind = MESSAGE_STATUS, .status = 256 }, got;
	struct error err;
	int ends[2], pipe_ends[2], fd;
	char byte = 0;

	assert_int_equal(channel_open(ends, &err), 0);
	assert_int_equal(pipe(pipe_ends), 0);
	assert_int_equal(channel_send(ends[0], &sent, pipe_ends[1]), 0);
	channel_note(ends[0], "%s %d", "note", 7);
	close(pipe_ends[1]);
	assert_int_equal(channel_receive(ends[1], &got, &fd), 1);
	assert_int_equal(got.kind, MESSAGE_STATUS);
	assert_int_equal(got.status, 256);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "x", 1), 1);
	assert_int_equal(read(pipe_ends[0], &byte, 1), 1);
	assert_int_equal(byte, 'x');
	close(fd);
	assert_int_equal(channel_receive(ends[1], &got, &fd), 1);
	assert_string_equal(got.error.text, "note 7");
	assert_int_equal(fd, -1);
	close(ends[0]);
	assert_int_equal(channel_receive(ends[1], &got, &fd), 0);
	assert_int_equal(channel_send(ends[1], &sent, -1), -1);
	close(ends[1]);
	close(pipe_ends[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cpu_stands_in_for_lower_levels_only),
		cmocka_unit_test(rdtscp_is_needed_only_where_the_hosts_counter_is_read),
		cmocka_unit_test(map_of_the_whole_range_stays_the_same),
		cmocka_unit_test(map_of_a_nested_namespace_names_its_own_ids),
		cmocka_unit_test(map_that_does_not_fit_is_cut_at_a_line),
		cmocka_unit_test(mounts_below_a_directory_are_found),
		cmocka_unit_test(a_mount_point_has_nothing_below_itself),
		cmocka_unit_test(record_finds_the_last_of_a_path),
		cmocka_unit_test(links_are_found_by_inode_and_device),
		cmocka_unit_test(old_kernels_are_refused),
		cmocka_unit_test(channel_carries_messages_and_descriptors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
