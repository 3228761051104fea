/* Running programs: which ones the kernel starts by itself, and which the guest must carry. */
#ifndef STET_GUEST_EXEC_H
#define STET_GUEST_EXEC_H

/*
 * The note that tells a carried program's guest what to load: the last environment string of the
 * exec, "STET_CARRY=FD:PATH". FD is open on the program, -1 for the real loader; PATH is what
 * AT_EXECFN shows. The program never sees it.
 */
#define CARRY_NOTE "STET_CARRY="

#endif
