#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/deb.h"
#include "cli/deb_run.h"
#include "cli/values.h"

#define OPTIONS "DEB_BUILD_OPTIONS="
#define UNPACK                                                                                     \
	"exec 2>&1\ncd /build\nrm -rf \"$1\"\n"                                                    \
	"dpkg-source --no-check --no-copy -x " DEB_INPUT "/package.dsc \"$1\"\ncd \"$1\"\n"

static const char find_time[] = UNPACK "dpkg-parsechangelog -STimestamp >" DEB_RESULTS "/time\n";
/* debian/files lists what was built; the .changes is the one file that it does not know. */
static const char build[] = UNPACK "dpkg-buildpackage -us -uc -b\n"
				   "while read -r name rest\n"
				   "do cp \"../$name\" " DEB_RESULTS "\n"
				   "done <debian/files\n"
				   "cp ../\"$2\"_*.changes " DEB_RESULTS "\n";

/* The last line of a log; "" when there is none. */
static void last_line(const char *log, char *line, size_t room)
{
	cleanup_file FILE *file = fopen(log, "re");
	char next[512];

	line[0] = '\0';
	while (file && fgets(next, sizeof(next), file))
		snprintf(line, room, "%.*s", (int)strcspn(next, "\n"), next);
}

static int read_time(
	const char *directory, struct machine *machine, char *time, size_t room, struct error *err)
{
	cleanup_free char *path = NULL;
	cleanup_file FILE *file = NULL;

	if (asprintf(&path, "%s/time", directory) < 0)
		return error_set(err, ENOMEM, "cannot read the changelog");
	file = fopen(path, "re");
	time[0] = '@';
	if (!file || !fgets(time + 1, (int)room - 1, file))
		return error_set(err, errno, "cannot read the changelog");
	time[strcspn(time, "\n")] = '\0';
	return value_epoch("debian/changelog", time, machine, err);
}

/* The changelog's last entry is when the build takes place. */
static int take_time(struct deb *deb, const char *directory, struct error *err)
{
	struct run_options *run = &deb->options.run;
	struct machine machine = run->box.machine;
	char time[64], assignment[96];

	if (read_time(directory, &machine, time, sizeof(time), err))
		return -1;
	if (!run->has_epoch)
		run->box.machine = machine;
	snprintf(assignment, sizeof(assignment), "SOURCE_DATE_EPOCH=%s", time + 1);
	return run_options_assign(run, assignment, err);
}

/* What the caller wants of the build stays, and has the last word. */
static int take_options(struct deb *deb, struct error *err)
{
	struct run_options *run = &deb->options.run;
	const char *wanted = "";
	char assignment[1024];

	for (size_t i = 0; i < run->assignment_count; i++)
		if (strncmp(run->assignments[i], OPTIONS, strlen(OPTIONS)) == 0)
			wanted = run->assignments[i] + strlen(OPTIONS);
	if (strstr(wanted, "parallel"))
		return 0;
	snprintf(assignment, sizeof(assignment), OPTIONS "%s%sparallel=%u", wanted,
		*wanted ? " " : "", (unsigned)deb->options.jobs);
	return run_options_assign(run, assignment, err);
}

static struct deb_script script_of(const struct deb *deb, const char *text)
{
	return (struct deb_script){
		.text = text,
		.arguments = { deb->tree, deb->dsc.source },
		.input = deb->source,
		.over = deb->layer,
	};
}

int deb_build_prepare(struct deb *deb, struct error *err)
{
	cleanup_free char *results = deb_place(deb, "unpacked"),
			  *log = deb_place(deb, "unpacked.log");
	struct deb_script script = script_of(deb, find_time);
	bool stats = deb->options.run.box.stats;
	char line[512];
	int status;

	if (!results || !log || mkdir(results, 0755))
		return error_set(err, errno, "cannot unpack %s", deb->dsc.path);
	script.results = results;
	script.log = log;
	deb->options.run.box.stats = false; /* --stats is about builds */
	status = deb_run(&deb->options.run, &script, err);
	deb->options.run.box.stats = stats;
	if (status < 0)
		return -1;
	last_line(log, line, sizeof(line));
	if (status)
		return error_set(err, 0, "cannot unpack %s: %s", deb->dsc.path, line);
	return take_time(deb, results, err) || take_options(deb, err) ? -1 : 0;
}

/* Conditions of the host that a build must not notice. */
struct conditions {
	mode_t mask;
	cpu_set_t cpus;
	pid_t load;
};

/* Half of the processors. */
static void take_fewer_cpus(cpu_set_t *before)
{
	cpu_set_t fewer = *before;

	for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&fewer) > (CPU_COUNT(before) + 1) / 2; i++)
		CPU_CLR((size_t)i, &fewer);
	sched_setaffinity(0, sizeof(fewer), &fewer);
}

/* A process that computes meanwhile. */
static pid_t start_load(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)!nice(10);
	for (;;)
		getppid();
}

static void change_conditions(struct conditions *before)
{
	before->mask = umask(077);
	sched_getaffinity(0, sizeof(before->cpus), &before->cpus);
	take_fewer_cpus(&before->cpus);
	before->load = start_load();
	setenv("TZ", "Pacific/Chatham", 1);
	setenv("LC_ALL", "C", 1);
}

static void restore_conditions(const struct conditions *before)
{
	umask(before->mask);
	sched_setaffinity(0, sizeof(before->cpus), &before->cpus);
	if (before->load > 0) {
		kill(before->load, SIGKILL);
		while (waitpid(before->load, NULL, 0) < 0 && errno == EINTR)
			;
	}
}

static double clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Of all processes that were waited for: containers are, with those in them. */
static double cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static int run_timed(struct deb *deb, const struct deb_script *script, struct error *err)
{
	double start = clock_seconds(), cpu = cpu_seconds();
	int status = deb_run(&deb->options.run, script, err);

	if (status >= 0)
		deb->builds[deb->build_count++] = (struct deb_outcome){
			.status = status,
			.seconds = clock_seconds() - start,
			.cpu_seconds = cpu_seconds() - cpu,
		};
	return status;
}

static int run_build(
	struct deb *deb, const struct deb_script *script, bool other, struct error *err)
{
	struct conditions before;
	int status;

	if (other)
		change_conditions(&before);
	status = run_timed(deb, script, err);
	if (other)
		restore_conditions(&before);
	return status;
}

int deb_build(struct deb *deb, const char *name, bool other, struct error *err)
{
	cleanup_free char *results = deb_place(deb, name), *log = NULL, *kept = NULL;
	struct deb_script script = script_of(deb, build);
	int status;

	if (!results || asprintf(&log, "%s.log", results) < 0 ||
		asprintf(&kept, "%s/%s", results, deb->log) < 0 || mkdir(results, 0755))
		return error_set(err, errno, "cannot build %s", deb->dsc.path);
	script.results = results;
	script.log = log;
	status = run_build(deb, &script, other, err);
	if (rename(log, kept) && status >= 0)
		return error_set(err, errno, "cannot keep the log of %s", deb->dsc.path);
	return status;
}
