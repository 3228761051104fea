/* Memory, load and uptime are the fixed machine's.
 * Does not differ natively: not within a moment; between machines and hours it does. */
#include <stdio.h>
#include <sys/sysinfo.h>
#include <unistd.h>

int main(void)
{
	struct sysinfo info;

	sysinfo(&info);
	printf("loads %lu %lu %lu, processes %u\n", info.loads[0], info.loads[1], info.loads[2],
		info.procs);
	printf("memory %lu free %lu shared %lu buffers %lu swap %lu %lu unit %u\n", info.totalram,
		info.freeram, info.sharedram, info.bufferram, info.totalswap, info.freeswap,
		info.mem_unit);
	printf("pages %ld, available %ld\n", sysconf(_SC_PHYS_PAGES), sysconf(_SC_AVPHYS_PAGES));
	printf("uptime makes sense: %d\n", info.uptime >= 100 && info.uptime < 100000);
	return 0;
}
