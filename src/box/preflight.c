#include "box/preflight.h"

#include <cpuid.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "arena/cpu_model.h"
#include "base/cleanup.h"

/* Overlays in user namespaces came with 5.11, recursive read-only mounts with 5.12. */
#define KERNEL_MAJOR 5
#define KERNEL_MINOR 12

/* A setting that forbids user namespaces, and its harmless value. */
static const struct setting {
	const char *path, *name, *good;
	long bad;
} settings[] = {
	{ "/proc/sys/kernel/unprivileged_userns_clone", "kernel.unprivileged_userns_clone", "1",
		0 },
	{ "/proc/sys/user/max_user_namespaces", "user.max_user_namespaces", "10000", 0 },
	{ "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
		"kernel.apparmor_restrict_unprivileged_userns", "0", 1 },
};

int preflight_kernel(const char *release, struct error *err)
{
	int major = 0, minor = 0;

	sscanf(release, "%d.%d", &major, &minor);
	if (major > KERNEL_MAJOR || (major == KERNEL_MAJOR && minor >= KERNEL_MINOR))
		return 0;
	return error_set(err, 0, "this kernel (%s) is too old: Stet needs Linux %d.%d or newer",
		release, KERNEL_MAJOR, KERNEL_MINOR);
}

static struct cpuid hosts_cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid answer;

	__cpuid_count(leaf, subleaf, answer.eax, answer.ebx, answer.ecx, answer.edx);
	return answer;
}

int preflight_cpu(const struct machine *machine, enum cpu_counter counter, struct error *err)
{
	static const char *const lower[] = {
		[CPU_X86_64] = "host",
		[CPU_X86_64_V2] = "x86-64",
		[CPU_X86_64_V3] = "x86-64-v2",
	};

	if (machine->cpu >= CPU_HOST || cpu_model_fits(machine, counter, hosts_cpuid))
		return 0;
	return error_set(err, 0,
		"this machine's CPU lacks instructions of the one that programs would see (--cpu); "
		"run with --cpu %s",
		lower[machine->cpu]);
}

static int value_of(const char *path, long *value)
{
	char text[32];
	cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (n <= 0)
		return -1;
	text[n] = '\0';
	*value = strtol(text, NULL, 10);
	return 0;
}

int preflight_explain(int cause, const char *what, struct error *err)
{
	long value;

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (value_of(settings[i].path, &value) == 0 && value == settings[i].bad)
			return error_set(err, 0,
				"%s: this machine forbids user namespaces (%s = %ld); as root, "
				"run: sysctl -w %s=%s",
				what, settings[i].name, value, settings[i].name, settings[i].good);
	if (cause == EPERM || cause == EACCES)
		return error_set(err, cause,
			"%s (inside another container, that one must allow it; docker: "
			"--security-opt seccomp=unconfined --security-opt systempaths=unconfined)",
			what);
	return error_set(err, cause, "%s", what);
}
