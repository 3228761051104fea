/*
 * The table of system calls, src/guest/syscalls.def, for the host's side: what each call is named,
 * how it is made deterministic, and how its arguments are written. It uses layout.h and nothing
 * else; the guest includes the table itself.
 */
#ifndef STET_ARENA_CALLS_H
#define STET_ARENA_CALLS_H

enum call_class { CALL_LOCAL, CALL_SHARED, CALL_EMULATED, CALL_PASSED, CALL_REFUSED };

enum call_role { CALL_LOOKS, CALL_CHANGES, CALL_NEUTRAL, CALL_IMPURE };

struct call_info {
	const char *name;
	enum call_class class;
	const char *handler;   /* "none": none */
	const char *arguments; /* a letter each, as syscalls.def explains; "-": none */
	enum call_role role;
	const char *errors; /* names, separated by single spaces */
	const char *reason;
	int refusal; /* errno of a refused call, else 0 */
};

/* NULL when this ABI has no such call. Numbers of known calls are below SYSCALL_LIMIT. */
const struct call_info *call_info(unsigned number);

#endif
