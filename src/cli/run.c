#include "cli/cli.h"
#include "cli/execute.h"

static int run(struct run_options *options, struct error *err)
{
	struct box_result result = { 0 };

	if (options->help) {
		run_options_help();
		return 0;
	}
	if (execute(options, &result, err))
		return -1;
	execute_report(options, &result);
	return result.status;
}

int command_run(int argc, char **argv)
{
	struct run_options options;
	struct error err;
	int status = -1;

	execute_defaults(&options);
	if (run_options_read(&options, argv, &err) == 0)
		status = run(&options, &err);
	if (status < 0) {
		say("%s", err.text);
		status = err.status;
	}
	execute_release(&options);
	return status;
}
