/* Names that mean something else than the kernel thinks: the loader's and the program's own. */
#ifndef STET_GUEST_NAMES_H
#define STET_GUEST_NAMES_H

/* The path to use for a program that runs itself again by /proc/self/exe; else the path as given. */
const char *names_own_program(const char *path);

#endif
