/*
 * Static programs, which the guest loads itself, have the same addresses each time: one that can
 * lie anywhere, and one that cannot. They are compiled here.
 */
#include <stdio.h>
#include <stdlib.h>

static const char source[] =
	"#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <sys/auxv.h>\n"
	"#include <sys/mman.h>\nextern char end[];\n"
	"int main(int argc, char **argv) { int local; void *heap = sbrk(0);\n"
	"void *map = mmap(0, 1 << 26, 0, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
	"printf(\"%p %p %p %p %p %d\\n\", (void *)main, (void *)&local, (void *)argv, map,\n"
	"malloc(9), heap >= (void *)end);\n"
	"printf(\"%lx %lx %s\\n\", getauxval(AT_PHDR), getauxval(AT_BASE),\n"
	"(char *)getauxval(AT_EXECFN)); return argc - 1; }\n";

static void build_and_run(const char *how)
{
	char command[200];

	snprintf(command, sizeof(command), "cc -O1 %s -o address_static_ address_static_.c", how);
	printf("%s\n", how);
	fflush(stdout);
	if (system(command) || system("./address_static_; rm address_static_"))
		printf("failed\n");
}

int main(void)
{
	FILE *file = fopen("address_static_.c", "w");

	if (!file || fputs(source, file) < 0 || fclose(file))
		return 1;
	build_and_run("-static -no-pie");
	build_and_run("-static-pie");
	return remove("address_static_.c");
}
