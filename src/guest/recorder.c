#include "guest/recorder.h"

#include "guest/descriptor.h"
#include "guest/facts.h"
#include "guest/files.h"
#include "guest/text.h"

#define LINKS_MAX 40 /* the kernel's: more are ELOOP */
#define GOLDEN	  0x9e3779b97f4a7c15ull

static struct looks_memory *const looks = (struct looks_memory *)LOOKS_ADDRESS;

void recorder_program(void)
{
	if (recording() && failed(sys(__NR_mmap, LOOKS_ADDRESS, LOOKS_BYTES, PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_FIXED, FD_ARENA, ARENA_LOOKS_OFFSET)))
		fatal("cannot record what the command looks at: no memory%s", "");
}

void recorder_link_made(void)
{
	if (recording())
		__atomic_add_fetch(&looks->links, 1, __ATOMIC_SEQ_CST);
}

void recorder_directory_made(void)
{
	if (recording())
		__atomic_add_fetch(&looks->directories, 1, __ATOMIC_SEQ_CST);
}

/* Keeping names. */

static uint64_t hash_bytes(uint64_t hash, const char *bytes, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		hash = (hash ^ (uint8_t)bytes[i]) * 0x100000001b3;
	return hash;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * GOLDEN;
	return hash ^ hash >> 29;
}

static struct look *look_at(uint32_t unit)
{
	return (struct look *)(looks->text + (uint64_t)(unit - 1) * LOOK_UNIT);
}

static uint32_t put_look(const char *path, uint32_t bytes)
{
	uint32_t units = (uint32_t)(sizeof(struct look) + bytes + LOOK_UNIT - 1) / LOOK_UNIT;
	uint32_t unit = __atomic_fetch_add(&looks->used, units, __ATOMIC_RELAXED) + 1;
	struct look *look;

	if ((uint64_t)unit + units > LOOK_TEXT / LOOK_UNIT ||
		__atomic_add_fetch(&looks->count, 1, __ATOMIC_RELAXED) > LOOK_PLACES / 4 * 3)
		fatal("the command looks at more files than a bundle can hold%s", "");
	look = look_at(unit);
	look->bytes = bytes;
	memcpy(look->path, path, bytes);
	look->next = __atomic_load_n(&looks->last, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		&looks->last, &look->next, unit, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		;
	return unit;
}

/* The unit + 1 of the path's look, which is made when it is the first. */
static uint32_t keep(const char *path, uint32_t kinds)
{
	uint32_t bytes = (uint32_t)strlen(path) + 1, own = 0;
	uint32_t place = (uint32_t)(mix(hash_bytes(0, path, bytes), 0) >> 32) % LOOK_PLACES;

	for (;; place = (place + 1) % LOOK_PLACES) {
		uint32_t unit = __atomic_load_n(&looks->places[place], __ATOMIC_ACQUIRE);

		if (!unit) {
			own = own ? own : put_look(path, bytes);
			if (__atomic_compare_exchange_n(&looks->places[place], &unit, own, false,
				    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
				unit = own;
		}
		if (look_at(unit)->bytes != bytes || memcmp(look_at(unit)->path, path, bytes) != 0)
			continue;
		if ((look_at(unit)->kinds & kinds) != kinds)
			__atomic_or_fetch(&look_at(unit)->kinds, kinds, __ATOMIC_RELAXED);
		return unit;
	}
}

/* The container makes these itself, everywhere. */
static bool is_made_afresh(const char *path)
{
	static const char *const own[] = { "/proc", "/sys", "/dev" };

	for (uint32_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
		size_t length = strlen(own[i]);

		if (memcmp(path, own[i], length) == 0 && (!path[length] || path[length] == '/'))
			return true;
	}
	return false;
}

/* Walking. */

/* A path under way. */
struct walk {
	uint32_t root;	     /* bytes of `at` that are the process's root */
	uint32_t end;	     /* of `at` */
	int links;	     /* followed so far */
	char at[PATH_MAX];   /* where it has come to, in the container; "" is its root */
	char rest[PATH_MAX]; /* what is left of the path */
};

static const char *root_of(struct thread *self)
{
	uint32_t unit = facts_of_process(self)->root;

	return unit ? look_at(unit)->path : "";
}

/* A name as calls of this process need it. */
static const char *inside(const struct walk *walk)
{
	return walk->at[walk->root] ? walk->at + walk->root : "/";
}

/* Did the run make it, or the directory that it is in? */
static bool is_of_run(struct walk *walk)
{
	uint32_t slash = walk->end;
	struct kernel_stat st;
	long r;

	if (!process.arena->inode_changed)
		return false;
	if (sys(__NR_newfstatat, AT_FDCWD, inside(walk), &st, AT_SYMLINK_NOFOLLOW) == 0)
		return inode_is_made(&st);
	while (slash > walk->root && walk->at[slash] != '/')
		slash--;
	if (slash <= walk->root)
		return false;
	walk->at[slash] = 0;
	r = sys(__NR_newfstatat, AT_FDCWD, inside(walk), &st, AT_SYMLINK_NOFOLLOW);
	walk->at[slash] = '/';
	return r == 0 && inode_is_made(&st);
}

static void keep_here(struct walk *walk, uint32_t kinds)
{
	if (!is_made_afresh(walk->at) && !is_of_run(walk))
		keep(walk->end ? walk->at : "/", kinds);
}

_Noreturn static void too_long(const char *path)
{
	fatal("cannot record what the command looks at: a path is too long: %s", path);
}

/* Takes the next part off the rest; false: there is none. */
static bool take_part(struct walk *walk, char part[256])
{
	const char *from = walk->rest;
	uint32_t n = 0;

	while (*from == '/')
		from++;
	while (from[n] && from[n] != '/')
		n++;
	if (n == 0)
		return false;
	if (n > 255)
		return false; /* which is ENAMETOOLONG */
	memcpy(part, from, n);
	part[n] = 0;
	memmove(walk->rest, from + n, strlen(from + n) + 1);
	return true;
}

static bool is_last(const struct walk *walk)
{
	const char *rest = walk->rest;

	while (*rest == '/')
		rest++;
	return !*rest;
}

static void step_up(struct walk *walk)
{
	keep_here(walk, LOOK_NAME);
	while (walk->end > walk->root && walk->at[walk->end - 1] != '/')
		walk->end--;
	if (walk->end > walk->root)
		walk->end--;
	walk->at[walk->end] = 0;
}

static void step_down(struct walk *walk, const char *part)
{
	uint32_t length = (uint32_t)strlen(part);

	if (walk->end + 1 + length >= sizeof(walk->at))
		too_long(walk->at);
	walk->at[walk->end] = '/';
	memcpy(walk->at + walk->end + 1, part, length + 1);
	walk->end += 1 + length;
}

/* What /proc says of a file whose name has gone. */
static bool is_gone(const char *text, long length)
{
	static const char mark[] = " (deleted)";
	const long bytes = sizeof(mark) - 1;

	return length > bytes && memcmp(text + length - bytes, mark, (size_t)bytes) == 0;
}

/* Goes on with the text of a link, which `walk->at` is; false: it leads nowhere. */
static __attribute__((noinline)) bool follow(struct walk *walk, uint32_t before, uint32_t kinds)
{
	char text[PATH_MAX];
	long n = sys(__NR_readlinkat, AT_FDCWD, inside(walk), text, sizeof(text) - 1);
	size_t rest = strlen(walk->rest);

	if (n == -EINVAL) /* no link */
		return true;
	if (failed(n)) {
		keep_here(walk, is_last(walk) ? kinds : LOOK_NAME);
		return false;
	}
	keep_here(walk, LOOK_NAME);
	if (++walk->links > LINKS_MAX || (is_made_afresh(walk->at) && is_gone(text, n)))
		return false;
	if ((size_t)n + rest + 1 >= sizeof(walk->rest))
		return false; /* which is ENAMETOOLONG */
	memmove(walk->rest + n, walk->rest, rest + 1);
	memcpy(walk->rest, text, (size_t)n);
	walk->end = text[0] == '/' ? walk->root : before;
	walk->at[walk->end] = 0;
	return true;
}

static void walk_path(struct walk *walk, bool follows, uint32_t kinds)
{
	char part[256];

	if (walk->rest[0] == '/') {
		walk->end = walk->root;
		walk->at[walk->end] = 0;
	}
	while (take_part(walk, part)) {
		uint32_t before = walk->end;

		if (text_same(part, "."))
			continue;
		if (text_same(part, "..")) {
			step_up(walk);
			continue;
		}
		step_down(walk, part);
		if ((follows || !is_last(walk) || walk->rest[0]) && !follow(walk, before, kinds))
			return;
	}
	keep_here(walk, kinds);
}

/* Where relative paths begin. */
static bool walk_from(struct walk *walk, int dirfd)
{
	char path[PATH_MAX];
	long r = dirfd == AT_FDCWD ? sys(__NR_getcwd, path, sizeof(path))
				   : descriptor_path(dirfd, path, sizeof(path));

	if (failed(r) || is_gone(path, (long)strlen(path)))
		return false;
	if (path[0] == '(') /* "(unreachable)" */
		fatal("cannot record what the command looks at: it left its root: %s", path);
	if (path[0] != '/')
		return false;
	if (walk->end + strlen(path) >= sizeof(walk->at))
		too_long(path);
	if (path[1])
		walk->end = (uint32_t)(text_put(walk->at + walk->end, path) - walk->at);
	return true;
}

/* `path` is the guest's memory. */
static bool walk_start(struct walk *walk, struct thread *self, int dirfd, const char *path)
{
	walk->links = 0;
	walk->root = walk->end = (uint32_t)(text_put(walk->at, root_of(self)) - walk->at);
	text_put(walk->rest, path);
	return path[0] == '/' || walk_from(walk, dirfd);
}

static __attribute__((noinline)) void walk_name(
	struct thread *self, int dirfd, const char *path, bool follows, uint32_t kinds)
{
	struct walk walk;

	if (walk_start(&walk, self, dirfd, path))
		walk_path(&walk, follows, kinds);
}

/* Remembering what was walked. */

static uint64_t identity(uint64_t device, uint64_t number)
{
	return mix(mix(GOLDEN, device), number);
}

/* What a relative path begins at; 0: who knows. */
static uint64_t identity_of(struct thread *self, int dirfd)
{
	const struct inode *inode;
	struct kernel_stat st;

	if (dirfd == AT_FDCWD) {
		if (sys(__NR_newfstatat, AT_FDCWD, ".", &st, 0))
			return 0;
		return identity(st.dev, st.ino);
	}
	inode = file_inode(self, (uint32_t)dirfd);
	return inode ? identity(inode->device, inode->number) : 0;
}

static bool has_way_back(const char *path)
{
	for (; *path; path++)
		if (path[0] == '.' && path[1] == '.' && (path[2] == '/' || !path[2]))
			return true;
	return false;
}

/* Two calls with the same memo would keep the same names; 0: there is none. */
static uint64_t memo_of(
	struct thread *self, int dirfd, const char *path, uint64_t length, uint32_t kinds)
{
	uint64_t start =
		path[0] == '/' ? 1 + facts_of_process(self)->root : identity_of(self, dirfd);
	uint64_t memo = mix(hash_bytes(start, path, length), kinds);

	if (!start)
		return 0;
	memo = mix(memo, __atomic_load_n(&looks->links, __ATOMIC_SEQ_CST));
	if (has_way_back(path))
		memo = mix(memo, __atomic_load_n(&looks->directories, __ATOMIC_SEQ_CST));
	return memo;
}

static bool is_known(uint64_t memo)
{
	return memo && __atomic_load_n(&looks->memos[memo % LOOK_MEMOS], __ATOMIC_ACQUIRE) == memo;
}

static void remember(uint64_t memo)
{
	if (memo)
		__atomic_store_n(&looks->memos[memo % LOOK_MEMOS], memo, __ATOMIC_RELEASE);
}

#define FOLLOWS (1u << 31) /* in the memo's kinds */

static __attribute__((noinline)) void look(
	struct thread *self, int dirfd, const char *path, bool follows, uint32_t kinds)
{
	uint64_t memo = memo_of(self, dirfd, path, strlen(path), kinds | (follows ? FOLLOWS : 0));

	if (is_known(memo))
		return;
	walk_name(self, dirfd, path, follows, kinds);
	remember(memo);
}

/* False: there is no such path. */
static bool take_name(struct name name, char path[PATH_MAX])
{
	long length = string_length(name.path, PATH_MAX - 1);

	if (length < 0 || copy_in(path, name.path, (size_t)length))
		return false;
	path[length] = 0;
	return true;
}

void recorder_look(struct thread *self, struct name name, uint64_t flags, uint32_t kinds)
{
	char path[PATH_MAX];

	if (!recording() || !kinds || !take_name(name, path))
		return;
	if (path[0])
		look(self, name.dirfd, names_own_program(path), !(flags & AT_SYMLINK_NOFOLLOW),
			kinds);
	else if (flags & AT_EMPTY_PATH)
		recorder_look_at(self, name.dirfd, kinds);
}

void recorder_look_at(struct thread *self, int fd, uint32_t kinds)
{
	const struct inode *inode = fd == AT_FDCWD ? NULL : file_inode(self, (uint32_t)fd);
	uint64_t memo = inode ? mix(identity(inode->device, inode->number), kinds | FOLLOWS) : 0;

	/* One that was made in the run can get the number of another. */
	if (!recording() || (inode && (inode->flags & INODE_MADE)) || is_known(memo))
		return;
	walk_name(self, fd, ".", true, kinds);
	remember(memo);
}

uint32_t recorder_find(struct thread *self, struct name name)
{
	struct walk walk;
	char path[PATH_MAX];

	if (!take_name(name, path) || !walk_start(&walk, self, name.dirfd, path))
		return 0;
	walk_path(&walk, true, LOOK_NAME);
	return keep(walk.end ? walk.at : "/", 0);
}

void recorder_begin(struct thread *self)
{
	if (recording())
		walk_name(self, AT_FDCWD, ".", true, LOOK_NAME | LOOK_START);
}

long recorder_judge(long fd, uint64_t flags)
{
	struct kernel_stat st;

	if (!process.arena->config.bundled || (flags & (O_PATH | O_TRUNC)) ||
		sys(__NR_fstat, fd, &st) || (st.mode & S_IFMT) != S_IFREG)
		return 0;
	if (st.mtime_nsec == LOOK_DENIED_NSEC)
		return -EACCES;
	return st.mtime_nsec == LOOK_ABSENT_NSEC ? -EIO : 0;
}
