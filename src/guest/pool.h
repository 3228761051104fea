/* Memory of one size, in a range of its own, handed out and taken back without locks. */
#ifndef STET_GUEST_POOL_H
#define STET_GUEST_POOL_H

#include <stdint.h>

struct pool {
	uint64_t address, bytes; /* of the first piece, of each piece */
	uint32_t limit;		 /* how many there can be */
	uint32_t used;		 /* pieces below this index have been handed out at least once */
	uint32_t *busy;		 /* one word per piece: 1 while it is out */
	uint8_t *mapped;
};

/* A piece, with what its last user left in it, or NULL. It is given back by setting *busy to 0. */
void *pool_take(struct pool *pool, uint32_t **busy);
/* After a fork: only the piece with this busy word is still out. */
void pool_keep_only(struct pool *pool, const uint32_t *busy);

#endif
