#include "cli/deb_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/execute.h"

static int add_mounts(struct run_options *run, const struct deb_script *script, struct error *err)
{
	if (run_options_mount(run, script->input, DEB_INPUT, BOX_MOUNT_RO, err))
		return -1;
	return script->results && run_options_mount(
					  run, script->results, DEB_RESULTS, BOX_MOUNT_RW, err)
		       ? -1
		       : 0;
}

/* A container's standard output is Stet's own, which is the log for that time. */
static int execute_to(
	const char *log, struct run_options *run, struct box_result *result, struct error *err)
{
	cleanup_close int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	cleanup_close int before = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	int failed;

	if (fd < 0 || before < 0 || dup2(fd, STDOUT_FILENO) < 0)
		return error_set(err, errno, "cannot write %s", log);
	failed = execute(run, result, err);
	dup2(before, STDOUT_FILENO);
	return failed;
}

static int run_script(struct run_options *run, const struct deb_script *script, struct error *err)
{
	char *command[5 + DEB_ARGUMENTS + 1] = { "/bin/sh", "-euc", (char *)script->text, "sh" };
	struct box_result result = { 0 };

	for (size_t i = 0; i < DEB_ARGUMENTS && script->arguments[i]; i++)
		command[4 + i] = (char *)script->arguments[i];
	run->bare = true;
	run->has_user = true; /* root builds, wherever and as whom an image wants its own command */
	run->box.workdir = "/build";
	run->box.command = command;
	run->box.over = script->over;
	run->box.save = script->save;
	if (add_mounts(run, script, err) || execute_to(script->log, run, &result, err))
		return -1;
	if (result.cut) {
		error_set(err, 0, "%s", result.cut);
		err->status = result.status;
		return -1;
	}
	execute_report(run, &result);
	return result.status;
}

int deb_run(const struct run_options *options, const struct deb_script *script, struct error *err)
{
	struct run_options run;
	int status = run_options_copy(&run, options, err);

	if (status == 0)
		status = run_script(&run, script, err);
	execute_release(&run);
	return status;
}
