#include "cli/color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool color_wanted(int fd)
{
	const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return !(no_color && *no_color) && isatty(fd) && terminal && strcmp(terminal, "dumb") != 0;
}
