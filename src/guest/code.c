#include "guest/code.h"

#include "arena/identity.h"
#include "guest/process.h"
#include "guest/regions.h"
#include "guest/report.h"
#include "guest/sys.h"
#include "guest/task.h"
#include "guest/turn.h"

static void identity_of(const struct kernel_stat *st, struct file_identity *identity)
{
	*identity = (struct file_identity){
		.device = st->dev,
		.inode = st->ino,
		.size = (uint64_t)st->size,
		.mtime_sec = st->mtime,
		.mtime_nsec = (uint32_t)st->mtime_nsec,
		.ctime_sec = st->ctime,
		.ctime_nsec = (uint32_t)st->ctime_nsec,
	};
}

/* The file's slot, claimed when nobody asked for it yet. NULL when the table is full. */
static struct code_slot *slot_of(const struct file_identity *identity, bool *claimed)
{
	uint32_t at = identity_hash(identity) % CODE_SLOTS;

	for (int i = 0; i < CODE_SLOTS; i++, at = (at + 1) % CODE_SLOTS) {
		struct code_slot *slot = &process.arena->code[at];
		uint32_t state = __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE);

		if (state == CODE_EMPTY &&
			__atomic_compare_exchange_n(&slot->state, &state, CODE_CLAIMED, false,
				__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			slot->identity = *identity;
			__atomic_store_n(&slot->state, CODE_BUILDING, __ATOMIC_RELEASE);
			*claimed = true;
			return slot;
		}
		/* Its claimant may have been killed: not for ever. */
		for (int turn = 0; state == CODE_CLAIMED && turn < 10000; turn++) {
			sys(__NR_sched_yield);
			state = __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE);
		}
		if (state != CODE_CLAIMED && identity_equal(&slot->identity, identity))
			return slot;
	}
	return NULL;
}

bool code_send(uint32_t slot, int fd)
{
	struct code_request body = { .slot = slot };
	struct {
		void *base;
		uint64_t bytes;
	} part = { &body, sizeof(body) };
	struct {
		uint64_t bytes;
		int32_t level, type;
		int32_t fd, pad;
	} control = { 20, 1 /* SOL_SOCKET */, 1 /* SCM_RIGHTS */, fd, 0 };
	struct {
		void *name;
		uint32_t name_bytes, pad;
		void *parts;
		uint64_t part_count;
		void *control;
		uint64_t control_bytes;
		int32_t flags, pad2;
	} message = { NULL, 0, 0, &part, 1, &control, sizeof(control), 0, 0 };
	long r;

	turn_hold(thread_self());
	do
		r = sys(__NR_sendmsg, FD_REQUEST, &message, 0x4000 /* MSG_NOSIGNAL */);
	while (r == -EINTR);
	turn_release(thread_self());
	return r == sizeof(body);
}

/* Sends the file to the supervisor. */
static bool request(const struct code_slot *slot, int fd)
{
	return code_send((uint32_t)(slot - process.arena->code), fd);
}

/* The supervisor answers in the slot. A request whose sender was killed is made again by whoever
 * waits too long. */
static void await(struct code_slot *slot, int fd, bool claimed)
{
	const struct {
		int64_t sec, nsec;
	} patience = { 2, 0 };
	uint64_t *wake = &task_at(thread_self()->task)->wake;
	bool ask = claimed;

	*wake = 1; /* whoever waits for time to pass must not take this for rest */
	while (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) == CODE_BUILDING) {
		if (ask && !request(slot, fd)) {
			__atomic_store_n(&slot->state, CODE_PLAIN, __ATOMIC_RELEASE);
			break;
		}
		turn_hold(thread_self());
		ask = sys(__NR_futex, &slot->state, FUTEX_WAIT, CODE_BUILDING, &patience) ==
		      -ETIMEDOUT;
		turn_release(thread_self());
	}
	*wake = 0;
}

bool code_is_plain(const struct kernel_stat *st)
{
	struct file_identity identity;
	uint32_t at;

	identity_of(st, &identity);
	at = identity_hash(&identity) % CODE_SLOTS;
	for (int i = 0; i < CODE_SLOTS; i++, at = (at + 1) % CODE_SLOTS) {
		const struct code_slot *slot = &process.arena->code[at];
		uint32_t state = __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE);

		if (state == CODE_EMPTY)
			return false;
		if (state != CODE_CLAIMED && identity_equal(&slot->identity, &identity))
			return state == CODE_PLAIN;
	}
	return false;
}

/* The slot of an open file, or NULL when it is to be mapped as it is. Asks the supervisor once. */
static const struct code_slot *code_find(int fd)
{
	struct kernel_stat st;
	struct file_identity identity;
	struct code_slot *slot;
	bool claimed = false;

	if (sys(__NR_fstat, fd, &st) || (st.mode & 0170000) != 0100000)
		return NULL;
	identity_of(&st, &identity);
	slot = slot_of(&identity, &claimed);
	if (!slot)
		return NULL;
	if (slot->state == CODE_BUILDING)
		await(slot, fd, claimed);
	return slot->state == CODE_READY ? slot : NULL;
}

/* Is the range within what the copy replaces? */
static bool covered(const struct code_slot *slot, uint64_t offset, uint64_t bytes)
{
	return offset >= slot->source_offset &&
	       PAGE_UP(offset + bytes) <= slot->source_offset + slot->length;
}

/* Into the room that place.h keeps free below libraries; below a program there is enough. */
static bool map_stubs(const struct code_slot *slot, int copy, uint64_t segment)
{
	uint64_t at = segment + (uint64_t)slot->stub_delta;

	return sys(__NR_mmap, at, slot->stub_length, PROT_READ | PROT_EXEC,
		       MAP_PRIVATE | MAP_FIXED_NOREPLACE, copy, slot->stub_offset) == (long)at;
}

/* The copy in place of the file, at a fixed address. Answers whether that worked; when it did not,
 * the place is as it was, or needs to be mapped anew. */
static bool map_copy(const struct code_slot *slot, int copy, uint64_t address, uint64_t bytes,
	uint64_t prot, uint64_t offset)
{
	uint64_t segment = address - (offset - slot->source_offset);
	uint64_t from = slot->copy_offset + (offset - slot->source_offset);

	if (!regions_know(segment, slot) && !map_stubs(slot, copy, segment))
		return false;
	if (sys(__NR_mmap, address, bytes, prot, MAP_PRIVATE | MAP_FIXED, copy, from) !=
		(long)address)
		return false;
	regions_add(segment, slot);
	return true;
}

/* Every program maps the loader: its copy is known and open from the start. */
static bool cover_loader(uint64_t address, uint64_t bytes, uint64_t prot, uint64_t offset)
{
	const struct code_slot *slot =
		&process.arena->code[process.arena->config.loader_slot % CODE_SLOTS];

	return slot->state == CODE_READY && covered(slot, offset, bytes) &&
	       map_copy(slot, FD_LOADER_CODE, address, bytes, prot, offset);
}

static bool cover(int fd, uint64_t address, uint64_t bytes, uint64_t prot, uint64_t offset)
{
	const struct code_slot *slot;
	bool done;
	long copy;

	if (fd == FD_LOADER)
		return cover_loader(address, bytes, prot, offset);
	slot = code_find(fd);
	if (!slot || !covered(slot, offset, bytes))
		return false;
	copy = sys(__NR_openat, FD_CODE, slot->name, O_RDONLY | O_CLOEXEC);
	if (failed(copy))
		return false;
	done = map_copy(slot, (int)copy, address, bytes, prot, offset);
	sys(__NR_close, copy);
	return done;
}

void code_cover(int fd, uint64_t address, uint64_t bytes, uint64_t prot, uint64_t offset)
{
	bool done = cover(fd, address, bytes, prot, offset);

	if (process.reporting)
		report_code(done);
}

long code_map(
	uint64_t address, uint64_t bytes, uint64_t prot, uint64_t flags, int fd, uint64_t offset)
{
	bool suits = (flags & MAP_TYPE) == MAP_PRIVATE && !(prot & PROT_WRITE) && bytes;
	long r;

	/* The usual case, a loader's: the address is fixed, so the copy can go there at once. */
	if (suits && (flags & MAP_FIXED) && cover(fd, address, bytes, prot, offset)) {
		if (process.reporting)
			report_code(true);
		return (long)address;
	}
	r = sys_window(__NR_mmap, address, bytes, prot, flags, fd, offset);
	if (suits && !failed(r) && !(flags & MAP_FIXED))
		code_cover(fd, (uint64_t)r, bytes, prot, offset);
	else if (process.reporting && !failed(r))
		report_code(false);
	return r;
}
