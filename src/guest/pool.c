#include "guest/pool.h"

#include "guest/sys.h"

/* MAP_FIXED: after a fork the place can be mapped already, when another thread was just here. */
static void *piece(struct pool *pool, uint32_t index)
{
	uint64_t address = pool->address + index * pool->bytes;

	if (!pool->mapped[index]) {
		long r = sys(__NR_mmap, address, pool->bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

		if (r != (long)address)
			return NULL;
		pool->mapped[index] = 1;
	}
	return (void *)address;
}

void *pool_take(struct pool *pool, uint32_t **busy)
{
	for (uint32_t i = 0; i < pool->limit; i++) {
		uint32_t used = __atomic_load_n(&pool->used, __ATOMIC_RELAXED);
		void *memory;

		if (__atomic_exchange_n(&pool->busy[i], 1, __ATOMIC_ACQ_REL))
			continue;
		while (used <= i && !__atomic_compare_exchange_n(&pool->used, &used, i + 1, false,
					    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			;
		memory = piece(pool, i);
		if (!memory) {
			__atomic_store_n(&pool->busy[i], 0, __ATOMIC_RELEASE);
			return NULL;
		}
		*busy = &pool->busy[i];
		return memory;
	}
	return NULL;
}

void pool_keep_only(struct pool *pool, const uint32_t *busy)
{
	for (uint32_t i = 0; i < pool->used; i++)
		pool->busy[i] = busy == &pool->busy[i];
}
