/* One look at a file of /proc, and the tables of all such files. For proc*.c only. */
#ifndef STET_GUEST_PROC_FILE_H
#define STET_GUEST_PROC_FILE_H

#include "guest/lines.h"
#include "guest/process.h"
#include "guest/view.h"

struct proc_file {
	struct thread *self;
	struct view view;
	int32_t pid, tid;   /* of a process's file, and of a thread's in task/; else 0 */
	long error;	    /* -errno, when the text cannot be had */
	char path[256];	    /* below /proc, as the kernel names the file */
	char directory[48]; /* of the process or thread, below /proc */
	const char *name;   /* below that directory, or below /proc */
};

typedef void proc_writer(struct proc_file *file);

/* An entry has a text, or a function that writes it, or the kernel's own text is right (NATIVE), or
 * it is a link or directory that is merely there. */
enum proc_how { PROC_TEXT, PROC_WRITTEN, PROC_KERNELS, PROC_THERE };

struct proc_entry {
	const char *name;
	const char *text;
	proc_writer *write;
	enum proc_how how;
};
#define TEXT(path, words)                                                                          \
	{                                                                                          \
		.name = (path), .text = (words), .how = PROC_TEXT                                  \
	}
#define WRITTEN(path, write_)                                                                      \
	{                                                                                          \
		.name = (path), .write = (write_), .how = PROC_WRITTEN                             \
	}
#define KERNELS(path)                                                                              \
	{                                                                                          \
		.name = (path), .how = PROC_KERNELS                                                \
	}
#define THERE(path)                                                                                \
	{                                                                                          \
		.name = (path), .how = PROC_THERE                                                  \
	}

/* The device that stat shows of all ordinary files. */
#define ORDINARY_MAJOR 8u
#define ORDINARY_MINOR 1u

/* The pid of the container's init, which is Stet's own process. */
#define INIT 1

/* Tables end with an entry without a name. */
extern const struct proc_entry proc_machine[], proc_sysctls[], proc_process[], proc_network[];

/* Opens a file of the same process or thread in the kernel's own form. */
void proc_kernels(struct proc_file *file, struct lines *lines, const char *name);
/* Puts the kernel's own text of the file. */
void proc_copy(struct proc_file *file);
/* What the process, or thread, has of the machine's; NULL when it has no place in the arena. */
const struct facts *proc_facts(const struct proc_file *file);
bool proc_is_own(const struct proc_file *file);

/* Of each process: proc_maps.c. */
struct proc_memory {
	uint64_t total, resident, shared, data, stack, library; /* bytes */
	uint64_t code, code_end; /* where the program's own code lies */
};
proc_writer proc_maps, proc_smaps, proc_smaps_rollup;
void proc_measure(struct proc_file *file, struct proc_memory *memory);
/* proc_process.c */
proc_writer proc_fdinfo;
/* proc_status.c */
proc_writer proc_status, proc_stat, proc_statm;
/* proc_network.c: tables of sockets and of System V objects, without what only the kernel
 * decides */
proc_writer proc_ipc;
/* proc_keys.c */
proc_writer proc_keys, proc_key_users;
/* proc_cpuinfo.c */
proc_writer proc_cpuinfo;
/* proc_mounts.c */
proc_writer proc_mounts, proc_mountinfo, proc_mountstats;

#endif
