/* Names, contents and extended attributes of files as they stand in the lists that digests are made
 * of: doc/digest.md, doc/images.md. */
#ifndef STET_BASE_FILE_TEXT_H
#define STET_BASE_FILE_TEXT_H

#include <stdio.h>

/* Blanks and the like as \ooo, so that no name can look like two fields, or like a line. */
void file_text_name(FILE *out, const char *name);
/* " SIZE sha256:HEX" of what can be read from `fd`; -1 and errno. */
int file_text_content(FILE *out, int fd);
/* " NAME=HEX" for each that is the program's (attributes.h); -1 without memory. */
int file_text_attributes(FILE *out, int fd);

#endif
