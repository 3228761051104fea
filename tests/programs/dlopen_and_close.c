/* Libraries can be loaded, called, closed and loaded again. */
#include <dlfcn.h>
#include <libgen.h>
#include <link.h>

#include "check.h"

static int count(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	if (strstr(info->dlpi_name, "plugin.so"))
		++*(int *)data;
	return 0;
}

static int listed(void)
{
	int found = 0;
	dl_iterate_phdr(count, &found);
	return found;
}

int main(int argc, char **argv)
{
	char path[4096];
	(void)argc;
	snprintf(path, sizeof(path), "%s/plugin.so", dirname(argv[0]));
	for (int round = 0; round < 20; round++) {
		void *library = dlopen(path, round % 2 ? RTLD_LAZY : RTLD_NOW);
		must(library);
		int (*answer)(int) = (int (*)(int))dlsym(library, "plugin_answer");
		must(answer);
		expect("first answer", answer(20), 41);
		expect("second answer", answer(20), 42);
		expect("listed", listed(), 1);
		Dl_info info;
		must(dladdr((void *)answer, &info));
		expect("dladdr: its name", strcmp(info.dli_sname, "plugin_answer"), 0);
		must(dlclose(library) == 0);
		expect("listed after closing", listed(), 0);
	}
	void *math = dlopen("libm.so.6", RTLD_NOW);
	must(math);
	double (*cosine)(double) = (double (*)(double))dlsym(math, "cos");
	expect("cos(0)", (long)cosine(0), 1);
	expect_true("a missing library", dlopen("/no/such.so", RTLD_NOW) == NULL);
	return verdict();
}
