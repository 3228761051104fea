/* Five processes write records of 1 to 4096 bytes into one pipe, which is often full. Every record
 * is whole; how they mix is one and the same. */
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define WRITERS 5
#define RECORDS 60

struct record {
	unsigned short size;
	unsigned char writer, number;
	unsigned char bytes[4092];
};

static unsigned short size_of(int writer, int number)
{
	return (unsigned short)(4 + (writer * 977 + number * 1931) % 4093);
}

static void writes(int writer, int to)
{
	struct record record = { .writer = (unsigned char)writer };

	memset(record.bytes, 'a' + writer, sizeof(record.bytes));
	for (int i = 0; i < RECORDS; i++) {
		record.size = size_of(writer, i);
		record.number = (unsigned char)i;
		must(write(to, &record, record.size) == record.size);
	}
	_exit(0);
}

static bool read_whole(int from, void *place, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t n = read(from, (char *)place + done, bytes - done);

		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

int main(void)
{
	struct record record;
	int ends[2], next[WRITERS] = { 0 };

	must(pipe(ends) == 0);
	for (int i = 0; i < WRITERS; i++)
		if (fork() == 0)
			writes(i, ends[1]);
	close(ends[1]);
	while (read_whole(ends[0], &record, 4)) {
		must(record.size == size_of(record.writer, record.number));
		must(read_whole(ends[0], record.bytes, record.size - 4u));
		for (int i = 0; i < record.size - 4; i++)
			must(record.bytes[i] == 'a' + record.writer);
		must(record.number == next[record.writer]++);
		putchar('0' + record.writer);
	}
	putchar('\n');
	for (int i = 0; i < WRITERS; i++)
		must(next[i] == RECORDS && wait(NULL) > 0);
	return 0;
}
