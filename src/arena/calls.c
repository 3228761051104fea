#include "arena/calls.h"

#include <errno.h>
#include <stddef.h>

#include "arena/layout.h"

/* In a row of a refused call the place of the handler holds an errno. */
#define REFUSAL_LOCAL(handler)	  0
#define REFUSAL_SHARED(handler)	  0
#define REFUSAL_EMULATED(handler) 0
#define REFUSAL_PASSED(handler)	  0
#define REFUSAL_REFUSED(error)	  error

#define CALL(NUMBER, NAME, CLASS, HANDLER, RELAX, ARGUMENTS, ROLE, ERRORS, REASON)                 \
	[NUMBER] = {                                                                               \
		.name = #NAME,                                                                     \
		.class = CALL_##CLASS,                                                             \
		.handler = #HANDLER,                                                               \
		.arguments = ARGUMENTS,                                                            \
		.role = CALL_##ROLE,                                                               \
		.errors = ERRORS,                                                                  \
		.reason = REASON,                                                                  \
		.refusal = REFUSAL_##CLASS(HANDLER),                                               \
	},

static const struct call_info calls[SYSCALL_LIMIT] = {
#include "guest/syscalls.def"
};

const struct call_info *call_info(unsigned number)
{
	if (number >= SYSCALL_LIMIT || !calls[number].name)
		return NULL;
	return &calls[number];
}
