/* System V shared memory: attached where the guest says (place.h). */
#include "guest/clock.h"
#include "guest/handlers.h"
#include "guest/place.h"
#include "guest/turn.h"

#define SHM_REMAP   040000
#define ATTACHMENTS 256
#define SEGMENTS    (~0ull) /* in place of a device: no file has it */

/* struct shmid64_ds, as far as its size: 48 bytes of permissions come first. */
struct kernel_shmid {
	uint8_t permissions[48];
	uint64_t size;
	uint8_t rest[56];
};
_Static_assert(sizeof(struct kernel_shmid) == 112, "struct shmid64_ds");

/* What is attached, and how large: shmdt does not say. Beyond, addresses are not used again. */
static struct {
	uint64_t address, bytes;
} attached[ATTACHMENTS];

static void remember(uint64_t address, uint64_t bytes)
{
	for (int i = 0; i < ATTACHMENTS; i++) {
		uint64_t none = 0;

		if (__atomic_compare_exchange_n(&attached[i].address, &none, address, false,
			    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
			attached[i].bytes = bytes;
			return;
		}
	}
}

static void forget(uint64_t address)
{
	for (int i = 0; i < ATTACHMENTS; i++) {
		if (attached[i].address != address)
			continue;
		place_release(address, attached[i].bytes);
		__atomic_store_n(&attached[i].address, 0, __ATOMIC_RELEASE);
		return;
	}
}

long handle_shmat(struct thread *self)
{
	uint64_t id = argument(self, 0), address = argument(self, 1), flags = argument(self, 2);
	struct wish wish = { .alignment = PAGE };
	struct kernel_shmid segment;
	long r;

	clock_owner(self)->shares = 1;
	thread_pass_nothing(self);
	/* Whoever may not look at it may not attach it; the kernel says so. */
	if (sys(__NR_shmctl, id, IPC_STAT, &segment))
		return pass_on(self);
	if (threads_matter())
		turn_share(self, SEGMENTS, id);
	wish.bytes = PAGE_UP(segment.size);
	if (address && guest_range(address, wish.bytes))
		return -EINVAL;
	if (!address && !(flags & SHM_REMAP))
		address = place_find(&wish);
	r = sys_window(__NR_shmat, id, address, flags);
	if (!failed(r)) {
		place_take((uint64_t)r, wish.bytes);
		remember((uint64_t)r, wish.bytes);
	} else if (!argument(self, 1) && address) {
		place_release(address, wish.bytes);
	}
	return r;
}

long handle_shmdt(struct thread *self)
{
	long r = pass_on(self);

	if (r == 0)
		forget(argument(self, 0));
	return r;
}
