/* Keeps the code cache's directory within its bounds; see store.h for them. */
#ifndef STET_CODE_PRUNE_H
#define STET_CODE_PRUNE_H

#define PRUNE_TEMPORARY "new-" /* how names of files that are being written begin */

/* Removes leftovers of killed runs, then what was not used for longest. Failures do not matter. */
void prune(int directory, int identities);

#endif
