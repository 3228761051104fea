#include "verify/variations.h"

#include <locale.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/layout.h"

#define OTHER_PLACE  "/verify/another/build-path"
#define OTHER_HOST   "another-host"
#define OTHER_DOMAIN "another-domain"
#define OTHER_HOME   "/nonexistent/another-home"
#define OTHER_ZONE   "Asia/Kathmandu" /* not a whole number of hours */
#define OTHER_KERNEL "6.99.1-verify"
#define OTHER_UMASK  (022 ^ VARY_UMASK_BITS)
#define OTHER_USER   1234
#define OTHER_FILES  512 /* open ones */
#define OTHER_PIDS   17
#define OTHER_STACK  (6u << 20)
#define DAY	     86400
#define LATER	     (398 * DAY + 7 * 3600 + 13 * 60 + 11) /* no field of a date is the same */
#define DELAYS	     "4711"

static void outside_environment(unsigned turn)
{
	struct rlimit files, stack;

	(void)turn;
	setenv("STET_VERIFY_VARIABLE", "i capture the environment", 1);
	setenv("CAPTURE_ENVIRONMENT", "1", 1);
	unsetenv("EDITOR");
	if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_max > OTHER_FILES) {
		files.rlim_cur = OTHER_FILES;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_max > OTHER_STACK) {
		stack.rlim_cur = OTHER_STACK;
		setrlimit(RLIMIT_STACK, &stack);
	}
}

static void inside_path(unsigned turn, struct inside *inside)
{
	(void)turn;
	inside->place = OTHER_PLACE;
}

static void outside_user(unsigned turn)
{
	(void)turn;
	setenv("USER", "another", 1);
	setenv("LOGNAME", "another", 1);
}

static void inside_user(unsigned turn, struct inside *inside)
{
	inside->box->uid = OTHER_USER + turn;
	inside->box->gid = OTHER_USER + turn;
}

static void outside_home(unsigned turn)
{
	(void)turn;
	setenv("HOME", OTHER_HOME, 1);
}

/* One that this machine has; they differ in order, messages, and forms of dates and numbers. */
static const char *other_locale(void)
{
	static const char *const names[] = { "et_EE.UTF-8", "tr_TR.UTF-8", "fr_CH.UTF-8",
		"cs_CZ.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "ja_JP.UTF-8",
		"en_US.UTF-8", "en_GB.UTF-8" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		locale_t locale = newlocale(LC_ALL_MASK, names[i], (locale_t)0);

		if (locale) {
			freelocale(locale);
			return names[i];
		}
	}
	return "POSIX";
}

static void outside_locale(unsigned turn)
{
	const char *name = other_locale();

	(void)turn;
	setenv("LANG", name, 1);
	setenv("LC_ALL", name, 1);
	setenv("LANGUAGE", "et:fr:de", 1);
}

static void outside_exec_path(unsigned turn)
{
	const char *path = getenv("PATH");
	char *longer;

	(void)turn;
	if (asprintf(&longer, "%s:/i/capture/the/path", path ? path : "/usr/bin:/bin") < 0)
		return;
	setenv("PATH", longer, 1);
	free(longer);
}

static void outside_timezone(unsigned turn)
{
	(void)turn;
	setenv("TZ", OTHER_ZONE, 1);
}

static void inside_time(unsigned turn, struct inside *inside)
{
	inside->box->machine.epoch += (int64_t)turn * LATER;
}

static void outside_umask(unsigned turn)
{
	(void)turn;
	umask(OTHER_UMASK);
}

static void inside_umask(unsigned turn, struct inside *inside)
{
	(void)turn;
	inside->box->umask_change = VARY_UMASK_BITS;
}

static void inside_kernel(unsigned turn, struct inside *inside)
{
	struct machine *machine = &inside->box->machine;

	(void)turn;
	snprintf(machine->kernel, sizeof(machine->kernel), OTHER_KERNEL);
}

/* The last of those that are there. */
static void outside_cpus(unsigned turn)
{
	cpu_set_t all, one;

	(void)turn;
	if (sched_getaffinity(0, sizeof(all), &all))
		return;
	CPU_ZERO(&one);
	for (int i = CPU_SETSIZE - 1; i >= 0 && !CPU_COUNT(&one); i--)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void inside_cpus(unsigned turn, struct inside *inside)
{
	inside->box->machine.cpus += turn;
}

static void inside_order(unsigned turn, struct inside *inside)
{
	(void)turn;
	inside->box->backwards = true;
}

/* Of root only: others have no host name of their own to change. */
static void outside_host(unsigned turn)
{
	(void)turn;
	if (geteuid() == 0 && unshare(CLONE_NEWUTS) == 0) {
		(void)!sethostname(OTHER_HOST, sizeof(OTHER_HOST) - 1);
		(void)!setdomainname(OTHER_DOMAIN, sizeof(OTHER_DOMAIN) - 1);
	}
}

static void inside_host(unsigned turn, struct inside *inside)
{
	struct machine *machine = &inside->box->machine;

	(void)turn;
	snprintf(machine->domain, sizeof(machine->domain), OTHER_DOMAIN);
	inside->box->hostname = OTHER_HOST;
}

static void outside_aslr(unsigned turn)
{
	int before = personality(0xffffffff);

	(void)turn;
	if (before != -1)
		personality((unsigned long)before | ADDR_NO_RANDOMIZE);
}

static void inside_aslr(unsigned turn, struct inside *inside)
{
	(void)turn;
	inside->box->relax |= RELAX_ADDRESS;
}

/* Programs make some of addresses, such as names of temporary files. */
static void inside_random(unsigned turn, struct inside *inside)
{
	inside->box->relax |= RELAX_ADDRESS;
	inside->box->machine.seed[0] ^= (uint8_t)turn;
}

static void inside_pid(unsigned turn, struct inside *inside)
{
	inside->box->pids_taken = OTHER_PIDS + turn;
	inside->box->relax |= RELAX_PID;
}

static void inside_inode(unsigned turn, struct inside *inside)
{
	(void)turn;
	inside->box->relax |= RELAX_INODE;
}

static void inside_machine(unsigned turn, struct inside *inside)
{
	(void)turn;
	inside->box->relax |= RELAX_PROC | RELAX_CPU;
}

static void inside_parallel(unsigned turn, struct inside *inside)
{
	(void)turn;
	inside->box->relax |= RELAX_ORDER | RELAX_THREADS;
}

/* With delays where the guest's own steps may meet. */
static void outside_load(unsigned turn)
{
	(void)turn;
	(void)!nice(5);
	setenv("STET_DEBUG_DELAYS", DELAYS, 0);
}

static const struct row {
	const char *name;
	const char *other; /* as reprotest or others call it, or NULL */
	const char *says;
	void (*outside)(unsigned turn);
	void (*inside)(unsigned turn, struct inside *inside);
} rows[VARIATIONS] = {
	[VARY_ENVIRONMENT] = { "environment", "env", "environment variables", outside_environment,
		NULL },
	[VARY_PATH] = { "path", "build_path", "build path", NULL, inside_path },
	[VARY_USER] = { "user", "user_group", "user and group", outside_user, inside_user },
	[VARY_HOME] = { "home", NULL, "home directory", outside_home, NULL },
	[VARY_LOCALE] = { "locale", "locales", "language and locale", outside_locale, NULL },
	[VARY_EXEC_PATH] = { "exec_path", NULL, "PATH", outside_exec_path, NULL },
	[VARY_TIMEZONE] = { "timezone", "tz", "time zone", outside_timezone, NULL },
	[VARY_TIME] = { "time", "date", "date and time", NULL, inside_time },
	[VARY_UMASK] = { "umask", NULL, "umask", outside_umask, inside_umask },
	[VARY_KERNEL] = { "kernel", "uname", "kernel release", NULL, inside_kernel },
	[VARY_CPUS] = { "cpus", "num_cpus", "number of CPUs", outside_cpus, inside_cpus },
	[VARY_ORDER] = { "order", "fileordering", "order of names in directories", NULL,
		inside_order },
	[VARY_HOST] = { "host", "domain_host", "host and domain name", outside_host, inside_host },
	[VARY_ASLR] = { "aslr", "address", "address layout", outside_aslr, inside_aslr },
	[VARY_RANDOM] = { "random", "seed", "random numbers and what is made of them", NULL,
		inside_random },
	[VARY_PID] = { "pid", "pids", "process ids", NULL, inside_pid },
	[VARY_INODE] = { "inode", "inodes", "inode numbers", NULL, inside_inode },
	[VARY_MACHINE] = { "machine", "proc", "what /proc and the processor tell", NULL,
		inside_machine },
	[VARY_PARALLEL] = { "parallel", "timing", "order of parallel work", NULL, inside_parallel },
	[VARY_LOAD] = { "load", NULL, "load of the machine", outside_load, NULL },
};

const char *variation_name(enum variation variation)
{
	return rows[variation].name;
}

const char *variation_says(enum variation variation)
{
	return rows[variation].says;
}

static bool is_name(const char *name, const char *text, size_t length)
{
	return name && strlen(name) == length && strncmp(name, text, length) == 0;
}

static int find(const char *text, size_t length, uint32_t *found, struct error *err)
{
	char known[ERROR_TEXT / 2];

	*found = is_name("all", text, length) ? VARY_ALL : 0;
	for (size_t i = 0; i < VARIATIONS; i++)
		if (is_name(rows[i].name, text, length) || is_name(rows[i].other, text, length))
			*found = VARY_BIT(i);
	if (*found || is_name("none", text, length))
		return 0;
	variations_tell(VARY_ALL, " ", known, sizeof(known));
	return error_set(
		err, 0, "--vary %.*s: must be among %s, or all or none", (int)length, text, known);
}

int variations_read(const char *text, uint32_t *set, struct error *err)
{
	bool signs = *text == '+' || *text == '-';

	if (!*text)
		return error_set(err, 0, "--vary: must be names, separated by commas");
	if (!signs)
		*set = 0;
	for (const char *name = text; *name;) {
		char sign = *name == '+' || *name == '-' ? *name++ : '+';
		size_t length = strcspn(name, ", ");
		uint32_t found;

		if (find(name, length, &found, err))
			return -1;
		*set = sign == '+' ? *set | found : *set & ~found;
		name += length;
		name += strspn(name, ", ");
	}
	return 0;
}

void variations_tell(uint32_t set, const char *between, char *text, size_t room)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < VARIATIONS && used < room; i++)
		if (set & VARY_BIT(i))
			used += (size_t)snprintf(text + used, room - used, "%s%s",
				used ? between : "", rows[i].name);
}

void variations_explain(uint32_t set, char *text, size_t room)
{
	const char *before = " (";
	size_t used;

	variations_tell(set, " + ", text, room);
	used = strlen(text);
	for (size_t i = 0; i < VARIATIONS && used < room; i++)
		if (set & VARY_BIT(i)) {
			used += (size_t)snprintf(
				text + used, room - used, "%s%s", before, rows[i].says);
			before = ", ";
		}
	if (used < room)
		snprintf(text + used, room - used, ")");
}

void variations_outside(uint32_t set, unsigned turn)
{
	for (size_t i = 0; i < VARIATIONS; i++)
		if ((set & VARY_BIT(i)) && rows[i].outside)
			rows[i].outside(turn);
}

void variations_inside(uint32_t set, unsigned turn, struct inside *inside)
{
	for (size_t i = 0; i < VARIATIONS; i++)
		if ((set & VARY_BIT(i)) && rows[i].inside)
			rows[i].inside(turn, inside);
}
