/* Names of a ROOT file's records, for reports: "folder/tree;1 (TTree)". */
#ifndef STET_DIFF_ROOT_NAME_H
#define STET_DIFF_ROOT_NAME_H

#include "diff/root_file.h"

/* To be freed; NULL without memory. */
char *root_record_name(const struct root_file *file, const struct root_record *record);
/* A text of the file as one that can be printed: cut where it is long. */
char *root_text_copy(const struct root_text *text);

#endif
