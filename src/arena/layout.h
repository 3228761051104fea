/*
 * The arena: one shared mapping, at one address, in every process of a container and in the
 * supervisor. This header is its layout and nothing else; it promises that host and guest agree on
 * every byte. It uses no other module, and neither libc nor system headers beyond fixed-width
 * types.
 *
 * The container can write everywhere in here: the supervisor copies what it needs, checks it, and
 * never follows an index or a length that it has not bounded.
 */
#ifndef STET_ARENA_LAYOUT_H
#define STET_ARENA_LAYOUT_H

#include <stdint.h>

#include "arena/addresses.h"
#include "arena/code_slot.h"
#include "arena/events.h"
#include "arena/keys.h"
#include "arena/looks.h"
#include "arena/machine.h"
#include "arena/undo.h"

#define ARENA_MAGIC   0x616e657261746574ull /* "tetarena" */
#define ARENA_VERSION 5

/*
 * Hidden descriptors, inherited by every process. They lie above the soft limit on descriptors that
 * a command starts with, so the kernel does not hand them out, with room for programs that raise
 * the limit a little (valgrind); the guest keeps the program's hands off them. Not higher: a fork
 * copies the table of descriptors up to the last one. One that is absent is an O_PATH descriptor of
 * /dev/null, so that its number is taken.
 */
#define DESCRIPTOR_LIMIT      1024
#define DESCRIPTOR_LIMIT_HARD 4096
enum hidden_fd {
	HIDDEN_FD_FIRST = 2000,
	FD_ARENA = HIDDEN_FD_FIRST, /* the memfd behind this mapping */
	FD_GUEST,		    /* the guest's own ELF file, for execveat */
	FD_LOADER,	/* the real dynamic loader that the guest lies over; may be absent */
	FD_CODE,	/* read-only directory of the code cache; may be absent */
	FD_REQUEST,	/* SOCK_SEQPACKET to the supervisor: struct code_request + the file */
	FD_PROC,	/* the container's /proc, O_PATH directory */
	FD_LOADER_CODE, /* the rewritten copy of FD_LOADER; may be absent */
	FD_ENTROPY, /* of --entropy: a socket to record to, or a file to replay; may be absent */
	FD_OUTPUT,  /* the command's standard output, when output.ordered; else absent */
	FD_ERRORS,  /* its standard error, likewise */
	FD_PACKETS, /* /proc/net/softnet_stat: packets that are on their way; may be absent */
	HIDDEN_FD_END,
};

/* Sources of nondeterminism that can be left native: bits of config.relax, as stet-run(1) has
 * them. */
enum relax {
	RELAX_TIME = 1u << 0,
	RELAX_RANDOM = 1u << 1,
	RELAX_PID = 1u << 2,
	RELAX_INODE = 1u << 3,
	RELAX_MTIME = 1u << 4,
	RELAX_DIRENTS = 1u << 5,
	RELAX_ORDER = 1u << 6,
	RELAX_THREADS = 1u << 7,
	RELAX_CPU = 1u << 8,
	RELAX_ADDRESS = 1u << 9,
	RELAX_PROC = 1u << 10,
	RELAX_ENV = 1u << 11,
	RELAX_NET = 1u << 12,
	RELAX_ALL = (1u << 13) - 1,
	KEEP = 0, /* in syscalls.def: needed whatever is relaxed */
};

/* What the supervisor wants to be told; bits of config.report. */
enum report {
	REPORT_LOG = 1u << 0,	/* every event goes into the task's ring */
	REPORT_STATS = 1u << 1, /* every event is counted */
};

#define SYSCALL_LIMIT 512 /* numbers below this are counted one by one */

/* One classic BPF instruction (struct sock_filter). */
struct filter_insn {
	uint16_t code;
	uint8_t jt, jf;
	uint32_t k;
};
#define FILTER_INSNS 512

enum task_state {
	TASK_FREE = 0,
	TASK_LIVE,
	TASK_DEAD, /* ended, ring not drained yet (only when logging) */
};

/* Where a program's stack began, and what lies there: addresses in its memory. */
struct program_stack {
	uint64_t base;							 /* argc */
	uint64_t arguments, arguments_end, environment, environment_end; /* strings */
	uint64_t vector;						 /* auxiliary */
	uint64_t heap;							 /* where brk begins */
};

/* A timer of a process: logical ns, both 0 when it is not armed. */
struct interval {
	uint64_t deadline; /* of the clock that the timer runs by */
	uint64_t period;   /* 0: it fires once */
	uint32_t instant;  /* --timers instant: enum instant of guest/timers.h */
	uint32_t rest;	   /* and how often it is still to fire in a row */
};
#define ITIMERS 3 /* REAL, VIRTUAL, PROF */

/* Why a process's children leave no status behind: bits. */
enum reaps {
	REAPS_IGNORED = 1, /* SIGCHLD is ignored */
	REAPS_NOT = 2,	   /* SA_NOCLDWAIT */
};

/*
 * A thread of the container. The first thread's slot also stands for the process: it stays as long
 * as any of the process's threads.
 */
struct task {
	uint32_t state;		    /* enum task_state */
	int32_t tid, pid;	    /* as seen inside the container */
	uint32_t parent;	    /* index of the task that made it */
	uint32_t process;	    /* index of the process's first task */
	uint32_t users;		    /* tasks of the process that live, in the first one's slot */
	uint32_t children;	    /* made so far: names the next one */
	uint32_t parent_generation; /* of the parent's slot, which may be another's by now */
	int32_t exit_signal;	    /* what its parent gets when it ends, 0: none */
	uint32_t over;	   /* the generation that has ended: said once, by whoever is first */
	uint32_t bearer;   /* the task that a vfork keeps until this one is a program, + 1; or 0 */
	uint32_t adopts;   /* it gets the children of those below it that end */
	uint32_t shares;   /* memory that its children will share and can change is mapped */
	uint32_t reaps;	   /* enum reaps: its children leave no status behind */
	uint32_t left;	   /* the thread has ended, though perhaps not the process */
	uint32_t stopping; /* it stops itself, and its parent has not seen that yet */
	int32_t ended[2];  /* the first and the last child to have ended and not waited for, or 0 */
	uint32_t execs;	   /* programs run so far */
	uint32_t made;	   /* files and the like, so far: numbers the next one */
	uint32_t generation; /* how often the slot was used */
	uint64_t clock;	     /* of the process: logical ns since the epoch, in the first's slot */
	struct program_stack stack; /* of the process, in the first's slot */
	uint64_t idle;	  /* of the clock, what was not spent computing; a later thread's slot has
				the process's CPU time at its birth */
	uint64_t reaped;  /* CPU time of children that were waited for, and theirs */
	uint64_t wake;	  /* the task waits until this logical time at most; 0: it does not */
	uint64_t told[2]; /* clock and idle as of its last event that was certain to be in turn: as
				others may see them */
	struct interval itimer[ITIMERS]; /* they outlive an exec */
	uint32_t alarmed; /* a timer of the process is armed that will send a signal */
	uint32_t pad;
	uint64_t place; /* a hash of the place in the tree, which names can be too long for */
	char name[72];	/* place in the tree: "1", "1.2", "1.2.1"; ends in "~" if too deep */
};
#define TASKS 32768

/*
 * What a task has of the machine's that outlives an exec, and that its children inherit: the
 * kernel's own values are the host's, or the caller's. Limits, personality and groups are the
 * process's, in its first task's place; the rest is the task's.
 */
#define LIMITS	   16 /* RLIM_NLIMITS */
#define GROUPS_MAX 64
struct facts {
	uint64_t limits[LIMITS][2]; /* soft, hard */
	uint64_t affinity[MACHINE_CPUS_MAX / 64];
	uint32_t personality;
	uint32_t policy; /* of scheduling, with SCHED_RESET_ON_FORK */
	int32_t nice;
	uint32_t io_priority;
	uint32_t no_new_privileges;
	uint32_t root; /* a chroot, as a unit of looks.text + 1; 0: the container's own */
	uint32_t group_count;
	uint32_t groups[GROUPS_MAX];
};

/* What a task waits for by futex (guest/futex.c). */
struct futex_wait {
	uint64_t object[2]; /* what the address leads to, and where in it */
	uint64_t order;	    /* how many began to wait before it */
	uint32_t bits;
	uint32_t woken;	 /* by whom it is not said */
	uint64_t second; /* of a wait that may be moved to a lock: that lock's place */
};

/*
 * A task's part in the order of events (guest/turn.h). Dense, since whoever changes something looks
 * at all who may wait for it.
 */
struct turn {
	uint64_t birth;	    /* how many tasks entered before it */
	uint64_t deadline;  /* of its park; TURN_NEVER: none */
	uint64_t streams;   /* what it is parked for, when that is streams: bits */
	uint64_t since;	    /* logical time at which it was let go on last */
	uint64_t area;	    /* its struct thread, in the memory of its process */
	uint32_t domain;    /* its place in the table + 1; 0: it has left */
	uint32_t next;	    /* behind it among those of the domain that are ready, + 1; 0: none */
	uint32_t word;	    /* futex: changes when the task should look again */
	uint32_t asleep;    /* it sleeps on `word`, or is about to */
	uint32_t acts;	    /* it waits to make an event, and need not run before */
	uint32_t core;	    /* of the machine, on which it was seen last */
	uint32_t bound;	    /* to this core, + 1; 0: to none */
	uint32_t parked;    /* what it waits for, 0: nothing */
	uint32_t timed_out; /* its last park came to its deadline */
	uint32_t ready;	    /* it is among those of its domain that wait to go on */
	uint32_t away;	    /* it blocks in the kernel, who knows for what */
	uint32_t busy;	    /* it waits for the supervisor, and is not to be passed over */
	uint32_t naps;	    /* how often it was about to sleep for one of the reasons above */
	uint32_t stopped;   /* its process is, by a signal, until another signal */
	uint32_t signalled; /* a signal was sent to it, which it is to see before it goes on */
	uint32_t call;	    /* what it is parked in: a call and its first argument */
	uint32_t object;
	uint32_t manner; /* of its turns (guest/manners.h) */
	uint32_t calls;	 /* that it made since it let others run; counted where that matters */
	uint64_t used;	 /* of its share: it is up to the domain's calls so far */
	struct futex_wait futex;
};
#define TURN_NEVER (~0ull)
#define CORES	   1024 /* of a machine, at most; with more, none is known */

/* Tasks that share memory: one of them runs at a time. */
struct domain {
	uint64_t quantum; /* of its next event at the earliest; TURN_NEVER: it is not in the race */
	uint64_t birth;	  /* of two in the same quantum the older one is first */
	uint64_t clock;	  /* logical time when another of its tasks went on */
	uint64_t slice;	  /* the quantum in which that was; TURN_NEVER: long ago */
	uint64_t news;	  /* the quantum in which it was last seen who of it is ready by then */
	uint32_t holder;  /* the task that runs, or that will when its deadline comes, + 1 */
	uint32_t first, last; /* of those that are ready, + 1 */
	uint32_t members;
	uint32_t open;	      /* others may join at any time, as its memory has a name */
	uint32_t generation;  /* how often the place was used */
	uint32_t urgent;      /* the holder woke a task that is to run at once */
	uint32_t has_manners; /* some of its tasks have (guest/manners.h) */
	uint64_t calls;	      /* that they all made since; only those that concern nobody else */
};

/* A file that is mapped to be shared and changed, and the domain of those who do. */
struct shared_file {
	uint64_t device, number;
	uint32_t domain, generation; /* + 1 */
};
#define SHARED_FILES 1024

/* One task asks another whether it spins: by a signal with this code, which no other sender has.
 * Its value: to be told on standard error when it does not. */
#define SPIN_SIGNAL   28 /* SIGWINCH */
#define SPIN_QUESTION (-0x53746574)

/* What those who wait for a task know of it (guest/spin.h); times are real ones, in ns. */
struct watch {
	uint64_t progress; /* changes with each of its events */
	uint64_t began;	   /* real CPU time when it was looked at first since then */
	uint64_t next;	   /* when to ask whether it spins */
	uint64_t patience; /* and how long to wait after that */
	uint64_t first;	   /* how soon after an event to ask: learnt from its answers; or 0 */
	uint64_t cpu;	   /* and then, or when it was asked last; 0: it was not */
};

/* A signal that one process sent to another, until the receiver's next event. */
struct posted {
	int32_t signal, code, pid, status;
	uint32_t uid, thread; /* thread: its number, when it is not for the whole process */
	uint64_t value;
};
#define POSTED_MAX 64
struct mailbox {
	uint32_t count;
	uint32_t pad;
	struct posted posted[POSTED_MAX];
};

/* A task's place in the line for an object (guest/in_line.h). */
struct waiter {
	uint64_t object;     /* 0: it stands in none */
	uint64_t ticket;     /* how many stood in any line before it */
	uint64_t note;	     /* what it waits for in particular */
	uint32_t generation; /* of the task's slot */
	uint32_t again;	     /* the object has changed since its last attempt */
};

/* A process that wants a signal when a message comes into a POSIX queue. */
struct notification {
	uint64_t object; /* the queue's line; 0: not in use */
	uint64_t value;
	uint32_t process, generation; /* of its slot */
	int32_t signal;		      /* 0: none after all */
	uint32_t pad;
};
#define NOTIFICATIONS  64

#define TERMINAL_WORDS 64 /* of 64 pseudoterminals each */

/* Where to look for a process that lives: its task, by its number modulo the size. */
#define PID_PLACES 65536

/* The logical time at which a process ended, for whoever waits for it; by its number likewise. */
struct ended {
	int32_t pid;
	int32_t next; /* the parent's next child that has ended, 0: none */
	uint64_t clock;
	uint64_t cpu;	/* its CPU time, and that of children that it waited for */
	int32_t signal; /* what its parent gets, 0: none */
	uint32_t pad;
};

/*
 * What programs see of a file, when it is not what the kernel says: its number (guest/numbers.h),
 * and its times, which are logical. Entries are found by the real device and number through
 * inode_places, are added and never removed. A file that gets a dead one's number gets a new entry.
 */
enum inode_flags {
	INODE_MADE = 1u << 0, /* the file was made in this run */
	INODE_CHANGED =
		1u << 1, /* its times are those of this run: the real file gets them at the end */
	INODE_OWNED = 1u << 2,	/* uid and gid were set by the program */
	INODE_SAVED = 1u << 7,	/* its first content is among the records of what to undo */
	INODE_KEPT = 1u << 3,	/* the supervisor keeps it in the kernel's memory (keep.h) */
	INODE_MAPPED = 1u << 4, /* its content is, or was, some process's memory */
	INODE_STORED = 1u << 5, /* ... which that process can write */
	INODE_GONE = 1u << 6,	/* its last name was taken away: its number may be another's */
};

struct inode {
	uint64_t device, number;	    /* as the kernel says; 0, 0: not in use */
	uint64_t other_device, other;	    /* by another of its names; 0, 0: the same */
	int64_t atime, mtime, ctime, btime; /* ns since 1970 */
	uint64_t shown;			    /* the number that programs see; 0: nobody asked yet */
	uint64_t numbered; /* in the order of events: the latest who wanted to give it */
	uint32_t flags;	   /* enum inode_flags */
	uint32_t uid, gid; /* when INODE_OWNED */
	uint32_t stream; /* of a pipe: how many were used before it, + 1; 0: it was not used yet */
};
#define ROOT_NUMBER  2 /* that programs see; as on most file systems */
#define INODES	     (1u << 22)
#define INODE_PLACES (1u << 23) /* open addressing, linear probing; index in the table + 1, or 0 */

/* Neighbouring numbers have neighbouring places: a process touches few pages. */
static inline uint32_t inode_place(uint64_t device, uint64_t number)
{
	uint64_t far = number / INODE_PLACES + device * 0x9e3779b1u;

	return (uint32_t)(number + far * 0x2545f491u) % INODE_PLACES;
}

/* An initial file that does not belong to root, by the number that programs see (file_owners.h). */
struct file_owner {
	uint64_t number; /* 0: free */
	uint32_t uid, gid;
};
#define FILE_OWNERS	  (1u << 20)
#define FILE_OWNER_PLACES (1u << 21) /* open addressing, linear probing */

/*
 * What ran ahead of its turn (guest/ahead.h): places in the order, packed into one number so that
 * the later is the larger, 0: none. Of each file: the latest place at which something that ran
 * ahead looked at it, and changed it; of a directory also those for the names in it.
 */
struct ahead_object {
	uint64_t looked, changed;
	uint64_t listed, touched;
};

/* A name that is not there, or that came or went, by a hash of it and of its directory. */
struct ahead_name {
	uint64_t tag; /* 0: free; else it stays */
	uint64_t looked, changed;
	uint64_t pad;
};
#define AHEAD_NAMES (1u << 19)
#define AHEAD_WAYS  8u /* of one hash; when all are taken, the caller waits for its turn */

/* The latest changes of a directory's times (guest/touches.h), for who looks at them in his turn
 * when others are ahead of it. Times are ns since 1970. */
struct ahead_touch {
	uint64_t place;	 /* 0: none; AHEAD_BUSY: being written */
	int64_t time[2]; /* mtime and ctime; INT64_MIN: it stayed */
};
#define AHEAD_BUSY    (~0ull)
#define AHEAD_TOUCHES 64u
struct ahead_directory {
	uint32_t inode; /* index in the table + 1; 0: free */
	uint32_t next;
	uint64_t folded;	 /* the latest place that is not kept any more, ... */
	uint64_t folded_time[2]; /* ... and the latest mtime and ctime, from INT64_MIN on */
	uint64_t before[2];	 /* those before all of them, from INT64_MAX on downwards */
	struct ahead_touch touch[AHEAD_TOUCHES];
};
#define AHEAD_DIRECTORIES 4096u

struct ahead {
	uint64_t latest;  /* of all places at which something ran ahead */
	uint64_t changes; /* counts those that looks in progress must not have missed */
	uint32_t off;	  /* nothing runs ahead any more */
	uint32_t pad;
	uint64_t made[64]; /* bits, by a hash of their names: directories that the run has made */
};

/* Of a task: where it ran ahead last, and the program that it is about to become (entries of the
 * table of inodes + 1: a script, and what runs it). */
struct ahead_task {
	uint64_t latest;
	uint32_t program[2];
};

/*
 * Timers behind descriptors (guest/timerfd.c), by the number that the kernel gives the object: any
 * process that has the descriptor makes it fire when its own clock says so.
 */
struct timer_file {
	uint32_t state;	 /* 0: free, 1: taken */
	uint32_t object; /* number of the kernel's object */
	uint32_t clock;	 /* clock id */
	uint32_t lock;
	struct interval interval;
};
#define TIMER_FILES 1024

/* Counters, when REPORT_STATS: updated atomically by every task. */
struct counters {
	uint64_t fast[SYSCALL_LIMIT];
	uint64_t slow[SYSCALL_LIMIT];
	uint64_t refused[SYSCALL_LIMIT];
	uint64_t insn_fast[16], insn_slow[16]; /* by enum insn_kind */
	uint64_t processes, threads, execs, signals, code_mapped, code_plain;
	uint64_t parks;	  /* a task could not go on before others had done something */
	uint64_t waits;	  /* or before it was its turn, and slept: that depends on the machine */
	uint64_t retries; /* of reads and writes that the kernel did in part */
};

/*
 * Answers of the cpuid instruction, which takes microseconds in a virtual machine: the first
 * process that asks fills an entry, the others copy it.
 */
struct cpuid_answer {
	uint32_t state; /* 0: free, 1: being written, 2: valid */
	uint32_t leaf, subleaf;
	uint32_t eax, ebx, ecx, edx;
	uint32_t pad;
};
#define CPUID_ANSWERS 96

#define MOUNTS_BYTES  8192 /* of places of mounts; /proc shows no more */

/* File systems that programs can tell from ordinary ones by their device; the rest is one
 * device. */
enum device_class {
	DEVICE_PROC,
	DEVICE_SYS,
	DEVICE_NODES,	   /* of /dev/null and its like */
	DEVICE_TERMINALS,  /* /dev/pts */
	DEVICE_FIRST_MADE, /* from here on: only what the run itself makes */
	DEVICE_PIPES = DEVICE_FIRST_MADE,
	DEVICE_SOCKETS,
	DEVICE_ANONYMOUS, /* eventfd, epoll and so on */
	DEVICE_MEMORY,	  /* memfd */
	DEVICE_CLASSES,
	DEVICE_ORDINARY = DEVICE_CLASSES,
};
#define MOUNTED_DEVICES 16 /* further mounts are taken for the image */

/* A directory of which an entry is a mount point; when all places are taken, any may be one. */
struct mount_parent {
	uint64_t device, inode;
};
#define MOUNT_PARENTS 64u

#define SOCKET_BUFFER 212992 /* what new sockets hold on a plain machine */

/* What the kernel would choose at random for sockets: counters, and the sockets' own numbers. */
#define SOCKET_COOKIES 4096
struct socket_names {
	uint32_t port, local, netlink;
	uint32_t inet;	   /* some socket of the kind was made */
	uint32_t full;	   /* connections of which an end is full */
	uint32_t pairs;	   /* UNIX sockets that were found to be connected, numbered so far */
	uint32_t no_pairs; /* the kernel does not tell */
	uint32_t pipes;	   /* that were used, numbered so far */
	uint32_t flags;	   /* of open files: how often they were changed, + 1 is never 0 */
	uint32_t pad;
	uint64_t
		cookies[SOCKET_COOKIES]; /* of sockets, in the order in which they were asked for */
};

/*
 * A TCP connection, by a hash of its two ends; side 0 is the end with the lesser address. What was
 * sent and not read yet is counted here (guest/connections.h).
 */
struct connection {
	uint64_t key; /* 0: free */
	uint32_t queued[2], weight[2];
	uint8_t full[2];
	uint8_t closed; /* bits of sides */
	uint8_t pad[5];
};
#define CONNECTIONS 65536u

/* Two UNIX sockets that are connected, by the lesser of the kernel's numbers for them. */
struct unix_pair {
	uint32_t least; /* 0: free */
	uint32_t number;
};
#define UNIX_PAIRS 65536u

enum launch_state {
	LAUNCH_PENDING = 0, /* the first guest installs the filter and runs the command */
	LAUNCH_DONE,
};

struct arena_config {
	uint64_t magic;
	uint32_t version, bytes; /* ARENA_VERSION, sizeof(struct arena) */
	uint32_t relax, report;
	uint32_t backwards;   /* names in directories come in reverse */
	uint32_t strict;      /* nothing runs ahead of its turn: the run cannot be started again */
	uint32_t undoes;      /* what changes on the host is kept (arena/undo.h) */
	uint32_t records;     /* what is looked at is kept (arena/looks.h) */
	uint32_t bundled;     /* files can be there without their content */
	uint32_t conflict_at; /* for tests: the event at which a race is found; 0: none */
	uint32_t logs_ahead;  /* for debugging: tasks run ahead though there is a log */
	uint64_t delays;      /* a switch for tests: seed of delays that must not matter; 0: none */
	struct machine machine;
	uint32_t launch;		    /* enum launch_state */
	int32_t launch_error;		    /* errno of the first exec when it failed, else 0 */
	uint64_t guest_device, guest_inode; /* the file that lies over the loader */
	uint64_t devices[DEVICE_CLASSES];   /* the kernel's numbers; 0: none */
	uint64_t mounted[MOUNTED_DEVICES];  /* devices of the host's directories that are mounted */
	uint32_t held; /* bits: those of them that are a layer of the container's own */
	uint64_t copied[MOUNTED_DEVICES]; /* devices of private copies of such directories */
	uint32_t file_owners;		  /* how many are in the table of that name */
	uint32_t own_owners;		  /* files of the image belong to whom the kernel says */
	uint32_t foreign; /* some belong to users that the container does not have (guest/lift.h) */
	uint32_t all_ids; /* the container has more than one user */
	uint32_t other_buffers; /* new sockets do not hold SOCKET_BUFFER bytes */
	uint32_t loopback;     /* what is sent over it arrives at once, and fits (box/loopback.h) */
	uint32_t short_counts; /* some file system can move less than it is asked to */
	int32_t oom_score_adj; /* what Stet itself was started with: shown as 0 */
	char mounts[MOUNTS_BYTES]; /* a line each: "ro" or "rw", a blank, the place inside */
	uint32_t mount_parents;
	struct mount_parent mount_parent[MOUNT_PARENTS];
	struct outside {
		uint64_t device, inode;
		uint64_t terminal;	 /* its number, if it is one; else 0 */
	} outside[3];			 /* the streams that the command is started with */
	uint8_t refused[SYSCALL_LIMIT];	 /* set by guests: this call was refused */
	char loader_path[256];		 /* what the guest lies over, resolved */
	uint32_t loader_slot;		 /* code slot of FD_LOADER */
	uint32_t randomised;		 /* the kernel cannot be told to leave addresses alone */
	uint32_t vdso_below, vdso_bytes; /* of this kernel: its data below it, and itself */
	uint32_t filter_length;
	struct filter_insn filter[FILTER_INSNS];
};

/*
 * A condition that ends the run, since it cannot be refused honestly: the first one wins. The guest
 * fills text, then sets state; the supervisor prints it and answers 125.
 */
struct fatal {
	uint32_t state; /* 0: none, 1: being written, 2: valid; futex word */
	uint32_t pad;
	char text[504];
};

/*
 * The command's standard output and standard error, which are two pipes: when they lead to the same
 * place outside, what is written to one is taken before anything is written to the other.
 */
struct output {
	uint64_t device[2], inode[2]; /* the pipes; set before the container runs */
	uint32_t ordered;	      /* 0: nobody needs to wait, or no longer */
	uint32_t last;		      /* which one was written to last: 1 or 2; 0: none */
	uint32_t taken;		      /* futex word: bumped by the supervisor when it took bytes */
	uint32_t waiting;	      /* somebody sleeps on `taken` */
};

/*
 * What every process touches at its start comes first: the kernel maps 16 pages at a time, and a
 * table of pages serves 2 MiB.
 */
struct arena {
	struct arena_config config;
	_Alignas(64) struct output output;
	_Alignas(4096) struct fatal fatal;
	struct fatal refusal;  /* of what was refused; told when the command fails */
	struct fatal notice;   /* of what the user should know at once; the run goes on */
	struct fatal conflict; /* why the run has to be started again, in strict order */
	uint64_t undo_used;    /* bytes of records, see arena/undo.h */
	uint32_t undo_busy;    /* a guest is about to change what has no record yet */
	uint32_t stalled;      /* a task, + 1, that computes for long while a timer of its waits */
	uint64_t events;       /* until config.conflict_at */
	uint64_t seq;	       /* next event's */
	uint32_t log_wake;     /* futex word: bumped by a guest whose ring is half full */
	uint32_t pad;
	_Alignas(4096) struct cpuid_answer cpuid[CPUID_ANSWERS];
	_Alignas(4096) uint8_t pass[3][65536]; /* see struct thread; [1]: of carried programs, [2]:
						  of tasks that share memory: nothing passes */
	_Alignas(4096) struct counters counters;
	_Alignas(4096) struct code_slot code[CODE_SLOTS];
	_Alignas(4096) struct socket_names sockets;
	_Alignas(4096) struct connection connections[CONNECTIONS];
	_Alignas(4096) struct unix_pair unix_pairs[UNIX_PAIRS];
	_Alignas(4096) uint32_t pids[PID_PLACES];
	_Alignas(4096) struct task tasks[TASKS];
	_Alignas(4096) struct facts facts[TASKS];
	_Alignas(4096) struct ended ended[PID_PLACES];
	_Alignas(4096) struct timer_file timer_files[TIMER_FILES];
	_Alignas(4096) struct mailbox mailboxes[TASKS];
	_Alignas(4096) struct turn turns[TASKS];
	_Alignas(4096) struct watch watches[TASKS];
	_Alignas(4096) struct domain domains[TASKS];
	uint64_t births;      /* tasks that entered the race so far */
	uint64_t futex_waits; /* waits for a futex so far */
	uint32_t gate;	      /* who changes turns and domains: the number of its task; 0: nobody */
	uint32_t in_turn;     /* the domain that is first, + 1; 0: none is in the race */
	uint32_t domains_end; /* places from here on were never used */
	uint32_t watched;     /* somebody watches files by inotify */
	uint32_t last_looks;  /* times that all were found to wait since the last event */
	uint32_t last_looker; /* somebody is about to make them look again */
	uint32_t near_core;   /* of the machine, where those meet who move much (near.h), + 1 */
	uint64_t cores[CORES / 64]; /* that the command may use, by number; none: unknown */
	struct shared_file shared_files[SHARED_FILES];
	uint32_t fifos;	  /* somebody made a FIFO */
	uint32_t resized; /* somebody changed the capacity of a pipe */
	uint32_t pidfds;  /* somebody waits for processes by epoll; */
	int32_t last_end; /* then: the one that ended last */
	_Alignas(4096) struct waiter waiters[TASKS];
	_Alignas(
		4096) uint64_t expected_signals[TASKS]; /* guest/terminal_signals.h; of processes */
	uint64_t terminals_opened[TERMINAL_WORDS];	/* slaves by number: bits */
	uint64_t tickets;				/* of those who stood in a line so far */
	uint32_t lines_used;				/* somebody ever did */
	uint32_t terminals;				/* somebody used a terminal */
	uint32_t notified;				/* somebody ever was in the next table */
	struct notification notifications[NOTIFICATIONS];
	uint32_t keys_used;		     /* somebody ever made a call on keys */
	uint32_t tasks_end;		     /* slots from here on were never used */
	_Alignas(4096) uint32_t inode_count; /* entries used */
	uint32_t inode_changed;		     /* some entry has INODE_CHANGED */
	_Alignas(4096) uint32_t inode_places[INODE_PLACES];
	_Alignas(4096) struct inode inodes[INODES];
	_Alignas(4096) struct file_owner file_owners[FILE_OWNER_PLACES];
	_Alignas(4096) struct key_rings key_rings[TASKS];
	_Alignas(4096) struct key_store keys;
	_Alignas(4096) struct ahead ahead;
	_Alignas(4096) struct ahead_task ahead_tasks[TASKS];
	_Alignas(4096) struct ahead_object ahead_objects[INODES];
	_Alignas(4096) struct ahead_name ahead_names[AHEAD_NAMES];
	_Alignas(4096) struct ahead_directory ahead_directories[AHEAD_DIRECTORIES];
};

/* The memfd holds the struct, and behind it, page-aligned, TASKS rings, then records of
 * what to undo, and what was looked at (sparse). */
#define ARENA_BYTES		 ((sizeof(struct arena) + 4095) & ~4095ull)
#define ARENA_RING_OFFSET(index) (ARENA_BYTES + (uint64_t)(index)*RING_BYTES)
#define ARENA_UNDO_OFFSET	 ARENA_RING_OFFSET(TASKS)
#define ARENA_LOOKS_OFFSET	 (ARENA_UNDO_OFFSET + UNDO_BYTES)
#define ARENA_FILE_BYTES	 (ARENA_LOOKS_OFFSET + LOOKS_BYTES)

#endif
