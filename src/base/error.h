/*
 * The one error type of the host side. A function that can fail takes `struct error *err` last and
 * returns a negative number; the message is made where the cause is known, and printed once, by the
 * subcommand. The library side never prints and never exits.
 */
#ifndef STET_BASE_ERROR_H
#define STET_BASE_ERROR_H

#define ERROR_TEXT 1024

struct error {
	int status;	       /* exit status of stet for it; 125 unless set otherwise */
	char text[ERROR_TEXT]; /* one line, without "stet: " and without a newline */
};

/* Fills err and returns -1. `cause` is an errno or 0; when not 0, ": strerror" is appended. */
int error_set(struct error *err, int cause, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
