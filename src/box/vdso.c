#include "box/vdso.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The data is one or more mappings, "[vvar]" and others, right below the code; lines ascend. */
int vdso_measure(struct arena_config *config, struct error *err)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long start, end, data = 0, data_end = 0;
	char line[4352];

	if (!maps)
		return error_set(err, errno, "cannot read /proc/self/maps");
	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx", &start, &end) != 2)
			continue;
		if (strstr(line, "[vvar")) {
			data = data_end == start ? data : start;
			data_end = end;
		} else if (strstr(line, "[vdso]")) {
			config->vdso_below = data_end == start ? (uint32_t)(start - data) : 0;
			config->vdso_bytes = (uint32_t)(end - start);
		}
	}
	fclose(maps);
	return 0;
}
