#include "box/machine_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_ROOM    128
#define TEXT_ROOM    1024
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The first failure stays, and nothing is made after it. */
struct tree {
	int root;
	const struct machine *machine;
	int error;
};

static void make_parents(struct tree *tree, const char *path)
{
	char parent[PATH_ROOM];

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(parent, sizeof(parent), "%.*s", (int)(slash - path), path);
		if (mkdirat(tree->root, parent, 0755) && errno != EEXIST)
			tree->error = errno;
	}
}

static int open_new(struct tree *tree, const char *path)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	int fd = openat(tree->root, path, flags, 0444);

	if (fd >= 0 || errno != ENOENT)
		return fd;
	make_parents(tree, path);
	return openat(tree->root, path, flags, 0444);
}

static void put(struct tree *tree, const char *path, const char *text)
{
	size_t length = strlen(text);
	int fd;

	if (tree->error)
		return;
	fd = open_new(tree, path);
	if (fd < 0 || write(fd, text, length) != (ssize_t)length)
		tree->error = errno;
	if (fd >= 0)
		close(fd);
}

/* A file in a directory, with a text that is put together. */
__attribute__((format(printf, 4, 5))) static void print(
	struct tree *tree, const char *directory, const char *name, const char *format, ...)
{
	char path[PATH_ROOM], text[TEXT_ROOM];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	put(tree, path, text);
}

static void put_link(struct tree *tree, const char *path, const char *target)
{
	make_parents(tree, path);
	if (symlinkat(target, tree->root, path))
		tree->error = errno;
}

static const struct {
	const char *path, *text;
} fixed[] = {
	{ "devices/system/clocksource/clocksource0/available_clocksource", "tsc \n" },
	{ "devices/system/clocksource/clocksource0/current_clocksource", "tsc\n" },
	{ "devices/system/cpu/isolated", "\n" },
	{ "devices/system/cpu/kernel_max", "8191\n" },
	{ "devices/system/cpu/offline", "\n" },
	{ "devices/system/cpu/smt/active", "0\n" },
	{ "devices/system/cpu/smt/control", "notsupported\n" },
	{ "devices/system/cpu/vulnerabilities/itlb_multihit", "Not affected\n" },
	{ "devices/system/cpu/vulnerabilities/l1tf", "Not affected\n" },
	{ "devices/system/cpu/vulnerabilities/mds", "Not affected\n" },
	{ "devices/system/cpu/vulnerabilities/meltdown", "Not affected\n" },
	{ "devices/system/cpu/vulnerabilities/spec_store_bypass", "Not affected\n" },
	{ "devices/system/cpu/vulnerabilities/spectre_v1", "Not affected\n" },
	{ "devices/system/cpu/vulnerabilities/spectre_v2", "Not affected\n" },
	{ "devices/system/cpu/vulnerabilities/srbds", "Not affected\n" },
	{ "devices/system/cpu/vulnerabilities/tsx_async_abort", "Not affected\n" },
	{ "devices/system/node/has_cpu", "0\n" },
	{ "devices/system/node/has_memory", "0\n" },
	{ "devices/system/node/has_normal_memory", "0\n" },
	{ "devices/system/node/online", "0\n" },
	{ "devices/system/node/possible", "0\n" },
	{ "devices/system/node/node0/distance", "10\n" },
	{ "devices/system/node/node0/numastat",
		"numa_hit 0\nnuma_miss 0\nnuma_foreign 0\ninterleave_hit 0\nlocal_node 0\n"
		"other_node 0\n" },
	{ "devices/virtual/net/lo/addr_len", "6\n" },
	{ "devices/virtual/net/lo/address", "00:00:00:00:00:00\n" },
	{ "devices/virtual/net/lo/broadcast", "00:00:00:00:00:00\n" },
	{ "devices/virtual/net/lo/ifindex", "1\n" },
	{ "devices/virtual/net/lo/iflink", "1\n" },
	{ "devices/virtual/net/lo/mtu", "65536\n" },
	{ "devices/virtual/net/lo/tx_queue_len", "1000\n" },
	{ "devices/virtual/net/lo/type", "772\n" },
	{ "devices/virtual/net/lo/uevent", "INTERFACE=lo\nIFINDEX=1\n" },
	{ "devices/virtual/net/lo/statistics/rx_bytes", "0\n" },
	{ "devices/virtual/net/lo/statistics/rx_dropped", "0\n" },
	{ "devices/virtual/net/lo/statistics/rx_errors", "0\n" },
	{ "devices/virtual/net/lo/statistics/rx_packets", "0\n" },
	{ "devices/virtual/net/lo/statistics/tx_bytes", "0\n" },
	{ "devices/virtual/net/lo/statistics/tx_dropped", "0\n" },
	{ "devices/virtual/net/lo/statistics/tx_errors", "0\n" },
	{ "devices/virtual/net/lo/statistics/tx_packets", "0\n" },
	{ "kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "0\n" },
	{ "kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "0\n" },
	{ "kernel/mm/hugepages/hugepages-2048kB/nr_overcommit_hugepages", "0\n" },
	{ "kernel/mm/hugepages/hugepages-2048kB/resv_hugepages", "0\n" },
	{ "kernel/mm/hugepages/hugepages-2048kB/surplus_hugepages", "0\n" },
	{ "kernel/mm/transparent_hugepage/defrag", "always defer defer+madvise [madvise] never\n" },
	{ "kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n" },
	{ "kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n" },
	{ "kernel/mm/transparent_hugepage/shmem_enabled",
		"always within_size advise [never] deny force\n" },
	{ "kernel/mm/transparent_hugepage/use_zero_page", "1\n" },
};

/* Each ends with a slash, so that the last directory is made too. */
static const char *const empty[] = { "block/", "bus/", "class/block/", "class/tty/", "dev/block/",
	"dev/char/", "firmware/", "fs/cgroup/", "module/", "power/" };

/* The CPUs from `first` to `last` as a list, and as bits in groups of 32, the highest first. */
static void range_list(char text[TEXT_ROOM], uint32_t first, uint32_t last)
{
	if (first == last)
		snprintf(text, TEXT_ROOM, "%u", first);
	else
		snprintf(text, TEXT_ROOM, "%u-%u", first, last);
}

static uint32_t bits_between(uint32_t first, uint32_t last, uint32_t group)
{
	uint32_t bits = 0;

	for (uint32_t i = 0; i < 32; i++)
		if (group * 32 + i >= first && group * 32 + i <= last)
			bits |= 1u << i;
	return bits;
}

static void range_mask(const struct tree *tree, char text[TEXT_ROOM], uint32_t first, uint32_t last)
{
	uint32_t cpus = tree->machine->cpus, group = (cpus - 1) / 32;
	int digits = (int)((cpus - group * 32 + 3) / 4);
	int n = snprintf(text, TEXT_ROOM, "%0*x", digits, bits_between(first, last, group));

	while (group--)
		n += snprintf(
			text + n, TEXT_ROOM - (size_t)n, ",%08x", bits_between(first, last, group));
}

/* "NAME" as bits and "NAME_list", or the names given. */
static void put_range(struct tree *tree, const char *directory, const char *mask, const char *list,
	uint32_t first, uint32_t last)
{
	char text[TEXT_ROOM];

	range_mask(tree, text, first, last);
	print(tree, directory, mask, "%s\n", text);
	range_list(text, first, last);
	print(tree, directory, list, "%s\n", text);
}

/* One thread per core, one package. */
static void make_topology(struct tree *tree, uint32_t cpu)
{
	uint32_t last = tree->machine->cpus - 1;
	char directory[PATH_ROOM];

	snprintf(directory, sizeof(directory), "devices/system/cpu/cpu%u/topology", cpu);
	print(tree, directory, "core_id", "%u\n", cpu);
	print(tree, directory, "die_id", "0\n");
	print(tree, directory, "physical_package_id", "0\n");
	put_range(tree, directory, "core_cpus", "core_cpus_list", cpu, cpu);
	put_range(tree, directory, "thread_siblings", "thread_siblings_list", cpu, cpu);
	put_range(tree, directory, "core_siblings", "core_siblings_list", 0, last);
	put_range(tree, directory, "die_cpus", "die_cpus_list", 0, last);
	put_range(tree, directory, "package_cpus", "package_cpus_list", 0, last);
}

/* As cpuid says. */
static const struct cache {
	unsigned level;
	const char *type;
	unsigned kib, ways, sets;
	bool shared;
} caches[] = {
	{ 1, "Data", 32, 8, 64, false },
	{ 1, "Instruction", 32, 8, 64, false },
	{ 2, "Unified", 256, 8, 512, false },
	{ 3, "Unified", 8192, 16, 8192, true },
};

static void make_cache(struct tree *tree, uint32_t cpu, unsigned index)
{
	const struct cache *cache = &caches[index];
	uint32_t first = cache->shared ? 0 : cpu;
	uint32_t last = cache->shared ? tree->machine->cpus - 1 : cpu;
	char directory[PATH_ROOM];

	snprintf(
		directory, sizeof(directory), "devices/system/cpu/cpu%u/cache/index%u", cpu, index);
	print(tree, directory, "coherency_line_size", "64\n");
	print(tree, directory, "id", "%u\n", first);
	print(tree, directory, "level", "%u\n", cache->level);
	print(tree, directory, "number_of_sets", "%u\n", cache->sets);
	print(tree, directory, "physical_line_partition", "1\n");
	print(tree, directory, "size", "%uK\n", cache->kib);
	print(tree, directory, "type", "%s\n", cache->type);
	print(tree, directory, "ways_of_associativity", "%u\n", cache->ways);
	put_range(tree, directory, "shared_cpu_map", "shared_cpu_list", first, last);
}

static void make_cpu(struct tree *tree, uint32_t cpu)
{
	char path[PATH_ROOM], target[PATH_ROOM];

	make_topology(tree, cpu);
	for (unsigned i = 0; i < COUNT(caches); i++)
		make_cache(tree, cpu, i);
	snprintf(path, sizeof(path), "devices/system/cpu/cpu%u/online", cpu);
	if (cpu) /* the first one cannot be switched off */
		put(tree, path, "1\n");
	snprintf(path, sizeof(path), "devices/system/cpu/cpu%u/node0", cpu);
	put_link(tree, path, "../../node/node0");
	snprintf(path, sizeof(path), "devices/system/node/node0/cpu%u", cpu);
	snprintf(target, sizeof(target), "../../cpu/cpu%u", cpu);
	put_link(tree, path, target);
}

/* The same shares as in /proc/meminfo. */
static void make_node_memory(struct tree *tree)
{
	unsigned long total = tree->machine->memory / 1024, used = total / 4;

	print(tree, "devices/system/node/node0", "meminfo",
		"Node 0 MemTotal:       %8lu kB\nNode 0 MemFree:        %8lu kB\n"
		"Node 0 MemUsed:        %8lu kB\nNode 0 FilePages:      %8lu kB\n"
		"Node 0 HugePages_Total:     0\nNode 0 HugePages_Free:      0\n"
		"Node 0 HugePages_Surp:      0\n",
		total, total - used, used, used / 2);
}

static void make_machine(struct tree *tree)
{
	char text[TEXT_ROOM];
	uint32_t last = tree->machine->cpus - 1;

	range_list(text, 0, last);
	print(tree, "devices/system/cpu", "online", "%s\n", text);
	print(tree, "devices/system/cpu", "possible", "%s\n", text);
	print(tree, "devices/system/cpu", "present", "%s\n", text);
	put_range(tree, "devices/system/node/node0", "cpumap", "cpulist", 0, last);
	make_node_memory(tree);
	for (uint32_t i = 0; i <= last && !tree->error; i++)
		make_cpu(tree, i);
}

static void make_network(struct tree *tree, bool up)
{
	const char *lo = "devices/virtual/net/lo";

	print(tree, lo, "flags", "%s\n", up ? "0x9" : "0x8");
	print(tree, lo, "operstate", "%s\n", up ? "unknown" : "down");
	if (up)
		print(tree, lo, "carrier", "1\n");
	put_link(tree, "class/net/lo", "../../devices/virtual/net/lo");
}

int machine_tree_make(int root, const struct machine *machine, bool network, struct error *err)
{
	struct tree tree = { .root = root, .machine = machine };

	for (size_t i = 0; i < COUNT(empty); i++)
		make_parents(&tree, empty[i]);
	for (size_t i = 0; i < COUNT(fixed); i++)
		put(&tree, fixed[i].path, fixed[i].text);
	make_machine(&tree);
	make_network(&tree, network);
	if (tree.error)
		return error_set(err, tree.error, "cannot make the container's /sys");
	return 0;
}
