/* Small texts: paths and names that the guest puts together. */
#ifndef STET_GUEST_TEXT_H
#define STET_GUEST_TEXT_H

#include <stdbool.h>

/* Both answer the new end. */
char *text_put(char *at, const char *text);
char *text_put_number(char *at, long number);

bool text_same(const char *a, const char *b);
/* Is it "." or ".."? */
bool text_is_dots(const char *text);

#endif
