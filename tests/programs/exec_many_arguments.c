/* A megabyte of arguments and environment arrives whole. */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define WORDS 20000

extern char **environ;

static int second_life(int argc, char **argv)
{
	long bad = 0, variables = 0;
	char wanted[32];
	for (int i = 1; i < argc; i++) {
		snprintf(wanted, sizeof(wanted), "argument number %d", i);
		bad += strcmp(argv[i], wanted) != 0;
	}
	for (char **variable = environ; *variable; variable++)
		variables++;
	expect("arguments", argc, WORDS);
	expect("wrong arguments", bad, 0);
	expect("variables", variables, WORDS);
	return verdict();
}

int main(int argc, char **argv)
{
	static char *words[WORDS + 1], *variables[WORDS + 1];
	if (argc > 1)
		return second_life(argc, argv);
	words[0] = argv[0];
	for (int i = 0; i < WORDS; i++) {
		if (i > 0)
			must(asprintf(&words[i], "argument number %d", i) > 0);
		must(asprintf(&variables[i], "V%d=%d", i, i) > 0);
	}
	execve(argv[0], words, variables);
	must(!"exec");
}
