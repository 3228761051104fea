#include "guest/random.h"

#include "arena/entropy.h"
#include "guest/chacha.h"
#include "guest/handlers.h"
#include "guest/task.h"
#include "guest/turn.h"

#define GRND_NONBLOCK 1u
#define GRND_RANDOM   2u
#define GRND_INSECURE 4u
#define MAX_RW_COUNT  0x7ffff000ul /* the kernel reads no more at once */
#define MSG_NOSIGNAL  0x4000
#define LONGEST_CHUNK ENTROPY_CHUNK

/* What a block under the seed is for: no two uses share one. */
enum purpose { PURPOSE_TASK = 1, PURPOSE_BOOT, PURPOSE_KEYS };

static void seed_block(enum purpose purpose, uint64_t place, uint32_t execs, uint8_t out[64])
{
	const uint32_t nonce[3] = { purpose, (uint32_t)place, (uint32_t)(place >> 32) };
	uint32_t key[8];

	memcpy(key, process.arena->config.machine.seed, sizeof(key));
	chacha_block(key, execs, nonce, out);
}

static long read_replay(void *to, size_t bytes, uint64_t offset)
{
	return sys(__NR_pread64, FD_ENTROPY, to, bytes, offset) == (long)bytes ? 0 : -EIO;
}

static bool entry_before(const struct entropy_entry *entry, const struct random *random)
{
	return entry->place != random->place ? entry->place < random->place
					     : entry->execs < random->execs;
}

/* Where the task's bytes are: the entries are sorted. */
static void find_replay(struct random *random, const struct task *task)
{
	struct entropy_header header = { 0 };
	struct entropy_entry entry = { 0 };
	uint64_t low = 0, high;

	read_replay(&header, sizeof(header), 0);
	for (high = header.entries; low < high;) {
		uint64_t middle = low + (high - low) / 2;

		if (read_replay(&entry, sizeof(entry), sizeof(header) + middle * sizeof(entry)))
			break;
		if (entry_before(&entry, random))
			low = middle + 1;
		else
			high = middle;
	}
	if (read_replay(&entry, sizeof(entry), sizeof(header) + low * sizeof(entry)) ||
		low == header.entries || entry.place != random->place ||
		entry.execs != random->execs)
		fatal("--entropy replay: task %s took no randomness in the recorded run",
			task->name);
	random->offset = entry.offset;
	random->bytes = entry.bytes;
}

static __attribute__((noinline)) void begin(struct random *random, const struct task *task)
{
	uint8_t block[CHACHA_BLOCK];

	*random = (struct random){ .ready = true, .execs = task->execs, .place = task->place };
	if (process.arena->config.machine.entropy == ENTROPY_REPLAY) {
		find_replay(random, task);
		return;
	}
	seed_block(PURPOSE_TASK, task->place, task->execs, block);
	memcpy(random->key, block, sizeof(random->key));
	memcpy(random->start, block + sizeof(random->key), sizeof(random->start));
}

/* The stream may still be that of the task that we were copied from. */
static struct random *stream_of(struct thread *self)
{
	struct random *random = &self->random;
	const struct task *task = task_at(self->task);

	if (!random->ready || random->place != task->place || random->execs != task->execs)
		begin(random, task);
	return random;
}

static void next_block(struct random *random, uint8_t out[CHACHA_BLOCK])
{
	const uint32_t nonce[3] = { (uint32_t)(random->taken >> 32) };

	chacha_block(random->key, (uint32_t)random->taken++, nonce, out);
}

static void fill_seeded(struct random *random, uint8_t *to, size_t bytes)
{
	for (size_t part; bytes; to += part, bytes -= part) {
		if (!random->left && bytes >= CHACHA_BLOCK) {
			next_block(random, to);
			part = CHACHA_BLOCK;
			continue;
		}
		if (!random->left) {
			next_block(random, random->block);
			random->left = CHACHA_BLOCK;
		}
		part = bytes < random->left ? bytes : random->left;
		memcpy(to, random->block + CHACHA_BLOCK - random->left, part);
		random->left -= (uint8_t)part;
	}
}

static void host_bytes(uint8_t *to, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		long r = sys(__NR_getrandom, to + done, bytes - done, 0);

		if (r > 0)
			done += (size_t)r;
		else if (r != -EINTR)
			fatal("--entropy record: the host gives no randomness", "");
	}
}

/* The supervisor has the bytes before the program sees them. */
static void fill_recorded(struct thread *self, uint8_t *to, uint32_t bytes)
{
	const struct task *task = task_at(self->task);
	struct random *random = stream_of(self);
	struct entropy_taken taken = {
		.place = random->place,
		.offset = random->taken,
		.execs = random->execs,
		.bytes = bytes,
	};
	long r;

	host_bytes(to, bytes);
	memcpy(taken.name, task->name, sizeof(taken.name));
	memcpy(taken.data, to, bytes);
	turn_hold(self);
	do
		r = sys(__NR_sendto, FD_ENTROPY, &taken,
			offsetof(struct entropy_taken, data) + bytes, MSG_NOSIGNAL, 0, 0);
	while (r == -EINTR);
	turn_release(self);
	if (failed(r))
		fatal("--entropy record: what task %s takes cannot be recorded", task->name);
	random->taken += bytes;
}

static void fill_replayed(struct thread *self, uint8_t *to, uint32_t bytes)
{
	struct random *random = stream_of(self);

	if (bytes > random->bytes - random->taken)
		fatal("--entropy replay: task %s takes more randomness than in the recorded run",
			task_at(self->task)->name);
	if (read_replay(to, bytes, random->offset + random->taken))
		fatal("--entropy replay: the record cannot be read", "");
	random->taken += bytes;
}

static void fill_chunk(struct thread *self, uint8_t *to, uint32_t bytes)
{
	switch (process.arena->config.machine.entropy) {
	case ENTROPY_RECORD:
		fill_recorded(self, to, bytes);
		break;
	case ENTROPY_REPLAY:
		fill_replayed(self, to, bytes);
		break;
	default:
		fill_seeded(stream_of(self), to, bytes);
	}
}

void random_fill(struct thread *self, void *to, size_t bytes)
{
	for (uint8_t *at = to; bytes;) {
		uint32_t part = bytes < LONGEST_CHUNK ? (uint32_t)bytes : LONGEST_CHUNK;

		fill_chunk(self, at, part);
		at += part;
		bytes -= part;
	}
}

/* Memory begins and ends with pages, so what fits is told exactly when no part crosses one. */
long random_fill_program(struct thread *self, uint64_t to, size_t bytes)
{
	uint8_t buffer[LONGEST_CHUNK];
	size_t done = 0;

	if (bytes > MAX_RW_COUNT)
		bytes = MAX_RW_COUNT;
	while (done < bytes) {
		size_t part = PAGE - ((to + done) & (PAGE - 1));

		part = part < sizeof(buffer) ? part : sizeof(buffer);
		part = part < bytes - done ? part : bytes - done;
		random_fill(self, buffer, part);
		if (copy_out(to + done, buffer, part))
			return done ? (long)done : -EFAULT;
		done += part;
	}
	return (long)done;
}

void random_start_bytes(struct thread *self, uint8_t out[16])
{
	if (process.arena->config.machine.entropy == ENTROPY_SEED)
		memcpy(out, stream_of(self)->start, 16);
	else
		random_fill(self, out, 16);
}

static void uuid_text(uint8_t bytes[16], char text[37])
{
	static const char digits[] = "0123456789abcdef";

	bytes[6] = (bytes[6] & 0x0f) | 0x40; /* version 4: random */
	bytes[8] = (bytes[8] & 0x3f) | 0x80; /* variant of RFC 4122 */
	for (int i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*text++ = '-';
		*text++ = digits[bytes[i] >> 4];
		*text++ = digits[bytes[i] & 15];
	}
	*text = 0;
}

void random_uuid(struct thread *self, char text[37])
{
	uint8_t bytes[16];

	random_fill(self, bytes, sizeof(bytes));
	uuid_text(bytes, text);
}

void random_boot_id(char text[37])
{
	uint8_t block[CHACHA_BLOCK];

	seed_block(PURPOSE_BOOT, 0, 0, block);
	uuid_text(block, text);
}

uint32_t random_key_serial(uint64_t made)
{
	uint8_t block[CHACHA_BLOCK];
	uint32_t serial;

	if (random_native() && sys(__NR_getrandom, &serial, sizeof(serial), 0) == sizeof(serial))
		return serial;
	seed_block(PURPOSE_KEYS, made, 0, block);
	memcpy(&serial, block, sizeof(serial));
	return serial;
}

long handle_getrandom(struct thread *self)
{
	uint32_t flags = (uint32_t)argument(self, 2);

	if ((flags & ~(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE)) ||
		(flags & (GRND_RANDOM | GRND_INSECURE)) == (GRND_RANDOM | GRND_INSECURE))
		return -EINVAL;
	return random_fill_program(self, argument(self, 0), argument(self, 1));
}
