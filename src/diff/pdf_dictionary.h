/* Text of a PDF object outside of streams: what is bookkeeping in it is taken out. */
#ifndef STET_DIFF_PDF_DICTIONARY_H
#define STET_DIFF_PDF_DICTIONARY_H

#include "diff/members.h"

/* Writes the text without dates, ids and the producer, which become facts of the member, and, if it
 * is that of a stream, without its packed length. */
int pdf_dictionary_write(struct blob_writer *writer, struct member *member, const struct blob *text,
	bool of_stream, struct error *err);

/* The direct value of a key: a number, or UINT64_MAX. */
uint64_t pdf_dictionary_number(const struct blob *text, const char *key);
/* Is this a value of the key? */
bool pdf_dictionary_has(const struct blob *text, const char *key, const char *value);

/* From `at` on, behind blanks. */
uint64_t pdf_skip_blanks(const struct blob *text, uint64_t at);

#endif
