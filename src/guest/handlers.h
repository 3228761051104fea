/* Every handler that syscalls.def names; each lives in the file of its family. */
#ifndef STET_GUEST_HANDLERS_H
#define STET_GUEST_HANDLERS_H

#include "guest/dispatch.h"

/* memory: map.c */
call_handler handle_mmap, handle_munmap, handle_mremap, handle_brk;
/* System V objects: shared_memory.c, ipc.c, semaphores.c, messages.c */
call_handler handle_shmat, handle_shmdt, handle_shmctl, handle_semctl, handle_msgctl, handle_semop,
	handle_semtimedop, handle_msgsnd, handle_msgrcv;
/* POSIX queues: message_queues.c; locks of files: locks.c */
call_handler handle_mq_timed, handle_mq_notify, handle_flock;
/* keys: keys_calls.c */
call_handler handle_add_key, handle_request_key, handle_keyctl;
/* signals: sigcalls.c */
call_handler handle_rt_sigaction, handle_rt_sigprocmask, handle_rt_sigreturn, handle_sigaltstack,
	handle_rt_sigpending;
/* time: time.c, usage.c */
call_handler handle_clock_gettime, handle_clock_getres, handle_clock_settime, handle_gettimeofday,
	handle_settimeofday, handle_time, handle_times, handle_adjtimex, handle_clock_adjtime,
	handle_getrusage, handle_wait4, handle_waitid;
/* waiting: sleep.c, polling.c, limits.c */
call_handler handle_nanosleep, handle_clock_nanosleep, handle_pause, handle_rt_sigsuspend,
	handle_rt_sigtimedwait, handle_poll, handle_ppoll, handle_select, handle_pselect6,
	handle_epoll_wait, handle_epoll_pwait, handle_epoll_ctl, handle_io_getevents;
/* threads: futex.c, order.c */
call_handler handle_futex, handle_set_tid_address, handle_set_robust_list, handle_sched_yield;
/* timers: timers.c, posix_timers.c, timerfd.c */
call_handler handle_alarm, handle_getitimer, handle_setitimer, handle_timer_create,
	handle_timer_settime, handle_timer_gettime, handle_timer_getoverrun, handle_timer_delete,
	handle_timerfd_create, handle_timerfd_settime, handle_timerfd_gettime;
/* sent signals: posts.c */
call_handler handle_kill, handle_tkill, handle_tgkill, handle_rt_sigqueueinfo,
	handle_rt_tgsigqueueinfo, handle_pidfd_send_signal;
/* processes: clone.c, exec.c */
call_handler handle_clone, handle_clone3, handle_fork, handle_vfork, handle_exit, handle_exit_group,
	handle_execve, handle_execveat;
/* descriptors: descriptors.c */
call_handler handle_close, handle_close_range, handle_dup, handle_dup2, handle_dup3, handle_fcntl;
/* directories: dirents.c */
call_handler handle_getdents, handle_getdents64, handle_lseek;
/* output: output.c */
call_handler handle_tee;
/* names: names.c, open.c, links.c */
call_handler handle_chdir, handle_fchdir, handle_name, handle_name_at, handle_readlink,
	handle_readlinkat, handle_open, handle_openat, handle_openat2, handle_creat, handle_mkdir,
	handle_mkdirat, handle_symlink, handle_symlinkat, handle_bind_name, handle_link,
	handle_linkat, handle_chroot, handle_unlink, handle_rmdir, handle_unlinkat, handle_rename,
	handle_renameat, handle_renameat2;
/* files: stat.c, metadata.c, mapped.c */
call_handler handle_stat, handle_lstat, handle_fstat, handle_newfstatat, handle_statx, handle_chmod,
	handle_fchmod, handle_fchmodat, handle_truncate, handle_chown, handle_lchown, handle_fchown,
	handle_fchownat, handle_utimensat, handle_futimesat, handle_utimes, handle_utime,
	handle_ftruncate, handle_map_file, handle_unmap_file, handle_sync_file;
/* reads and writes by kind of file: rw.c */
call_handler handle_read, handle_readv, handle_write, handle_sendfile, handle_splice;
/* randomness: random.c */
call_handler handle_getrandom;
/* how files are stored: statfs.c, storage.c, attributes.c */
call_handler handle_statfs, handle_fstatfs, handle_fallocate, handle_copy_file_range,
	handle_name_to_handle_at, handle_mincore, handle_getxattr, handle_setxattr,
	handle_lsetxattr, handle_fsetxattr, handle_listxattr;
/* sockets: sockets.c, socket_options.c, socket_times.c; devices: ioctl.c */
call_handler handle_socket, handle_socketpair, handle_bind, handle_connect, handle_listen,
	handle_send, handle_shutdown, handle_getsockopt, handle_setsockopt, handle_recvmsg,
	handle_recvmmsg, handle_ioctl;
/* the process itself: self.c */
call_handler handle_arch_prctl, handle_prctl, handle_seccomp, handle_unshare, handle_io_setup;
/* the machine: machine.c, resources.c, priorities.c */
call_handler handle_uname, handle_sysinfo, handle_getcpu, handle_sched_getaffinity,
	handle_sched_setaffinity, handle_personality, handle_memory_nodes, handle_membarrier;
call_handler handle_prlimit64, handle_setrlimit, handle_getrlimit;
call_handler handle_getpriority, handle_setpriority, handle_ioprio_get, handle_ioprio_set,
	handle_sched_getscheduler, handle_sched_setscheduler, handle_sched_getparam,
	handle_sched_setparam, handle_sched_rr_get_interval, handle_sched_getattr,
	handle_sched_setattr;
/* tracers: tracing.c */
call_handler handle_ptrace;
/* who a task is: identity.c */
call_handler handle_getpid, handle_gettid, handle_getppid, handle_getgroups, handle_setgroups;

#endif
