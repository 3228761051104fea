/* Texts of fields, as Debian's control files have them. Uses nothing. */
#ifndef STET_DEB_FIELDS_H
#define STET_DEB_FIELDS_H

#include <stddef.h>

/* The text between BEGIN PGP SIGNED MESSAGE and the signature, in place; or all of it, when there is
 * none. NULL: a signed message without an end. */
char *fields_unsigned(char *text);

/* The value of a field of the first paragraph, to be freed: its line, and those that continue it.
 * NULL when it is not there, or there is no memory. */
char *fields_find(const char *text, const char *name);

#endif
