/* Colours are for terminals that can show them, unless NO_COLOR is set. */
#ifndef STET_CLI_COLOR_H
#define STET_CLI_COLOR_H

#include <stdbool.h>

bool color_wanted(int fd);

#endif
