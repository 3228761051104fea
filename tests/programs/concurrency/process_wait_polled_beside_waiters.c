/* How far one comes that asks for its child again and again, and another one that writes, while
 * others wait for theirs. Who waits for long looks at who keeps it: one that asks for its child is
 * asleep by the kernel's word, though it is at work. */
#include <fcntl.h>
#include <signal.h>

#include "race.h"

#define WAITERS 16
#define POLLS	4000
#define LETTERS 20

static pid_t begin(void (*work)(int out), int out)
{
	pid_t child = fork();

	must(child >= 0);
	if (child == 0) {
		work(out);
		_exit(0);
	}
	return child;
}

static void sleep_on(int out)
{
	(void)out;
	pause();
}

static void wait_for_one(int out)
{
	pid_t child = begin(sleep_on, out);

	must(waitpid(child, NULL, 0) == child);
}

static void say(int out, char letter)
{
	must(write(out, &letter, 1) == 1);
}

static void write_away(int out)
{
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	for (int i = 1; i <= POLLS; i++) {
		must(write(nowhere, "", 1) == 1);
		must(getppid() > 0);
		if (i % (POLLS / LETTERS) == 0)
			say(out, 'w');
	}
}

static void poll_for(int out, pid_t child)
{
	for (int i = 1; i <= POLLS; i++) {
		must(waitpid(child, NULL, WNOHANG) == 0);
		if (i % (POLLS / LETTERS) == 0)
			say(out, 'p');
	}
}

int main(void)
{
	char order[2 * LETTERS + 1] = "";
	pid_t writer;
	int ends[2];

	must(setpgid(0, 0) == 0 && pipe(ends) == 0);
	for (int i = 0; i < WAITERS; i++)
		begin(wait_for_one, ends[1]);
	writer = begin(write_away, ends[1]);
	poll_for(ends[1], begin(sleep_on, ends[1]));
	must(waitpid(writer, NULL, 0) == writer);
	must(read(ends[0], order, 2 * LETTERS) == 2 * LETTERS);
	puts(order);
	must(fflush(stdout) == 0 && signal(SIGTERM, SIG_IGN) != SIG_ERR && kill(0, SIGTERM) == 0);
	return 0;
}
