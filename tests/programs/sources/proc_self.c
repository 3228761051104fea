/* A process's own files say the same of it in every run, and nothing of what carries it. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show(const char *path, const char *until)
{
	char line[4096];
	FILE *file = fopen(path, "r");

	printf("%s:\n", path);
	while (file && fgets(line, sizeof(line), file) && !(until && strstr(line, until)))
		if (strncmp(line, "Vm", 2) != 0 && strncmp(line, "Rss", 3) != 0)
			printf("  %s", line);
	if (file)
		fclose(file);
}

/* The fields of stat that are no addresses or sizes. */
static void show_stat(void)
{
	char line[4096] = "", *at;
	FILE *file = fopen("/proc/self/stat", "r");
	int field = 1;

	if (!file || !fgets(line, sizeof(line), file))
		return;
	fclose(file);
	printf("stat:");
	for (at = strtok(line, " \n"); at; at = strtok(NULL, " \n"), field++)
		if (!(field >= 23 && field <= 28) && !(field >= 45 && field <= 51))
			printf(" %s", at);
	printf("\n");
}

static void show_link(const char *path)
{
	char target[256];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	target[n > 0 ? n : 0] = 0;
	printf("%s -> %s\n", path, target);
}

int main(void)
{
	show("/proc/self/status", NULL);
	show_stat();
	show("/proc/self/limits", NULL);
	show("/proc/self/cgroup", NULL);
	show("/proc/self/mountinfo", " /dev/shm ");
	show("/proc/self/io", NULL);
	show("/proc/self/uid_map", NULL);
	show("/proc/self/oom_score", NULL);
	show("/proc/self/comm", NULL);
	show_link("/proc/self/ns/net");
	show_link("/proc/self/ns/pid");
	show_link("/proc/self/cwd");
	show_link("/proc/self/root");
	return 0;
}
