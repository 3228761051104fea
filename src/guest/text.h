/* Small texts: paths and names that the guest puts together. Each function answers the new end. */
#ifndef STET_GUEST_TEXT_H
#define STET_GUEST_TEXT_H

char *text_put(char *at, const char *text);
char *text_put_number(char *at, long number);

#endif
