/* Locks on files, by flock, fcntl and open file descriptions: who gets them in turn, and who is
 * turned away. */
#include <fcntl.h>
#include <sys/file.h>

#include "race.h"

#define MEMBERS 4
#define ROUNDS	8

static char (*order)[MEMBERS * ROUNDS + 1];
static int *taken, *away;

static int lock(int fd, int how, int type, int waits)
{
	struct flock range = { .l_type = (short)type, .l_whence = SEEK_SET, .l_len = 10 };
	int command =
		how == 1 ? (waits ? F_SETLKW : F_SETLK) : (waits ? F_OFD_SETLKW : F_OFD_SETLK);

	if (how)
		return fcntl(fd, command, &range);
	return flock(fd, (type == F_UNLCK ? LOCK_UN : LOCK_EX) | (waits ? 0 : LOCK_NB));
}

static void *work(void *number)
{
	for (int how = 0; how < 3; how++) {
		int fd = open("file", O_RDWR | O_CREAT, 0600);

		for (int i = 0; i < ROUNDS; i++) {
			if (lock(fd, how, F_WRLCK, 0)) {
				must(errno == EAGAIN || errno == EACCES);
				away[how]++;
				must(lock(fd, how, F_WRLCK, 1) == 0);
			}
			order[how][taken[how]++] = (char)('a' + (long)number);
			compute(5000);
			must(lock(fd, how, F_UNLCK, 0) == 0);
			compute(5000);
		}
	}
	return NULL;
}

int main(void)
{
	static const char *const names[] = { "flock", "fcntl", "description" };

	order = shared_memory(sizeof(*order) * 3);
	taken = shared_memory(4096);
	away = taken + 8;
	in_processes(MEMBERS, work);
	for (int how = 0; how < 3; how++) {
		printf("%s: %s, %d turned away\n", names[how], order[how], away[how]);
		must(taken[how] == MEMBERS * ROUNDS);
	}
	return 0;
}
