/* Dates and times in text, in the forms that programs write. */
#ifndef STET_DIFF_DATE_FORM_H
#define STET_DIFF_DATE_FORM_H

#include <stdbool.h>
#include <stddef.h>

/* How many bytes at `at` are a date or a time; 0: none. */
size_t date_form(const char *at, const char *end);
/* The name of a month or a day of the week, in English, whole or its first three letters. */
bool date_is_name(const char *word, size_t size);

#endif
