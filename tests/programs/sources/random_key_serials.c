/*
 * Keys of processes that race for one keyring: their serial numbers, the order of the links, what
 * /proc tells, and what goes away with the session of a process that is killed. A key expires by
 * logical time.
 * Does not run natively where an engine of containers forbids keys.
 */
#include <linux/keyctl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES 8
#define EACH	  5

static long keyctl(int operation, long a, long b, long c)
{
	return syscall(SYS_keyctl, operation, a, b, c, 0L);
}

static long add(const char *type, const char *name, const char *text, long ring)
{
	return syscall(SYS_add_key, type, name, text, strlen(text), ring);
}

static void add_some(int number, long ring)
{
	char name[32];

	for (int i = 0; i < EACH; i++) {
		snprintf(name, sizeof(name), "%d of %d", i, number);
		add("user", name, name, ring);
	}
}

static void show_links(long ring)
{
	int ids[PROCESSES * EACH];
	long bytes = keyctl(KEYCTL_READ, ring, (long)ids, sizeof(ids));
	char text[128];

	for (long i = 0; i < bytes / 4; i++) {
		keyctl(KEYCTL_DESCRIBE, ids[i], (long)text, sizeof(text));
		printf("%d %s\n", ids[i], text);
	}
}

static void show_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		printf("%s", line);
	if (file)
		fclose(file);
}

static void kill_one(void)
{
	int ready[2];
	char byte;
	pid_t child;

	if (pipe(ready))
		return;
	child = fork();
	if (child == 0) {
		keyctl(KEYCTL_JOIN_SESSION_KEYRING, (long)"of the killed", 0, 0);
		add("user", "left", "x", KEY_SPEC_SESSION_KEYRING);
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	if (read(ready[0], &byte, 1) != 1)
		return;
	show_file("/proc/key-users");
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	show_file("/proc/key-users");
}

int main(void)
{
	long ring, key;

	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	keyctl(KEYCTL_JOIN_SESSION_KEYRING, (long)"race", 0, 0);
	ring = add("keyring", "common", "", KEY_SPEC_SESSION_KEYRING);
	printf("ring %ld\n", ring);
	for (int i = 0; i < PROCESSES; i++)
		if (fork() == 0) {
			add_some(i, ring);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	show_links(ring);
	kill_one();
	key = add("user", "short", "x", KEY_SPEC_SESSION_KEYRING);
	keyctl(KEYCTL_SET_TIMEOUT, key, 100, 0);
	show_file("/proc/keys");
	sleep(100);
	show_file("/proc/keys");
	printf("expired: %ld\n", keyctl(KEYCTL_READ, key, 0, 0));
	sleep(300);
	printf("unlinked: %ld\n", keyctl(KEYCTL_UNLINK, key, KEY_SPEC_SESSION_KEYRING, 0));
	return 0;
}
