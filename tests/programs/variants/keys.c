/*
 * The key retention service: what each call does, and the error of each wrong argument, in the
 * order of the kernel's checks. All that is made lies in a session of its own, and goes with it.
 * Run natively, by root or not, it must say the same. Status 77: this kernel lets nobody have keys.
 */
#include <linux/keyctl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define NO_KEYS 77
#define NOWHERE ((char *)16)
#define NO_KEY	0x7ffffff1
#define ALL	0x3f3f3f3fL
#define SESSION KEY_SPEC_SESSION_KEYRING

static long add(const char *type, const char *name, const void *payload, size_t bytes, long ring)
{
	return syscall(SYS_add_key, type, name, payload, bytes, ring);
}

static long add_user(const char *name, const char *text, long ring)
{
	return add("user", name, text, strlen(text), ring);
}

static long ring_in(const char *name, long ring)
{
	return add("keyring", name, NULL, 0, ring);
}

static long request(const char *type, const char *name, const char *callout, long ring)
{
	return syscall(SYS_request_key, type, name, callout, ring);
}

static long ctl(int operation, long a, long b, long c, long d)
{
	return syscall(SYS_keyctl, operation, a, b, c, d);
}

#define CTL1(operation, a)	 ctl(KEYCTL_##operation, (long)(a), 0, 0, 0)
#define CTL2(operation, a, b)	 ctl(KEYCTL_##operation, (long)(a), (long)(b), 0, 0)
#define CTL3(operation, a, b, c) ctl(KEYCTL_##operation, (long)(a), (long)(b), (long)(c), 0)
#define CTL4(operation, a, b, c, d)                                                                \
	ctl(KEYCTL_##operation, (long)(a), (long)(b), (long)(c), (long)(d))

static char longest[5000];

static const char *text_of(char byte, size_t length)
{
	memset(longest, byte, length);
	longest[length] = 0;
	return longest;
}

static void wrong_arguments_of_add(void)
{
	long key = add_user("plain", "x", SESSION);

	must(key > 0);
	expect_errno("payload of a MiB", add("user", "a", NOWHERE, 1 << 20, SESSION), EINVAL);
	expect_errno("no type", add(NULL, "a", "x", 1, SESSION), EFAULT);
	expect_errno("empty type", add("", "a", "x", 1, SESSION), EINVAL);
	expect_errno("type of 32", add(text_of('t', 32), "a", "x", 1, SESSION), EINVAL);
	expect_errno("type of 31", add(text_of('t', 31), "a", "x", 1, SESSION), ENODEV);
	expect_errno("type with a dot", add(".user", NOWHERE, "x", 1, SESSION), EPERM);
	expect_errno("no description", add("user", NULL, "x", 1, SESSION), EINVAL);
	expect_errno("bad description", add("user", NOWHERE, "x", 1, SESSION), EFAULT);
	expect_errno("empty description", add("user", "", "x", 1, SESSION), EINVAL);
	expect_errno("description of 4096", add_user(text_of('d', 4096), "x", SESSION), EINVAL);
	expect_errno("keyring with a dot", ring_in(".x", SESSION), EPERM);
	expect_errno("bad payload", add("user", "a", NOWHERE, 5, 0), EFAULT);
	expect_errno("empty payload", add("user", "a", "", 0, SESSION), EINVAL);
	expect_errno("payload of a keyring", add("keyring", "a", "x", 1, SESSION), EINVAL);
	expect_errno("no keyring", add_user("a", "x", 0), EINVAL);
	expect_errno("group's keyring", add_user("a", "x", KEY_SPEC_GROUP_KEYRING), EINVAL);
	expect_errno("authority", add_user("a", "x", KEY_SPEC_REQKEY_AUTH_KEY), ENOKEY);
	expect_errno("unknown special", add_user("a", "x", -9), EINVAL);
	expect_errno("unknown keyring", add_user("a", "x", NO_KEY), ENOKEY);
	expect_errno("to a key", add_user("a", "x", key), ENOTDIR);
	expect_errno("unknown type to a key", add("nosuch", "a", "x", 1, key), ENODEV);
	expect_errno("logon without a colon", add("logon", "a", "x", 1, SESSION), EINVAL);
	expect_errno("logon that begins with it", add("logon", ":a", "x", 1, SESSION), EINVAL);
	expect("unlink", CTL2(UNLINK, key, SESSION), 0);
}

static void payloads(void)
{
	static char big[32768 + 1], back[32768 + 1];
	long ring = ring_in("payloads", SESSION), key, logon;

	memset(big, 'b', sizeof(big));
	expect_errno("32768 bytes", add("user", "big", big, 32768, ring), EINVAL);
	if (geteuid() == 0) {
		key = add("user", "big", big, 32767, ring);
		expect("read of 32767", CTL3(READ, key, back, sizeof(back)), 32767);
		expect("they are the same", memcmp(big, back, 32767), 0);
	}
	key = add_user("small", "first", ring);
	expect_true("added again, it is the same", add_user("small", "second!", ring) == key);
	memset(back, 0, sizeof(back));
	expect("read of a part", CTL3(READ, key, back, 3), 7);
	expect("gives nothing", back[0], 0);
	expect("length alone", CTL3(READ, key, NULL, 0), 7);
	expect_errno("read to nowhere", CTL3(READ, key, NOWHERE, 7), EFAULT);
	expect("read", CTL3(READ, key, back, 100), 7);
	expect("content", memcmp(back, "second!", 8), 0);
	expect("update", CTL3(UPDATE, key, "third", 5), 0);
	expect_errno("update with nothing", CTL3(UPDATE, key, "", 0), EINVAL);
	expect_errno("update from nowhere", CTL3(UPDATE, key, NOWHERE, 5), EFAULT);
	expect_errno("update of a page and more", CTL3(UPDATE, key, big, 4097), EINVAL);
	expect_errno("update of a keyring", CTL3(UPDATE, ring, "x", 1), EOPNOTSUPP);
	logon = add("logon", "my:secret", "x", 1, ring);
	expect_errno("read of a logon", CTL3(READ, logon, back, 100), EOPNOTSUPP);
	expect_errno("read of none", CTL3(READ, NO_KEY, back, 100), ENOKEY);
	expect_errno("read of 0", CTL3(READ, 0, back, 100), ENOKEY);
	expect("unlink", CTL2(UNLINK, ring, SESSION), 0);
}

static void descriptions(void)
{
	long key = add_user("described", "x", SESSION),
	     logon = add("logon", "a:b", "x", 1, SESSION);
	char text[256] = "", wanted[256];

	snprintf(wanted, sizeof(wanted), "user;%d;%d;3f010000;described", geteuid(), getegid());
	expect("describe", CTL3(DESCRIBE, key, text, sizeof(text)), (long)strlen(wanted) + 1);
	expect("text", strcmp(text, wanted), 0);
	memset(text, 0, sizeof(text));
	expect("without room", CTL3(DESCRIBE, key, text, 10), (long)strlen(wanted) + 1);
	expect("nothing", text[0], 0);
	expect_errno("to nowhere", CTL3(DESCRIBE, key, NOWHERE, 100), EFAULT);
	must(CTL3(DESCRIBE, logon, text, sizeof(text)) > 0);
	expect_true("logon is not to be read", strstr(text, ";3d010000;a:b") != NULL);
	must(CTL3(DESCRIBE, KEY_SPEC_USER_KEYRING, text, sizeof(text)) > 0);
	expect_true("user's keyring", strstr(text, ";65534;1f3f0000;_uid.") != NULL);
	expect("security", CTL3(GET_SECURITY, key, text, sizeof(text)), 1);
	expect("is none", text[0], 0);
	must(CTL2(UNLINK, key, SESSION) == 0 && CTL2(UNLINK, logon, SESSION) == 0);
}

static void links(void)
{
	long ring = ring_in("ring", SESSION), other = ring_in("other", SESSION);
	long key = add_user("linked", "x", ring);
	int ids[4] = { 0 };

	expect("link", CTL2(LINK, key, other), 0);
	expect("again", CTL2(LINK, key, other), 0);
	expect("there is one", CTL3(READ, other, ids, sizeof(ids)), 4);
	expect_true("of the key", ids[0] == key);
	expect_errno("to a key", CTL2(LINK, ring, key), ENOTDIR);
	expect_errno("of none", CTL2(LINK, NO_KEY, ring), ENOKEY);
	expect_errno("of 0", CTL2(LINK, 0, ring), EINVAL);
	expect_errno("in itself", CTL2(LINK, ring, ring), EDEADLK);
	expect("ring in other", CTL2(LINK, ring, other), 0);
	expect_errno("other in ring", CTL2(LINK, other, ring), EDEADLK);
	expect_errno("unlink from a key", CTL2(UNLINK, ring, key), ENOTDIR);
	expect("unlink", CTL2(UNLINK, key, other), 0);
	expect_errno("unlink again", CTL2(UNLINK, key, other), ENOENT);
	expect_errno("move: flags", CTL4(MOVE, key, ring, other, 2), EINVAL);
	expect_errno("move of what is not there", CTL4(MOVE, key, other, ring, 0), ENOENT);
	expect("move", CTL4(MOVE, key, ring, other, KEYCTL_MOVE_EXCL), 0);
	expect("move to where it is", CTL4(MOVE, key, other, other, 0), 0);
	must(add_user("linked", "y", ring) > 0);
	expect_errno("move over another", CTL4(MOVE, key, other, ring, KEYCTL_MOVE_EXCL), EEXIST);
	expect("move instead of it", CTL4(MOVE, key, other, ring, 0), 0);
	expect("clear", CTL1(CLEAR, ring), 0);
	expect_errno("clear of none", CTL1(CLEAR, NO_KEY), ENOKEY);
	expect("empty", CTL3(READ, ring, ids, sizeof(ids)), 0);
	expect("unlink other", CTL2(UNLINK, other, SESSION), 0);
	expect("restrict", CTL3(RESTRICT_KEYRING, ring, NULL, NULL), 0);
	expect_errno("restrict again", CTL3(RESTRICT_KEYRING, ring, NULL, NULL), EEXIST);
	expect_errno("restriction without type", CTL3(RESTRICT_KEYRING, ring, NULL, "x"), EINVAL);
	expect_errno(
		"type without restrictions", CTL3(RESTRICT_KEYRING, ring, "user", "x"), ENOENT);
	expect_errno("add to a restricted one", add_user("a", "x", ring), EPERM);
	expect_errno("link to a restricted one", CTL2(LINK, KEY_SPEC_USER_KEYRING, ring), EPERM);
	expect("unlink it", CTL2(UNLINK, ring, SESSION), 0);
}

static void nesting(void)
{
	long rings[10], key;
	char name[16];

	rings[0] = ring_in("nest0", SESSION);
	for (int i = 1; i < 10; i++) {
		snprintf(name, sizeof(name), "nest%d", i);
		rings[i] = ring_in(name, SESSION);
		must(CTL2(SETPERM, rings[i], ALL) == 0); /* it will be too deep to be possessed */
		must(CTL4(MOVE, rings[i], SESSION, rings[i - 1], 0) == 0);
	}
	expect_errno("in the seventh below", CTL2(LINK, rings[0], rings[7]), EDEADLK);
	expect_errno("in the eighth", CTL2(LINK, rings[0], rings[8]), ELOOP);
	key = add_user("deep", "x", SESSION);
	must(CTL2(SETPERM, key, ALL) == 0 && CTL4(MOVE, key, SESSION, rings[6], 0) == 0);
	expect_true("six below is found", CTL4(SEARCH, rings[0], "user", "deep", 0) == key);
	must(CTL4(MOVE, key, rings[6], rings[7], 0) == 0);
	expect_errno("seven is not", CTL4(SEARCH, rings[0], "user", "deep", 0), ENOKEY);
	must(CTL2(UNLINK, rings[0], SESSION) == 0);
}

static void searches(void)
{
	long ring = ring_in("searched", SESSION), key = add_user("s", "x", ring);

	expect_true("search", CTL4(SEARCH, SESSION, "user", "s", 0) == key);
	expect_true("request", request("user", "s", NULL, 0) == key);
	expect_true("a keyring finds itself", CTL4(SEARCH, ring, "keyring", "searched", 0) == ring);
	expect_errno("other type", CTL4(SEARCH, SESSION, "logon", "s", 0), ENOKEY);
	expect_errno("unknown type", CTL4(SEARCH, SESSION, "nosuch", "s", 0), ENOKEY);
	expect_errno("in a key", CTL4(SEARCH, key, "user", "s", 0), ENOTDIR);
	expect_errno("no description", CTL4(SEARCH, SESSION, "user", NULL, 0), EFAULT);
	expect_errno("not there", request("user", "t", NULL, 0), ENOKEY);
	expect_errno("request of type", request("nosuch", "t", NULL, 0), ENOKEY);
	expect_errno("request with bad words", request("user", "s", NOWHERE, 0), EFAULT);
	expect_true("attach", CTL4(SEARCH, ring, "user", "s", SESSION) == key);
	expect("it is", CTL2(UNLINK, key, SESSION), 0);
	expect("revoke", CTL1(REVOKE, key), 0);
	expect_errno("search of revoked", CTL4(SEARCH, SESSION, "user", "s", 0), EKEYREVOKED);
	expect_errno("request of revoked", request("user", "s", NULL, 0), EKEYREVOKED);
	expect_errno("read of revoked", CTL3(READ, key, NULL, 0), EKEYREVOKED);
	expect_errno("revoke again", CTL1(REVOKE, key), EKEYREVOKED);
	expect_errno("link of revoked", CTL2(LINK, key, SESSION), EKEYREVOKED);
	expect_true("one instead of it", add_user("s", "y", ring) != key);
	expect("unlink", CTL2(UNLINK, ring, SESSION), 0);
}

static void permissions(void)
{
	long ring = ring_in("permitted", SESSION), key = add_user("p", "x", ring);

	expect_errno("wrong mask", CTL2(SETPERM, key, 0x40), EINVAL);
	expect("no reading, no search", CTL2(SETPERM, key, 0x25250000L), 0);
	expect_errno("read", CTL3(READ, key, NULL, 0), EACCES);
	expect("search is enough", CTL2(SETPERM, key, 0x2d250000L), 0);
	expect("read", CTL3(READ, key, NULL, 0), 1);
	expect("as others", CTL2(SETPERM, key, 0x0020003fL), 0);
	expect_errno("view", CTL3(DESCRIBE, key, NULL, 0), EACCES);
	expect_errno("link", CTL2(LINK, key, SESSION), EACCES);
	expect("no setting", CTL2(SETPERM, key, 0x1f1f1f1fL), 0);
	expect_errno("set", CTL2(SETPERM, key, ALL), EACCES);
	expect_errno("timeout", CTL2(SET_TIMEOUT, key, 1), EACCES);
	expect_errno("chown", CTL3(CHOWN, key, -1, getegid()), EACCES);
	expect("chown of nothing", CTL3(CHOWN, NO_KEY, -1, -1), 0);
	key = add_user("q", "x", ring);
	expect("chown to oneself", CTL3(CHOWN, key, geteuid(), getegid()), 0);
	if (geteuid())
		expect_errno("chown to root", CTL3(CHOWN, key, 0, -1), EACCES);
	expect("unlink", CTL2(UNLINK, ring, SESSION), 0);
}

static void ends(void)
{
	long key = add_user("ends", "x", SESSION);

	expect("timeout", CTL2(SET_TIMEOUT, key, 1), 0);
	expect("updated, it does not end", CTL3(UPDATE, key, "y", 1), 0);
	sleep(2);
	expect("read", CTL3(READ, key, NULL, 0), 1);
	expect("timeout", CTL2(SET_TIMEOUT, key, 1), 0);
	sleep(2);
	expect_errno("read of expired", CTL3(READ, key, NULL, 0), EKEYEXPIRED);
	expect_errno("search of expired", CTL4(SEARCH, SESSION, "user", "ends", 0), EKEYEXPIRED);
	expect_errno("timeout of expired", CTL2(SET_TIMEOUT, key, 5), EKEYEXPIRED);
	expect("unlink of expired", CTL2(UNLINK, key, SESSION), 0);
	key = add_user("ends", "x", SESSION);
	expect("invalidate", CTL1(INVALIDATE, key), 0);
	expect_errno("describe", CTL3(DESCRIBE, key, NULL, 0), ENOKEY);
	expect_errno("search", CTL4(SEARCH, SESSION, "user", "nothing", 0), ENOKEY);
}

static void authority(void)
{
	expect_errno("instantiate", CTL4(INSTANTIATE, 0, "a", 1, 0), EPERM);
	expect_errno("instantiate much", CTL4(INSTANTIATE, 0, "a", 1 << 20, 0), EINVAL);
	expect_errno("negate", CTL3(NEGATE, 0, 1, 0), EPERM);
	expect_errno("reject", CTL4(REJECT, 0, 1, EKEYREJECTED, 0), EPERM);
	expect_errno("reject with 0", CTL4(REJECT, 0, 1, 0, 0), EINVAL);
	expect_errno("reject with 512", CTL4(REJECT, 0, 1, 512, 0), EINVAL);
	expect("assume none", CTL1(ASSUME_AUTHORITY, 0), 0);
	expect_errno("assume less", CTL1(ASSUME_AUTHORITY, -1), EINVAL);
	expect_errno("assume", CTL1(ASSUME_AUTHORITY, NO_KEY), ENOKEY);
	expect("destination", CTL1(SET_REQKEY_KEYRING, 3), 0);
	expect("was that", CTL1(SET_REQKEY_KEYRING, -1), 3);
	expect_errno("group", CTL1(SET_REQKEY_KEYRING, 6), EINVAL);
	expect_errno("8", CTL1(SET_REQKEY_KEYRING, 8), EINVAL);
	expect_errno("no such operation", ctl(999, 0, 0, 0, 0), EOPNOTSUPP);
}

static void *look_at_own_rings(void *place)
{
	long *found = place;

	found[0] = CTL2(GET_KEYRING_ID, KEY_SPEC_THREAD_KEYRING, 0);
	found[1] = CTL2(GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 0);
	found[2] = CTL2(GET_KEYRING_ID, SESSION, 0);
	return NULL;
}

static void rings_of_tasks(const char *program)
{
	long thread, own[3], found[3] = { 0 };
	pthread_t other;
	int status;

	expect_errno(
		"no thread's keyring", CTL2(GET_KEYRING_ID, KEY_SPEC_THREAD_KEYRING, 0), ENOKEY);
	thread = CTL2(GET_KEYRING_ID, KEY_SPEC_THREAD_KEYRING, 1);
	must(thread > 0 && CTL2(GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1) > 0);
	look_at_own_rings(own);
	must(pthread_create(&other, NULL, look_at_own_rings, found) == 0);
	must(pthread_join(other, NULL) == 0);
	expect_true("a thread has its own", found[0] > 0 && found[0] != thread);
	expect_true("and the process's", found[1] == own[1] && found[2] == own[2]);
	fflush(stdout);
	if (fork() == 0) {
		look_at_own_rings(found);
		expect_true("a child has none", found[0] == -1 && found[1] == -1);
		expect_true("but the session", found[2] == own[2]);
		must(CTL2(GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1) > 0);
		execl(program, program, "executed", NULL);
		_exit(2);
	}
	must(wait(&status) > 0);
	expect("child", status, 0);
}

static int executed(void)
{
	long found[3];

	look_at_own_rings(found);
	expect_true("a program has none", found[0] == -1 && found[1] == -1);
	expect_true("but a session", found[2] > 0);
	must(CTL1(JOIN_SESSION_KEYRING, "of the child") > 0);
	expect("to the parent", CTL1(SESSION_TO_PARENT, 0), 0);
	return verdict();
}

static void sessions(void)
{
	char text[128] = "";
	long before = CTL2(GET_KEYRING_ID, SESSION, 0), key, child;
	int status;

	must(CTL3(DESCRIBE, SESSION, text, sizeof(text)) > 0);
	expect_true("the child gave its session", strstr(text, ";3f130000;of the child") != NULL);
	expect_errno("empty name", CTL1(JOIN_SESSION_KEYRING, ""), EINVAL);
	expect_errno("name with a dot", CTL1(JOIN_SESSION_KEYRING, ".x"), EPERM);
	expect_errno("name nowhere", CTL1(JOIN_SESSION_KEYRING, NOWHERE), EFAULT);
	key = add_user("of the session", "x", SESSION);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		expect_true("another session", CTL1(JOIN_SESSION_KEYRING, NULL) != before);
		must(CTL3(DESCRIBE, SESSION, text, sizeof(text)) > 0);
		expect_true("without a name", strstr(text, ";3f030000;_ses") != NULL);
		expect_errno("does not possess", CTL3(READ, key, NULL, 0), EACCES);
		_exit(verdict());
	}
	must(waitpid((pid_t)child, &status, 0) == child);
	expect("child", status, 0);
	expect("who does, reads", CTL3(READ, key, NULL, 0), 1);
}

static int listed(const char *file, const char *start)
{
	FILE *stream = fopen(file, "r");
	char line[512];
	int found = 0;

	must(stream);
	while (fgets(line, sizeof(line), stream))
		found |= strncmp(line, start, strlen(start)) == 0;
	fclose(stream);
	return found;
}

static void lists(void)
{
	long key = add_user("listed", "x", SESSION);
	char start[32];

	snprintf(start, sizeof(start), "%08lx I--Q--- ", key);
	expect_true("/proc/keys", listed("/proc/keys", start));
	snprintf(start, sizeof(start), "%5d: ", geteuid());
	expect_true("/proc/key-users", listed("/proc/key-users", start));
	must(CTL2(UNLINK, key, SESSION) == 0);
}

static void quotas(void)
{
	static char payload[4096];
	long ring = ring_in("quota", SESSION), r = 0;
	char name[16];
	int count = 0;

	if (geteuid() == 0)
		return;
	for (; r >= 0 && count < 100; count++) {
		snprintf(name, sizeof(name), "%d", count);
		r = add("user", name, payload, sizeof(payload), ring);
	}
	expect_errno("too many bytes", r, EDQUOT);
	must(CTL1(CLEAR, ring) == 0 && CTL2(UNLINK, ring, SESSION) == 0);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return executed();
	if (CTL1(JOIN_SESSION_KEYRING, NULL) < 0)
		return NO_KEYS;
	wrong_arguments_of_add();
	payloads();
	descriptions();
	links();
	nesting();
	searches();
	permissions();
	ends();
	authority();
	rings_of_tasks(argv[0]);
	sessions();
	lists();
	quotas();
	return verdict();
}
