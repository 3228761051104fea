/*
 * The kernel's interface as the guest sees it: structures of the x86-64 ABI that libc headers hide
 * or rename. Facts of the ABI only.
 */
#ifndef STET_GUEST_KERNEL_H
#define STET_GUEST_KERNEL_H

#include <asm/unistd.h>
#include <linux/errno.h>
#include <stddef.h>
#include <stdint.h>

#define AT_FDCWD	    (-100)
#define AT_SYMLINK_NOFOLLOW 0x100
#define AT_EMPTY_PATH	    0x1000
#define AT_REMOVEDIR	    0x200
#define AT_SYMLINK_FOLLOW   0x400
#define O_RDONLY	    0
#define O_ACCMODE	    03
#define O_WRONLY	    01
#define O_CREAT		    0100
#define O_EXCL		    0200
#define O_TRUNC		    01000
#define O_NONBLOCK	    04000
#define O_DIRECT	    040000
#define O_DIRECTORY	    0200000
#define O_NOFOLLOW	    0400000
#define O_CLOEXEC	    02000000
#define O_PATH		    010000000
#define O_TMPFILE	    (020000000 | O_DIRECTORY)

#define F_DUPFD		    0
#define F_SETFD		    2
#define F_GETFL		    3
#define F_SETFL		    4
#define F_GETLK		    5
#define F_SETLKW	    7
#define F_OFD_GETLK	    36
#define F_OFD_SETLKW	    38
#define F_SETPIPE_SZ	    1031
#define F_GETPIPE_SZ	    1032
#define F_DUPFD_CLOEXEC	    1030
#define SEEK_SET	    0
#define SEEK_CUR	    1
#define SEEK_END	    2
#define SEEK_DATA	    3
#define SEEK_HOLE	    4
#define FIONREAD	    0x541b
#define TCGETS		    0x5401
#define FIONBIO		    0x5421
#define PATH_MAX	    4096ul

#define S_ISVTX		    01000
#define S_ISGID		    02000
#define S_IFMT		    0170000
#define S_IFIFO		    0010000
#define S_IFCHR		    0020000
#define S_IFDIR		    0040000
#define S_IFREG		    0100000
#define S_IFLNK		    0120000
#define S_IFSOCK	    0140000

#define PROT_READ	    1
#define PROT_WRITE	    2
#define PROT_EXEC	    4
#define PROT_GROWSDOWN	    0x01000000
#define MAP_SHARED	    1
#define MAP_PRIVATE	    2
#define MAP_TYPE	    0x0f
#define MAP_FIXED	    0x10
#define MAP_ANONYMOUS	    0x20
#define MAP_32BIT	    0x40
#define MAP_GROWSDOWN	    0x100
#define MAP_HUGETLB	    0x40000
#define MAP_FIXED_NOREPLACE 0x100000
#define MAP_SHARED_VALIDATE 3
#define MREMAP_MAYMOVE	    1
#define MREMAP_FIXED	    2
#define MREMAP_DONTUNMAP    4
#define ADDR_NO_RANDOMIZE   0x40000

#define PAGE		    4096ul
#define PAGE_DOWN(x)	    ((x) & ~(PAGE - 1))
#define PAGE_UP(x)	    (((x) + PAGE - 1) & ~(PAGE - 1))

typedef uint64_t sigmask_t;
#define SIGNALS	     64
#define SIG_BIT(sig) (1ull << ((sig)-1))
#define SIGILL	     4
#define SIGTRAP	     5
#define SIGBUS	     7
#define SIGFPE	     8
#define SIGKILL	     9
#define SIGSEGV	     11
#define SIGCHLD	     17
#define SIGCONT	     18
#define SIGSTOP	     19
#define SIGWINCH     28
#define SIGSYS	     31

#define SIG_DFL	     0ul
#define SIG_IGN	     1ul
#define SA_NOCLDSTOP 1ul
#define SA_NOCLDWAIT 2ul
#define SA_SIGINFO   4ul
#define SA_RESTORER  0x04000000ul
#define SA_ONSTACK   0x08000000ul
#define SA_RESTART   0x10000000ul
#define SA_NODEFER   0x40000000ul
#define SA_RESETHAND 0x80000000ul
/* Flags that the kernel keeps; SA_EXPOSE_TAGBITS among them. */
#define SA_KNOWN                                                                                   \
	(SA_NOCLDSTOP | SA_NOCLDWAIT | SA_SIGINFO | SA_RESTORER | SA_ONSTACK | SA_RESTART |        \
		SA_NODEFER | SA_RESETHAND | 0x800ul)
#define SIG_BLOCK     0
#define SIG_UNBLOCK   1
#define SIG_SETMASK   2
#define SS_ONSTACK    1
#define SS_DISABLE    2
#define SS_AUTODISARM (1u << 31)
#define MINSIGSTKSZ   2048
#define SI_USER	      0
#define SI_TKILL      (-6)
#define SI_KERNEL     0x80
#define SYS_SECCOMP   1

struct kernel_sigaction {
	uint64_t handler, flags, restorer;
	sigmask_t mask;
};

/* Codes of SIGCHLD: how a child ended. */
#define CLD_EXITED 1
#define CLD_DUMPED 3

struct kernel_siginfo {
	int32_t signo, error, code;
	int32_t mark; /* padding, which the kernel carries along */
	union {
		struct {
			int32_t pid, uid;
			uint64_t value;
		} sender;
		struct {
			uint64_t address;
		} fault;
		struct {
			uint64_t address;
			int32_t number;
			uint32_t arch;
		} call;
		struct {
			int32_t pid, uid, status, pad;
			int64_t times[2];
		} child;
		uint8_t rest[112];
	};
};
_Static_assert(sizeof(struct kernel_siginfo) == 128, "siginfo_t");

struct kernel_stack {
	uint64_t base;
	int32_t flags, pad;
	uint64_t size;
};

struct kernel_sigcontext {
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip, rflags;
	uint16_t cs, gs, fs, ss;
	uint64_t error, trap, oldmask, cr2;
	uint64_t fpstate;
	uint64_t reserved[8];
};

#define FLAG_DF 0x400ull /* of rflags: handlers expect it to be clear */

struct kernel_ucontext {
	uint64_t flags, link;
	struct kernel_stack stack;
	struct kernel_sigcontext context;
	sigmask_t mask;
};

/* What the kernel puts on a stack for a handler with SA_SIGINFO. */
struct kernel_frame {
	uint64_t restorer;
	struct kernel_ucontext uc;
	struct kernel_siginfo info;
};
_Static_assert(
	sizeof(struct kernel_ucontext) == 304 && sizeof(struct kernel_frame) == 440, "frame");

/* The software-reserved part of the FXSAVE image, where the kernel says how large the frame is. */
#define FPSTATE_SOFTWARE 464
#define FPSTATE_LEGACY	 512
#define FP_XSTATE_MAGIC1 0x46505853u
struct kernel_fpstate_software {
	uint32_t magic, extended_size;
	uint64_t features;
	uint32_t xstate_size;
};

#define CLONE_VM	     0x100ul
#define CLONE_SIGHAND	     0x800ul
#define CLONE_FILES	     0x400ul
#define CLONE_PIDFD	     0x1000ul
#define CLONE_VFORK	     0x4000ul
#define CLONE_THREAD	     0x10000ul
#define CLONE_PARENT_SETTID  0x100000ul
#define CLONE_CHILD_CLEARTID 0x00200000ul
#define CLONE_CLEAR_SIGHAND  0x100000000ul
#define CLONE_INTO_CGROUP    0x200000000ul
/* NEWTIME NEWNS NEWCGROUP NEWUTS NEWIPC NEWUSER NEWPID NEWNET; NEWTIME is in the exit signal's
 * byte. */
#define CLONE_NAMESPACES 0x7e020000ul
#define CLONE_NEWTIME	 0x80ul

struct kernel_clone_args {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid,
		set_tid_size, cgroup;
};
#define CLONE_ARGS_SIZE_VER0 64

struct kernel_stat {
	uint64_t dev, ino, nlink;
	uint32_t mode, uid, gid, pad;
	uint64_t rdev;
	int64_t size, blksize, blocks;
	int64_t atime, atime_nsec, mtime, mtime_nsec, ctime, ctime_nsec;
	int64_t unused[3];
};
_Static_assert(sizeof(struct kernel_stat) == 144, "struct stat");

#define ARCH_SET_GS		       0x1001
#define ARCH_GET_FS		       0x1003
#define ARCH_GET_GS		       0x1004
#define ARCH_GET_CPUID		       0x1011
#define ARCH_SET_CPUID		       0x1012
#define PR_GET_DUMPABLE		       3
#define PR_SET_DUMPABLE		       4
#define PR_SET_NAME		       15
#define PR_GET_NAME		       16
#define PR_GET_SECCOMP		       21
#define PR_SET_SECCOMP		       22
#define PR_GET_TSC		       25
#define PR_SET_TSC		       26
#define PR_TSC_ENABLE		       1
#define PR_TSC_SIGSEGV		       2
#define PR_MCE_KILL		       33
#define PR_MCE_KILL_GET		       34
#define PR_MCE_KILL_DEFAULT	       2
#define PR_SET_MM		       35
#define PR_SET_NO_NEW_PRIVS	       38
#define PR_SET_CHILD_SUBREAPER	       36
#define PR_GET_NO_NEW_PRIVS	       39
#define PR_GET_TID_ADDRESS	       40
#define PR_GET_SPECULATION_CTRL	       52
#define PR_SET_SPECULATION_CTRL	       53
#define PR_SET_IO_FLUSHER	       57
#define PR_GET_IO_FLUSHER	       58
#define PR_SET_PTRACER		       0x59616d61
#define PR_SET_SYSCALL_USER_DISPATCH   59
#define SECCOMP_SET_MODE_FILTER	       1
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW 4
#define AUDIT_ARCH_X86_64	       0xc000003eu

#define POLLIN			       1
#define POLLOUT			       4
struct kernel_poll {
	int32_t fd;
	int16_t events, found;
};

#define TIMER_ABSTIME 1
#define SOL_IP	      0
#define SOL_SOCKET    1
#define SOL_TCP	      6
#define IPC_STAT      2

#define FUTEX_WAIT    0
#define FUTEX_WAKE    1

enum {
	RLIMIT_CPU,
	RLIMIT_FSIZE,
	RLIMIT_DATA,
	RLIMIT_STACK,
	RLIMIT_CORE,
	RLIMIT_RSS,
	RLIMIT_NPROC,
	RLIMIT_NOFILE,
	RLIMIT_MEMLOCK,
	RLIMIT_AS,
	RLIMIT_LOCKS,
	RLIMIT_SIGPENDING,
	RLIMIT_MSGQUEUE,
	RLIMIT_NICE,
	RLIMIT_RTPRIO,
	RLIMIT_RTTIME,
};
#define RLIM_INFINITY (~0ull)

#endif
