#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static const struct command {
	const char *name, *summary;
	int (*main)(int argc, char **argv);
} commands[] = {
	{ "attest", "check a statement about a run", command_attest },
	{ "run", "run a command in a container", command_run },
	{ "deb", "build a Debian source package", command_deb },
	{ "diff", "say whether two results are the same, and how they differ", command_diff },
	{ "pack", "run a command and write all that it looked at into a bundle", command_pack },
	{ "rerun", "run a bundle again, and compare the result", command_rerun },
	{ "verify", "run a command under other conditions, and compare the results",
		command_verify },
	{ "image", "list, import, check and remove images in the cache", command_image },
};

void say(const char *format, ...)
{
	char line[2 * ERROR_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	fprintf(stderr, "stet: %s\n", line);
}

static int print_help(void)
{
	printf("usage: stet SUBCOMMAND [OPTIONS] [--] COMMAND [ARG...]\n"
	       "       stet --version | --help\n\nsubcommands:\n");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		printf("  %-10s %s\n", commands[i].name, commands[i].summary);
	printf("\n'stet SUBCOMMAND --help' says more about each.\n");
	return 0;
}

/* Files opened later must not be taken for standard input, output or error. */
static void open_standard(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	close(fd);
}

int main(int argc, char **argv)
{
	open_standard();
	if (argc < 2) {
		say("no subcommand; 'stet --help' lists them");
		return STATUS_TROUBLE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("stet %s\n", STET_VERSION);
		return 0;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return print_help();
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].main(argc - 1, argv + 1);
	say("'%s' is not a subcommand; 'stet --help' lists them", argv[1]);
	return STATUS_TROUBLE;
}
