#include "guest/inodes.h"

#include "guest/ahead.h"
#include "guest/clock.h"
#include "guest/numbers.h"
#include "guest/process.h"
#include "guest/touches.h"

/* The epoch in ns since 1970; times of files are in these. */
static int64_t epoch(void)
{
	const struct machine *machine = &process.arena->config.machine;

	return machine->epoch * NSEC_PER_SEC + machine->epoch_nsec;
}

uint32_t inode_index(const struct inode *inode)
{
	return (uint32_t)(inode - process.arena->inodes) + 1;
}

struct inode *inode_at(uint32_t index)
{
	return &process.arena->inodes[(index - 1) % INODES];
}

void inode_split(int64_t time, int64_t *seconds, int64_t *nsec)
{
	*seconds = time / NSEC_PER_SEC;
	*nsec = time % NSEC_PER_SEC;
	if (*nsec < 0) {
		*nsec += NSEC_PER_SEC;
		--*seconds;
	}
}

/* Times outside of the years 1677 to 2262 become the nearest: file systems have such limits too. */
int64_t inode_time(int64_t seconds, int64_t nsec)
{
	const int64_t limit = INT64_MAX / NSEC_PER_SEC - 1;

	if (seconds > limit)
		seconds = limit;
	if (seconds < -limit)
		seconds = -limit;
	return seconds * NSEC_PER_SEC + nsec;
}

int64_t inode_now(struct thread *self)
{
	return epoch() + (int64_t)clock_look(self);
}

static struct inode *add(uint64_t device, uint64_t number, int64_t time)
{
	uint32_t index = __atomic_fetch_add(&process.arena->inode_count, 1, __ATOMIC_RELAXED);
	struct inode *inode;

	if (index >= INODES)
		fatal("the command has seen more files than Stet can keep numbers for", "");
	inode = &process.arena->inodes[index];
	*inode = (struct inode){
		.device = device,
		.number = number,
		.atime = time,
		.mtime = time,
		.ctime = time,
		.btime = time,
	};
	return inode;
}

static bool is(const struct inode *inode, uint64_t device, uint64_t number)
{
	return (inode->number == number && inode->device == device) ||
	       (inode->other == number && inode->other_device == device);
}

/* Where the entry is noted, or would be; `entry` is what was noted there. */
static uint32_t *find(uint64_t device, uint64_t number, uint32_t *entry)
{
	struct arena *arena = process.arena;
	uint32_t at = inode_place(device, number);

	for (;; at = (at + 1) % INODE_PLACES) {
		*entry = __atomic_load_n(&arena->inode_places[at], __ATOMIC_ACQUIRE);
		if (!*entry || is(inode_at(*entry), device, number))
			return &arena->inode_places[at];
	}
}

static bool note(uint32_t *place, uint32_t old, const struct inode *inode)
{
	return __atomic_compare_exchange_n(
		place, &old, inode_index(inode), false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Pipes and their like are as old as the first look at them; all else was there before the
 * start, the streams that the command was started with too. */
static int64_t first_time(const struct thread *self, uint64_t device, uint64_t number)
{
	const uint64_t *devices = process.arena->config.devices;
	const struct outside *streams = process.arena->config.outside;

	for (int i = 0; i < 3; i++)
		if (streams[i].device == device && streams[i].inode == number)
			return epoch() - NSEC_PER_SEC;
	for (int class = DEVICE_FIRST_MADE; class < DEVICE_CLASSES; class ++)
		if (devices[class] == device)
			return epoch() + (int64_t)clock_now(self);
	return epoch() - NSEC_PER_SEC;
}

struct inode *inode_look(struct thread *self, uint64_t device, uint64_t number)
{
	struct inode *inode;
	uint32_t entry;
	uint32_t *place = find(device, number, &entry);

	if (entry)
		return inode_at(entry);
	inode = add(device, number, first_time(self, device, number));
	while (!note(place, 0, inode)) {
		place = find(device, number, &entry);
		if (!entry)
			continue;
		inode->device = inode->number = 0; /* somebody else saw it first */
		return inode_at(entry);
	}
	return inode;
}

struct inode *inode_known(const struct kernel_stat *st)
{
	uint32_t entry;

	find(st->dev, st->ino, &entry);
	return entry ? inode_at(entry) : NULL;
}

bool inode_is_made(const struct kernel_stat *st)
{
	const struct inode *inode = inode_known(st);

	return inode && (inode->flags & INODE_MADE);
}

struct inode *inode_fresh(struct thread *self, uint64_t device, uint64_t number)
{
	struct inode *inode = add(device, number, inode_now(self));
	uint32_t entry;
	uint32_t *place;

	inode->flags = INODE_MADE | INODE_CHANGED;
	inode->shown = number_fresh(self);
	__atomic_store_n(&process.arena->inode_changed, 1, __ATOMIC_RELAXED);
	do
		place = find(device, number, &entry);
	while (!note(place, entry, inode));
	if (entry && !(inode_at(entry)->flags & INODE_GONE))
		ahead_seen_early(self);
	ahead_change(self, inode);
	return inode;
}

/* In place of whatever had the number. */
static void put(const struct inode *inode, uint64_t device, uint64_t number)
{
	uint32_t entry;
	uint32_t *place;

	do
		place = find(device, number, &entry);
	while (!note(place, entry, inode));
}

struct inode *inode_copied(struct thread *self, uint64_t device, uint64_t number)
{
	struct inode *inode = add(device, number, first_time(self, device, number));

	put(inode, device, number);
	return inode;
}

void inode_alias(struct inode *inode, uint64_t device, uint64_t number)
{
	inode->other_device = device;
	inode->other = number;
	put(inode, device, number);
}

/* The clock is not before the file's last change: that is its ctime, which no program can set. */
static void join(struct thread *self, int64_t ctime)
{
	int64_t since = ctime - epoch();

	if (since > 0)
		clock_join(self, (uint64_t)since);
}

void inode_met(struct thread *self, struct inode *inode, bool is_directory)
{
	ahead_look(self, inode);
	if (!is_directory)
		join(self, inode->ctime);
}

struct inode *inode_seen(struct thread *self, const struct kernel_stat *st)
{
	struct inode *inode = inode_look(self, st->dev, st->ino);

	inode_met(self, inode, (st->mode & S_IFMT) == S_IFDIR);
	return inode;
}

void inode_listed(struct thread *self, struct inode *directory)
{
	ahead_will_list(self, directory);
	join(self, directory->ctime);
}

struct directory_times inode_dated(struct thread *self, struct inode *directory, bool busy)
{
	struct directory_times times = {
		__atomic_load_n(&directory->mtime, __ATOMIC_SEQ_CST),
		__atomic_load_n(&directory->ctime, __ATOMIC_SEQ_CST),
	};

	/* They may be those of others that are ahead. */
	if (!ahead_untouched(self, directory, busy) &&
		!touches_before(directory, self->ahead.place, &times))
		ahead_list(self, directory);
	join(self, times.ctime);
	return times;
}

void inodes_begin(struct thread *self)
{
	struct kernel_stat st;

	if (sys(__NR_newfstatat, AT_FDCWD, "/", &st, 0) == 0)
		inode_look(self, st.dev, st.ino)->shown = ROOT_NUMBER;
}

void inode_set(struct inode *inode, uint32_t times, int64_t time)
{
	if (times & INODE_ATIME)
		__atomic_store_n(&inode->atime, time, __ATOMIC_RELAXED);
	if (times & INODE_MTIME)
		__atomic_store_n(&inode->mtime, time, __ATOMIC_RELAXED);
	if (times & INODE_CTIME)
		__atomic_store_n(&inode->ctime, time, __ATOMIC_RELAXED);
	if (!(inode->flags & INODE_CHANGED)) {
		__atomic_or_fetch(&inode->flags, INODE_CHANGED, __ATOMIC_RELAXED);
		__atomic_store_n(&process.arena->inode_changed, 1, __ATOMIC_RELAXED);
	}
}

static void raise(int64_t *time, int64_t to)
{
	int64_t now = __atomic_load_n(time, __ATOMIC_RELAXED);

	while (now < to && !__atomic_compare_exchange_n(
				   time, &now, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

void inode_touch(struct thread *self, struct inode *directory, int64_t time)
{
	if (self->ahead.mode)
		touches_add(directory, self->ahead.place, (struct directory_times){ time, time });
	raise(&directory->mtime, time);
	raise(&directory->ctime, time);
	inode_set(directory, 0, 0);
}

void inode_renew(struct thread *self, struct inode *directory)
{
	int64_t now;

	inode_dated(self, directory, true);
	now = inode_now(self);
	ahead_touch(self, directory);
	if (self->ahead.mode)
		touches_add(
			directory, self->ahead.place, (struct directory_times){ TOUCHES_NOT, now });
	raise(&directory->ctime, now);
	inode_set(directory, 0, 0);
}

void inode_mark(struct thread *self, struct inode *inode, uint32_t times)
{
	join(self, inode->ctime);
	inode_set(inode, times, inode_now(self));
}
