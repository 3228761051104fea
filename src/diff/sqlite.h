/*
 * SQLite databases: the schema, and rows by tables. Where they are in the file, counters of changes,
 * indexes and free pages are bookkeeping. What is still in a journal beside it is not seen.
 */
#ifndef STET_DIFF_SQLITE_H
#define STET_DIFF_SQLITE_H

#include "diff/compare.h"

bool sqlite_is(const struct blob *blob);
compare_function sqlite_compare;

#endif
