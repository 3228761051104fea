/*
 * The number of CPUs, and what they are like, is one by every way. Does not differ natively: that
 * takes another machine.
 * options: --cpus 3
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void show(const char *path)
{
	char line[256] = "(none)\n";
	FILE *file = fopen(path, "r");

	if (file && !fgets(line, sizeof(line), file))
		strcpy(line, "(empty)\n");
	if (file)
		fclose(file);
	printf("%s: %s", path, line);
}

static int count(const char *path, const char *prefix)
{
	char line[4096];
	FILE *file = fopen(path, "r");
	int n = 0;

	while (file && fgets(line, sizeof(line), file))
		n += strncmp(line, prefix, strlen(prefix)) == 0;
	if (file)
		fclose(file);
	return n;
}

int main(void)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	printf("sysconf %ld of %ld\n", sysconf(_SC_NPROCESSORS_ONLN),
		sysconf(_SC_NPROCESSORS_CONF));
	printf("affinity %d\n", CPU_COUNT(&set));
	printf("cpuinfo %d\n", count("/proc/cpuinfo", "processor"));
	printf("stat %d\n", count("/proc/stat", "cpu") - 1);
	show("/sys/devices/system/cpu/online");
	show("/sys/devices/system/cpu/possible");
	show("/sys/devices/system/cpu/present");
	show("/sys/devices/system/cpu/cpu2/topology/core_id");
	show("/sys/devices/system/cpu/cpu2/topology/package_cpus_list");
	show("/sys/devices/system/cpu/cpu2/topology/thread_siblings");
	show("/sys/devices/system/cpu/cpu2/cache/index3/size");
	show("/sys/devices/system/cpu/cpu2/cache/index3/shared_cpu_map");
	show("/sys/devices/system/cpu/cpu3/topology/core_id");
	show("/sys/devices/system/node/online");
	show("/sys/devices/system/node/node0/cpulist");
	show("/sys/kernel/mm/transparent_hugepage/enabled");
	show("/sys/class/net/lo/mtu");
	return 0;
}
