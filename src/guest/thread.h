/*
 * What the guest keeps for each thread, found through the GS base: the program's registers while
 * the guest runs, its virtual signal state, and the guest's own stacks. Nobody but the thread
 * itself touches its area, apart from the parent that prepares it.
 */
#ifndef STET_GUEST_THREAD_H
#define STET_GUEST_THREAD_H

#include <stdbool.h>

#include "arena/layout.h"
#include "code/format.h"
#include "guest/kernel.h"
#include "guest/offsets.h"

struct regs {
	uint64_t rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp;
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t rip, rflags;
};

/* Where to go on when touching the program's memory faults; filled by fault_arm. */
struct fault_frame {
	uint64_t rbx, rbp, r12, r13, r14, r15, rsp, rip;
};

enum file_kind {
	FILE_UNKNOWN = 0, /* not looked at yet, or not a descriptor */
	FILE_REGULAR,	  /* a regular file of the image, a mount or the private layer */
	FILE_DIRECTORY,
	FILE_STREAM, /* a pipe, FIFO, socket or terminal: what is there depends on others */
	FILE_PROC,   /* a regular file of /proc: proc.h */
	FILE_PYC,    /* a regular file that records another's time (pyc.h) */
	FILE_RANDOM, /* /dev/random and /dev/urandom */
	FILE_INOTIFY,
	FILE_EVENT, /* an eventfd, signalfd or the like: nameless, and read when it is ready */
	FILE_PIDFD, /* `inode` is the process's number */
	FILE_TERMINAL,
	FILE_TIMER, /* a timerfd (timerfd.c); `inode` is its place in the arena's table + 1 */
	FILE_STILL, /* /dev/null, /dev/zero and /dev/full: nobody can tell who uses them when */
	FILE_OTHER, /* devices and all else */
};

enum pipe_kind {
	PIPE_NOT = 0,
	PIPE_NEW,    /* a pipe or FIFO that was not used yet */
	PIPE_NOWAIT, /* for all that is known one that knows RWF_NOWAIT */
	PIPE_PLAIN,  /* one that does not */
};

/* Sockets by how they are waited for. */
enum socket_kind {
	SOCKET_NONE = 0,
	SOCKET_NEW, /* not looked at yet */
	SOCKET_TCP,
	SOCKET_INET, /* others that go over the loopback interface: UDP, raw */
	SOCKET_UNIX_STREAM,
	SOCKET_UNIX_PACKET,
	SOCKET_OTHER,
};

struct file {
	uint8_t kind;	/* enum file_kind */
	bool outside;	/* a stream of which nobody in the container has the other end */
	uint8_t output; /* 1: the container's standard output, 2: its standard error, 0: neither */
	uint8_t pipe;	/* enum pipe_kind, of streams */
	bool settled;	/* of sockets: needs no name any more (sockets.c) */
	uint8_t socket; /* enum socket_kind */
	uint8_t side;	/* of TCP sockets: which end of its connection it is (connections.h) */
	uint16_t pad;
	uint32_t inode; /* of regular files and directories: index in the arena's table + 1, or 0;
			   of TCP sockets likewise, of connections; of pipes the kernel's
			   number, or 0 when that is larger */
	uint32_t tag;	/* of TCP sockets: part of the connection's key; of other streams: a
			   number for stream_mask */
	uint32_t buffers
		[2];	 /* of TCP sockets: what the program set SO_SNDBUF and SO_RCVBUF to, or 0 */
	uint32_t opened; /* by this program, and after so many births: files.h */
	uint32_t blocks; /* calls on it did, after so many changes of flags: nonblocking.h */
};

/* What the call at hand has to do with files, as others that run ahead must know (ahead.h). */
enum ahead_mode {
	AHEAD_OFF = 0, /* nobody runs ahead, or the call is no event */
	AHEAD_NOT,     /* the call is made in turn */
	AHEAD_NOW,     /* it is made ahead of it */
};
struct ahead_record {
	uint32_t kind, index;
	uint64_t tag;
};
#define AHEAD_RECORDS 16
struct ahead_call {
	uint64_t place;
	uint8_t mode;	   /* enum ahead_mode */
	uint8_t records;   /* used */
	bool late;	   /* something was recorded only after it was looked at */
	bool changes;	   /* something is changed, so that the call cannot be made again */
	bool wild;	   /* what is looked at or changed is not known, or can be all */
	bool odd;	   /* it must be made in turn: what is found there is no ordinary file */
	uint32_t expected; /* of an open: the file that it is about, 0: none yet */
	int moved_in;	   /* of a directory that moved: its new name, or 0 */
	uint64_t moved;
	struct ahead_record record[AHEAD_RECORDS];
};

/* A task's random stream (random.c), and whose it is: a fork copies it to another task. */
struct random {
	bool ready;
	uint8_t left; /* unused bytes at the end of block */
	uint32_t execs;
	uint64_t place;
	uint64_t taken;	 /* blocks; in a replay or record, bytes */
	uint64_t offset; /* in a replay: of the task's bytes in the file, and how many there are */
	uint64_t bytes;
	uint32_t key[8];
	uint8_t start[16]; /* for AT_RANDOM */
	uint8_t block[64];
};

/* The program's signal actions; shared by tasks made with CLONE_SIGHAND. */
struct actions {
	uint32_t lock;
	uint32_t users;
	uint32_t *busy; /* its place in the pool, NULL for the first one */
	sigmask_t
		known; /* of these the action is in the table; the others are as the kernel says */
	struct kernel_sigaction action[SIGNALS + 1];
};

/* What another thread says of a signal that it sent, when the kernel would not let it. */
struct gift {
	int32_t signo, code, pid, uid;
	uint64_t value; /* or the status of a child */
};
#define GIFTS	 8
#define LETTERS	 32

#define ROUSINGS 16

/* What it moved through pipes lately (near.h). */
struct near {
	uint64_t moved; /* bytes */
	uint64_t since; /* real time, in ns */
	uint32_t waits; /* and how often it waited */
};

/* What stubs that compute an approximation exactly keep and read (code/format.h). */
struct exact {
	_Alignas(32) uint8_t kept[32];
	uint8_t operand[32];
	uint32_t ones[8];
	uint32_t mxcsr, mxcsr_kept;
	uint32_t integer;
};

struct thread {
	uint64_t enter_syscall, enter_insn, insn_rcx, back;
	const uint8_t *pass; /* 65536 entries: calls that go straight to the kernel */
	struct thread *self;
	uint64_t stack;	  /* top of the guest's stack */
	uint32_t pending; /* pending_info waits to be delivered; all signals are blocked */
	uint32_t pad;
	struct regs regs; /* the program's, while the guest runs */
	struct fault_frame *fault;
	uint64_t *clock;     /* the process's, in the arena */
	uint64_t step;	     /* how far a look moves it */
	int64_t zero_sec[2]; /* what CLOCK_REALTIME and CLOCK_MONOTONIC show at its start */
	int64_t zero_nsec[2];
	struct exact exact;

	struct kernel_ucontext *trap;	   /* the frame, when the guest was entered by the trap */
	struct kernel_ucontext *sigreturn; /* the program's frame that it wants to return through */
	struct kernel_siginfo pending_info;
	sigmask_t mask;	     /* the program's */
	sigmask_t temporary; /* the program's, during sigsuspend and its like */
	bool has_temporary;
	bool refused;		      /* the call at hand was refused by Stet */
	struct kernel_stack altstack; /* the program's */
	/* Signals that the guest must not block but the program does: GUEST_SIGNALS. */
	struct kernel_siginfo held_info[4];
	sigmask_t held;
	struct actions *actions;
	uint32_t *busy;	     /* this area's place in the pool, NULL for the first thread's */
	uint32_t task;	     /* index in the arena */
	uint32_t generation; /* of that slot, when it was its own */
	bool clear_actions;  /* CLONE_CLEAR_SIGHAND: reset handlers at the start */
	bool parents;	     /* a vfork's child: the parent frees the area */
	bool alone;	     /* shares our memory, but is a process of its own */
	bool other_files;    /* shares our memory, but not our descriptors */
	bool shares_files;   /* its descriptors are another process's, too */
	bool holds_glances;  /* glances.h */
	uint32_t looks;	     /* at the time stamp counter since its last event in turn */
	struct file file;    /* of the descriptor looked at last, when it is not remembered */
	struct ahead_call ahead;
	long (*undone)(struct thread *self);   /* the handler of a call that undo.h is about */
	long (*recorded)(struct thread *self); /* ... and recorder.h */
	uint64_t
		posts_due; /* logical time at which the next call looks for signals at the latest */
	bool fpu_valid;
	uint32_t fpu_words[2]; /* mxcsr, x87 control word */
	struct random random;
	struct ring *ring;
	void *exec_memory; /* arguments of an exec that is under way */
	uint64_t exec_bytes;
	const sigmask_t *wait_mask;    /* the program's mask in the wait that it is in, or NULL */
	uint64_t clear_tid;	       /* set to 0 for who waits for the thread's end, or 0 */
	uint64_t robust, robust_bytes; /* the list of locks to be given up at the end */
	struct gift gifts[GIFTS];
	struct gift letter[LETTERS]; /* signals from other threads, to be sent to itself */
	uint32_t letters;
	uint32_t rouse[ROUSINGS]; /* tasks to be told of what is changed in the race */
	uint32_t rousings;
	struct near near;
};
_Static_assert(offsetof(struct thread, enter_syscall) == THREAD_ENTER_SYSCALL, "offset");
_Static_assert(offsetof(struct thread, enter_insn) == THREAD_ENTER_INSN, "offset");
_Static_assert(offsetof(struct thread, insn_rcx) == THREAD_INSN_RCX, "offset");
_Static_assert(offsetof(struct thread, back) == THREAD_BACK, "offset");
_Static_assert(offsetof(struct thread, pass) == THREAD_PASS, "offset");
_Static_assert(offsetof(struct thread, self) == THREAD_SELF, "offset");
_Static_assert(offsetof(struct thread, stack) == THREAD_STACK, "offset");
_Static_assert(offsetof(struct thread, pending) == THREAD_PENDING, "offset");
_Static_assert(offsetof(struct thread, regs) == THREAD_REGS, "offset");
_Static_assert(offsetof(struct thread, fault) == THREAD_FAULT, "offset");
_Static_assert(offsetof(struct thread, clock) == THREAD_CLOCK, "offset");
_Static_assert(offsetof(struct thread, step) == THREAD_STEP, "offset");
_Static_assert(offsetof(struct thread, zero_sec) == THREAD_ZERO_SEC, "offset");
_Static_assert(offsetof(struct thread, zero_nsec) == THREAD_ZERO_NSEC, "offset");
_Static_assert(offsetof(struct thread, exact.kept) == GS_EXACT_KEPT, "offset");
_Static_assert(offsetof(struct thread, exact.operand) == GS_EXACT_OPERAND, "offset");
_Static_assert(offsetof(struct thread, exact.ones) == GS_EXACT_ONES, "offset");
_Static_assert(offsetof(struct thread, exact.mxcsr) == GS_EXACT_MXCSR, "offset");
_Static_assert(offsetof(struct thread, exact.mxcsr_kept) == GS_EXACT_MXCSR_KEPT, "offset");
_Static_assert(offsetof(struct thread, exact.integer) == GS_EXACT_INTEGER, "offset");
_Static_assert(
	offsetof(struct regs, rip) == REGS_RIP && offsetof(struct regs, rflags) == REGS_RFLAGS,
	"offset");

/* A thread's memory: the area, the stack for calls, the stack for signals, from low to high. The
 * largest signal frame known (AVX-512 and AMX) has 11 KiB, and three can be nested. */
#define THREAD_AREA_BYTES   4096ul
#define THREAD_STACK_BYTES  (28 * 1024ul)
#define THREAD_SIGNAL_BYTES (64 * 1024ul)
#define THREAD_BYTES	    (THREAD_AREA_BYTES + THREAD_STACK_BYTES + THREAD_SIGNAL_BYTES)
_Static_assert(sizeof(struct thread) <= THREAD_AREA_BYTES, "the area is one page");

static inline struct thread *thread_self(void)
{
	struct thread *self;

	__asm__("movq %%gs:%c1, %0" : "=r"(self) : "i"(THREAD_SELF));
	return self;
}

/* The first thread of the process: its memory is part of the guest's image. */
struct thread *thread_first(void);
/* Memory for a further thread, or NULL. Freed by thread_free or by the thread itself when it
 * ends. */
struct thread *thread_allocate(void);
void thread_free(struct thread *thread);
/* Its memory is shared: calls that concern nobody else take time as well, and others may have to go
 * on meanwhile. */
void thread_pass_nothing(struct thread *thread);
/* After a fork: every area but the caller's is free. */
void thread_forget_others(struct thread *self);
/* The stack for the guest's own handlers, as the kernel is told. */
struct kernel_stack thread_signal_stack(const struct thread *thread);
/* The calling thread uses this area from now on: GS base and the kernel's signal stack. */
void thread_use(struct thread *thread);
/* Ends the calling thread and gives its area back. */
_Noreturn void thread_end(struct thread *self, int status);

#endif
