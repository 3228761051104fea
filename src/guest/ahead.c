#include "guest/ahead.h"

#include "guest/ahead_calls.h"
#include "guest/clock.h"
#include "guest/delays.h"
#include "guest/files.h"
#include "guest/order.h"
#include "guest/posts.h"
#include "guest/stat.h"
#include "guest/task.h"
#include "guest/text.h"
#include "guest/turn.h"

#define BIRTH_BITS  24
#define BIRTH_MAX   ((1ull << BIRTH_BITS) - 1)
#define QUANTUM_MAX ((1ull << (64 - BIRTH_BITS)) - 1)
#define TRIES	    4	     /* of a look, while others change files; then it waits for its turn */
#define REDO	    (-4096l) /* no answer of a call */

enum kind {
	LOOK,	/* at a file */
	CHANGE, /* of it */
	LIST,	/* a look at a directory's names and times */
	TOUCH,	/* a change of these; those of several tasks commute */
	MISS,	/* a look for a name that is not there */
	BIND,	/* a name comes or goes */
};

static struct ahead *state(void)
{
	return &process.arena->ahead;
}

/* With these relaxed, handlers that tell what they do to files may not be run. */
static bool usable(void)
{
	const uint32_t needed = RELAX_ORDER | RELAX_INODE | RELAX_MTIME | RELAX_DIRENTS |
				RELAX_PROC | RELAX_TIME | RELAX_THREADS;
	const struct arena_config *config = &process.arena->config;
	bool logs = (config->report & REPORT_LOG) && !config->logs_ahead;

	return !config->strict && !logs && !(process.relax & needed);
}

_Noreturn static void race(struct thread *self, const char *what)
{
	char text[256], path[192];

	ahead_subject(self, path, sizeof(path));
	text_put(text_put(text_put(text, what), path[0] ? ": " : ""), path);
	conflict(self, "processes that do not wait for each other use %s", text);
}

/* What does not fit is behind all that does: nothing runs ahead from there. */
static uint64_t pack(struct turn_place place)
{
	if (place.quantum > QUANTUM_MAX)
		place.quantum = QUANTUM_MAX;
	if (place.birth > BIRTH_MAX)
		place.birth = BIRTH_MAX;
	return place.quantum << BIRTH_BITS | place.birth;
}

static bool fits(uint64_t place)
{
	return place >> BIRTH_BITS < QUANTUM_MAX && (place & BIRTH_MAX) < BIRTH_MAX;
}

static uint64_t read_place(const uint64_t *place)
{
	return __atomic_load_n(place, __ATOMIC_SEQ_CST);
}

/* Answers whether it was less. */
static bool raise(uint64_t *place, uint64_t to)
{
	uint64_t now = read_place(place);

	while (now < to)
		if (__atomic_compare_exchange_n(
			    place, &now, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			return true;
	return false;
}

static struct ahead_object *object_at(uint32_t index)
{
	return &process.arena->ahead_objects[(index - 1) % INODES];
}

/* The entry of a name; NULL: there is none, and no room, or none is to be made. */
static struct ahead_name *name_at(uint64_t tag, bool make)
{
	struct ahead_name *names = process.arena->ahead_names;
	uint32_t first = (uint32_t)(tag >> 32) % (AHEAD_NAMES / AHEAD_WAYS) * AHEAD_WAYS;

	for (uint32_t i = first; i < first + AHEAD_WAYS; i++) {
		uint64_t known = read_place(&names[i].tag);

		if (!known && make &&
			__atomic_compare_exchange_n(&names[i].tag, &known, tag, false,
				__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			known = tag;
		if (known == tag)
			return &names[i];
		if (!known && !make)
			return NULL;
	}
	return NULL;
}

/* Of a name in a directory; never 0. */
static uint64_t tag_of(const struct inode *directory, const char *last)
{
	uint64_t hash = inode_index(directory) * 0x9e3779b97f4a7c15ull;

	for (; *last && *last != '/'; last++)
		hash = (hash ^ (uint8_t)*last) * 0x100000001b3ull;
	hash ^= hash >> 29;
	hash *= 0xbf58476d1ce4e5b9ull;
	return (hash ^ hash >> 32) | 1;
}

/* The name table is full where this one belongs: it is too small for the run. */
static void give_up(struct ahead_call *call)
{
	state()->off = 1;
	call->odd = true;
}

static bool note(struct ahead_call *call, enum kind kind, uint32_t index, uint64_t tag)
{
	for (uint32_t i = 0; i < call->records; i++)
		if (call->record[i].kind == kind && call->record[i].index == index &&
			call->record[i].tag == tag)
			return false;
	if (call->records == AHEAD_RECORDS) {
		call->wild = true;
		return false;
	}
	call->record[call->records++] = (struct ahead_record){ kind, index, tag };
	return true;
}

/* Where others find it. */
static uint64_t *field(const struct ahead_record *record, bool make)
{
	struct ahead_name *name;

	switch (record->kind) {
	case LOOK:
		return &object_at(record->index)->looked;
	case CHANGE:
		return &object_at(record->index)->changed;
	case LIST:
		return &object_at(record->index)->listed;
	case TOUCH:
		return &object_at(record->index)->touched;
	default:
		name = name_at(record->tag, make);
		return !name ? NULL : record->kind == MISS ? &name->looked : &name->changed;
	}
}

/* Notes what the call does; answers whether others did not know of it yet. That a directory is not
 * what it was at the start is told in turn, too: who is to look at it then better waits. */
static bool record(struct thread *self, enum kind kind, uint32_t index, uint64_t tag)
{
	struct ahead_call *call = &self->ahead;
	const struct ahead_record one = { kind, index, tag };
	uint64_t *place;

	if (kind == CHANGE || kind == TOUCH || kind == BIND)
		call->changes = true;
	if (!note(call, kind, index, tag) || (call->mode != AHEAD_NOW && kind != TOUCH))
		return false;
	place = field(&one, true);
	if (!place)
		give_up(call);
	return place && raise(place, call->place);
}

/* Only an ordinary file of an ordinary file system can be looked at ahead of the turn. */
static bool is_odd(struct thread *self, const struct inode *inode)
{
	if (stat_is_ordinary(inode->device) && !(inode->flags & INODE_STORED))
		return false;
	self->ahead.odd = true;
	return true;
}

void ahead_look(struct thread *self, struct inode *inode)
{
	if (self->ahead.mode && inode && !is_odd(self, inode))
		self->ahead.late |= record(self, LOOK, inode_index(inode), 0);
}

void ahead_list(struct thread *self, struct inode *directory)
{
	if (self->ahead.mode && !is_odd(self, directory))
		self->ahead.late |= record(self, LIST, inode_index(directory), 0);
}

void ahead_will_list(struct thread *self, struct inode *directory)
{
	if (self->ahead.mode && !is_odd(self, directory))
		record(self, LIST, inode_index(directory), 0);
}

bool ahead_is_touched(const struct inode *directory)
{
	return read_place(&object_at(inode_index(directory))->touched);
}

/* Called with the times already read: who moves them has said so before. */
bool ahead_untouched(struct thread *self, struct inode *directory, bool busy)
{
	const struct ahead_object *object = object_at(inode_index(directory));

	if (self->ahead.mode == AHEAD_NOT)
		return read_place(&object->touched) <= self->ahead.place;
	if (self->ahead.mode == AHEAD_NOW && (busy || read_place(&object->touched)))
		self->ahead.odd = true;
	else
		ahead_list(self, directory);
	return true;
}

void ahead_change(struct thread *self, struct inode *inode)
{
	if (self->ahead.mode && inode && !is_odd(self, inode))
		record(self, CHANGE, inode_index(inode), 0);
}

void ahead_write(struct thread *self, struct inode *inode)
{
	if (!self->ahead.mode || !inode)
		return;
	ahead_change(self, inode);
	if (inode->flags & INODE_MAPPED)
		ahead_all(self);
}

void ahead_all(struct thread *self)
{
	if (self->ahead.mode)
		self->ahead.wild = true;
}

/* What is not as it should be for running ahead is looked at again in turn; there, anybody else
 * may have to do with it. */
void ahead_uncertain(struct thread *self)
{
	if (ahead_now(self))
		self->ahead.odd = true;
	else
		ahead_all(self);
}

void ahead_touch(struct thread *self, struct inode *directory)
{
	if (self->ahead.mode && !is_odd(self, directory))
		record(self, TOUCH, inode_index(directory), 0);
}

void ahead_bind(struct thread *self, struct inode *directory, struct name name)
{
	char last[256];

	if (!self->ahead.mode || !directory)
		return;
	if (!name_last(name, last, sizeof(last))) {
		ahead_uncertain(self);
		return;
	}
	record(self, BIND, 0, tag_of(directory, last));
	record(self, TOUCH, inode_index(directory), 0);
}

void ahead_absent(struct thread *self, struct inode *directory, const char *last)
{
	if (is_odd(self, directory))
		return;
	/* Where names come and go, who asks for one may be about to make it, as others are. */
	if (ahead_now(self) && ahead_is_touched(directory) &&
		!ahead_opens((uint32_t)self->regs.rax))
		self->ahead.odd = true;
	else
		self->ahead.late |= record(self, MISS, 0, tag_of(directory, last));
}

/* Who looked for a name in it would find none anyway. */
void ahead_remove(struct thread *self, struct inode *directory)
{
	if (directory->flags & INODE_MADE)
		ahead_list(self, directory);
	else
		ahead_all(self);
}

void ahead_moved(struct thread *self, struct name name)
{
	self->ahead.moved_in = name.dirfd;
	self->ahead.moved = name.path;
}

bool ahead_is_met(struct thread *self, const struct inode *inode)
{
	const struct ahead_object *object = object_at(inode_index(inode));
	uint64_t place = self->ahead.place;

	return read_place(&object->looked) > place || read_place(&object->changed) > place ||
	       read_place(&object->listed) > place || read_place(&object->touched) > place;
}

void ahead_seen_early(struct thread *self)
{
	if (self->ahead.mode && usable())
		race(self, "a file that was just made");
}

void ahead_mistaken(struct thread *self)
{
	if (ahead_now(self))
		race(self, "a name");
}

void ahead_map(struct thread *self, struct inode *inode, bool writes)
{
	uint64_t place = pack(turn_place(self));
	struct ahead_object *object = object_at(inode_index(inode));

	if (!usable())
		return;
	__atomic_or_fetch(
		&inode->flags, INODE_MAPPED | (writes ? INODE_STORED : 0), __ATOMIC_SEQ_CST);
	raise(&state()->latest, place);
	raise(writes ? &object->changed : &object->looked, place);
	if (read_place(&object->changed) > place || (writes && read_place(&object->looked) > place))
		race(self, "a file that is mapped");
}

void ahead_stops(struct thread *self, uint32_t index)
{
	if (read_place(&process.arena->ahead_tasks[index].latest) > pack(turn_place(self)))
		race(self, "the end of a process");
}

static void begin(struct thread *self, enum ahead_mode mode, uint64_t place)
{
	struct ahead_call *call = &self->ahead;

	call->place = place;
	call->mode = mode;
	call->records = 0;
	call->late = call->changes = call->wild = call->odd = false;
	call->expected = 0;
	call->moved = 0;
}

void ahead_begin(struct thread *self)
{
	begin(self, usable() ? AHEAD_NOT : AHEAD_OFF, pack(turn_place(self)));
}

/* Of the places that a record must not be before. */
static bool is_late(const uint64_t *other, uint64_t place)
{
	return other && read_place(other) > place;
}

static void check_one(struct thread *self, const struct ahead_record *one)
{
	const struct ahead_object *object = one->index ? object_at(one->index) : NULL;
	const struct ahead_name *name = one->tag ? name_at(one->tag, false) : NULL;
	uint64_t place = self->ahead.place;

	switch (one->kind) {
	case LOOK:
		if (is_late(&object->changed, place))
			race(self, "a file");
		break;
	case CHANGE:
		if (is_late(&object->changed, place) || is_late(&object->looked, place))
			race(self, "a file");
		break;
	case LIST:
		if (is_late(&object->touched, place))
			race(self, "the names in a directory");
		break;
	case TOUCH:
		if (is_late(&object->listed, place))
			race(self, "the names in a directory");
		break;
	default:
		if (name && (is_late(&name->changed, place) ||
				    (one->kind == BIND && is_late(&name->looked, place))))
			race(self, "a name");
	}
}

/* In its turn, a call has to do with what ran ahead of it only. */
static void check(struct thread *self)
{
	struct ahead_call *call = &self->ahead;

	if (call->mode == AHEAD_NOT && read_place(&state()->latest) <= call->place)
		return;
	if (call->changes)
		__atomic_add_fetch(&state()->changes, 1, __ATOMIC_SEQ_CST);
	if (call->wild ||
		(call->moved && ahead_below(self, (struct name){ call->moved_in, call->moved })))
		race(self, "the tree of files");
	for (uint32_t i = 0; i < call->records; i++)
		check_one(self, &call->record[i]);
}

/* What the kernel reads by itself must not have been changed until then. */
void ahead_executes(struct thread *self, struct inode *file)
{
	struct ahead_task *task = &process.arena->ahead_tasks[self->task];

	ahead_look(self, file);
	task->program[1] = task->program[0];
	task->program[0] = inode_index(file);
	check(self);
}

void ahead_program(struct thread *self)
{
	struct ahead_task *task = &process.arena->ahead_tasks[self->task];

	ahead_begin(self);
	for (int i = 0; i < 2; i++)
		if (task->program[i])
			ahead_look(self, inode_at(task->program[i]));
	check(self);
	self->ahead.mode = AHEAD_OFF;
	task->program[0] = task->program[1] = 0;
	self->posts_due = clock_now(self) + POSTS_PERIOD;
}

void ahead_end(struct thread *self, uint32_t number, long result)
{
	if (self->ahead.mode && result != -RESTART) {
		if (number == __NR_inotify_add_watch)
			ahead_all(self);
		if (read_place(&state()->latest) > self->ahead.place)
			ahead_after(self, number, result);
		check(self);
	}
	self->ahead.mode = AHEAD_OFF;
}

/* The process's clock, which moves with what is looked at. */
struct moment {
	uint64_t clock, idle;
};

static struct moment moment_of(const struct thread *self)
{
	return (struct moment){ clock_now(self), clock_owner(self)->idle };
}

static void return_to(struct thread *self, struct moment moment)
{
	clock_owner(self)->idle = moment.idle;
	__atomic_store_n(self->clock, moment.clock, __ATOMIC_RELAXED);
}

/* Nothing that can be seen has been done, or it can be undone. */
static bool undo(struct thread *self, uint32_t number, long result)
{
	if (failed(result))
		return true;
	if (self->ahead.changes)
		return false;
	if (ahead_opens(number)) {
		sys(__NR_close, result);
		file_forget((uint64_t)result, (uint64_t)result);
	}
	return true;
}

static bool is_allowed(struct thread *self, uint64_t place)
{
	struct ahead_task *task = &process.arena->ahead_tasks[self->task];

	raise(&task->latest, place);
	raise(&state()->latest, place);
	/* Who watches files, or is about to change all, sees either this or is seen. */
	return !__atomic_load_n(&process.arena->watched, __ATOMIC_SEQ_CST);
}

static long run_ahead(struct thread *self, uint32_t number, call_handler *run, uint64_t place)
{
	const struct moment moment = moment_of(self);

	for (int i = 0; i < TRIES; i++) {
		uint64_t changes = read_place(&state()->changes);
		bool again;
		long r;

		begin(self, AHEAD_NOW, place);
		ahead_before(self, number);
		self->ahead.late = false;
		delay_here(self);
		r = order_make(self, run);
		if (r == -RESTART)
			return r;
		delay_here(self);
		ahead_after(self, number, r);
		again = self->ahead.late && changes != read_place(&state()->changes);
		if (!self->ahead.odd && !again) {
			check(self);
			return r;
		}
		if (!undo(self, number, r)) {
			if (self->ahead.odd)
				race(self, "a file");
			check(self);
			return r;
		}
		return_to(self, moment);
		if (self->ahead.odd)
			break;
	}
	return REDO;
}

static long run_in_turn(struct thread *self, uint32_t number, call_handler *run)
{
	long r;

	turn_take(self);
	ahead_begin(self);
	ahead_before(self, number);
	r = order_make(self, run);
	ahead_end(self, number, r);
	if (order_is_watched(number))
		turn_wake(self->task, PARK_STREAM);
	return r;
}

/* A process with several threads, or that shares memory, has more in common with others than
 * files. */
static bool is_alone(struct thread *self)
{
	return !turn_is_shared(self) && clock_owner(self)->users == 1 &&
	       !clock_owner(self)->shares && !self->other_files;
}

long ahead_run(struct thread *self, uint32_t number, call_handler *run)
{
	long r = REDO;

	if (clock_now(self) >= self->posts_due) {
		turn_take(self);
		posts_take(self);
	} else if (usable() && !state()->off && is_alone(self) && !turn_is_first(self)) {
		uint64_t place = pack(turn_place(self));

		if (fits(place) && ahead_may(self, number) && is_allowed(self, place))
			r = run_ahead(self, number, run, place);
		self->ahead.mode = AHEAD_OFF;
	}
	if (r == REDO)
		r = run_in_turn(self, number, run);
	turn_leave(self, EVENT_COST);
	return r;
}
