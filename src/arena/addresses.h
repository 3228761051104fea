/*
 * Where things lie in every process of a container. Plain numbers: the guest's linker script reads
 * them too.
 *
 * All lie where TSan (0x7e8000000000 and up), MSan (0x700000000000 and up) and ASan (above
 * 0x10007fff8000) accept mappings, and below every address at which Linux starts to place its own
 * (at most 1 TiB below the top, randomised).
 */
#ifndef STET_ARENA_ADDRESSES_H
#define STET_ARENA_ADDRESSES_H

#define GUEST_ADDRESS	 0x7e9000000000
#define GUEST_STUB_START 0x7e9000001000 /* the page from which the filter lets calls through */
#define GUEST_STUB_END	 0x7e9000002000
#define ARENA_ADDRESS	 0x7ea000000000
#define RING_ADDRESS	 0x7eb000000000 /* event ring of task i: + i * RING_BYTES */
#define LOOKS_ADDRESS	 0x7eb400000000 /* what was looked at */
#define LISTING_ADDRESS	 0x7eb800000000 /* directories as they were read */
#define AREA_ADDRESS	 0x7ec000000000 /* thread areas of the guest */
#define TABLE_ADDRESS	 0x7ec800000000 /* tables of signal actions */
#define OWN_ADDRESS	 0x7ecc00000000 /* memory that the guest maps for a while */
#define GUEST_RANGE_END	 0x7ed000000000

/*
 * Where a program's own things go, as the kernel has it without randomisation: a program that can
 * lie anywhere, and the end of the stack. Mappings are placed from the top of theirs down to the
 * guest's, then below it; the 4 GiB above are the stack's.
 */
#define PIE_ADDRESS    0x555555554000
#define STACK_TOP      0x7ffffffff000
#define MAPPING_TOP    0x7fff00000000
#define MAPPING_BOTTOM 0x000100000000

#endif
