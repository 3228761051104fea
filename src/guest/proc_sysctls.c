/* /proc/sys: the values of the one machine. Those that are not here do not exist, among them all
 * that only some kernels have or only root may read. */
#include "guest/keys.h"
#include "guest/proc_file.h"
#include "guest/random.h"

static void write_release(struct proc_file *file)
{
	view_print(&file->view, "%s\n", machine()->kernel);
}

static void write_hostname(struct proc_file *file)
{
	view_print(&file->view, "%s\n", machine()->hostname);
}

static void write_domain(struct proc_file *file)
{
	view_print(&file->view, "%s\n", machine()->domain);
}

static void write_uuid(struct proc_file *file)
{
	char text[37];

	if (random_native()) {
		proc_copy(file);
		return;
	}
	/* A read at the end, which readers make to see that it is one, takes nothing from the
	 * stream. */
	if (file->view.from >= sizeof(text))
		return;
	random_uuid(file->self, text);
	view_print(&file->view, "%s\n", text);
}

static void write_boot_id(struct proc_file *file)
{
	char text[37];

	if (random_native()) {
		proc_copy(file);
		return;
	}
	random_boot_id(text);
	view_print(&file->view, "%s\n", text);
}

/* As the kernel computes them from the memory that there is. */
static void write_threads_max(struct proc_file *file)
{
	view_print(&file->view, "%lu\n", machine()->memory / (16384 * 8));
}

static void write_file_max(struct proc_file *file)
{
	view_print(&file->view, "%lu\n", machine()->memory / 10240);
}

static void write_file_nr(struct proc_file *file)
{
	view_print(&file->view, "64\t0\t%lu\n", machine()->memory / 10240);
}

static void write_max_watches(struct proc_file *file)
{
	view_print(&file->view, "%lu\n", machine()->memory / 25 / 180);
}

static void write_max_inotify(struct proc_file *file)
{
	view_print(&file->view, "%lu\n", machine()->memory / 100 / 1280);
}

#define DECIMAL_TEXT(number) #number "\n"
#define DECIMAL(number)	     DECIMAL_TEXT(number)

const struct proc_entry proc_sysctls[] = {
	TEXT("fs/aio-max-nr", "65536\n"),
	TEXT("fs/aio-nr", "0\n"),
	TEXT("fs/dentry-state", "1024\t512\t45\t0\t256\t0\n"),
	TEXT("fs/dir-notify-enable", "1\n"),
	WRITTEN("fs/epoll/max_user_watches", write_max_watches),
	WRITTEN("fs/file-max", write_file_max),
	WRITTEN("fs/file-nr", write_file_nr),
	TEXT("fs/inode-nr", "1024\t0\n"),
	TEXT("fs/inode-state", "1024\t0\t0\t0\t0\t0\t0\n"),
	TEXT("fs/inotify/max_queued_events", "16384\n"),
	TEXT("fs/inotify/max_user_instances", "128\n"),
	WRITTEN("fs/inotify/max_user_watches", write_max_inotify),
	TEXT("fs/lease-break-time", "45\n"),
	TEXT("fs/leases-enable", "1\n"),
	TEXT("fs/mount-max", "100000\n"),
	TEXT("fs/mqueue/msg_default", "10\n"),
	TEXT("fs/mqueue/msg_max", "10\n"),
	TEXT("fs/mqueue/msgsize_default", "8192\n"),
	TEXT("fs/mqueue/msgsize_max", "8192\n"),
	TEXT("fs/mqueue/queues_max", "256\n"),
	TEXT("fs/nr_open", "1048576\n"),
	TEXT("fs/overflowgid", "65534\n"),
	TEXT("fs/overflowuid", "65534\n"),
	TEXT("fs/pipe-max-size", "1048576\n"),
	TEXT("fs/pipe-user-pages-hard", "0\n"),
	TEXT("fs/pipe-user-pages-soft", "16384\n"),
	TEXT("fs/suid_dumpable", "0\n"),

	TEXT("kernel/auto_msgmni", "0\n"),
	TEXT("kernel/cap_last_cap", "40\n"),
	TEXT("kernel/core_pattern", "core\n"),
	TEXT("kernel/core_pipe_limit", "0\n"),
	TEXT("kernel/core_uses_pid", "0\n"),
	TEXT("kernel/ctrl-alt-del", "0\n"),
	TEXT("kernel/dmesg_restrict", "1\n"),
	WRITTEN("kernel/domainname", write_domain),
	WRITTEN("kernel/hostname", write_hostname),
	TEXT("kernel/keys/gc_delay", DECIMAL(KEY_GC_DELAY)),
	TEXT("kernel/keys/maxbytes", DECIMAL(KEY_MAX_BYTES)),
	TEXT("kernel/keys/maxkeys", DECIMAL(KEY_MAX_KEYS)),
	TEXT("kernel/keys/persistent_keyring_expiry", DECIMAL(KEY_PERSISTENT_LIFE)),
	TEXT("kernel/keys/root_maxbytes", DECIMAL(KEY_ROOT_MAX_BYTES)),
	TEXT("kernel/keys/root_maxkeys", DECIMAL(KEY_ROOT_MAX_KEYS)),
	TEXT("kernel/kptr_restrict", "1\n"),
	TEXT("kernel/msgmax", "8192\n"),
	TEXT("kernel/msgmnb", "16384\n"),
	TEXT("kernel/msgmni", "32000\n"),
	TEXT("kernel/ngroups_max", "65536\n"),
	WRITTEN("kernel/osrelease", write_release),
	TEXT("kernel/ostype", "Linux\n"),
	TEXT("kernel/overflowgid", "65534\n"),
	TEXT("kernel/overflowuid", "65534\n"),
	TEXT("kernel/panic", "0\n"),
	TEXT("kernel/panic_on_oops", "0\n"),
	TEXT("kernel/panic_on_warn", "0\n"),
	TEXT("kernel/perf_event_max_sample_rate", "100000\n"),
	TEXT("kernel/perf_event_mlock_kb", "516\n"),
	TEXT("kernel/perf_event_paranoid", "2\n"),
	TEXT("kernel/pid_max", "32768\n"),
	TEXT("kernel/print-fatal-signals", "0\n"),
	TEXT("kernel/printk", "4\t4\t1\t7\n"),
	TEXT("kernel/printk_ratelimit", "5\n"),
	TEXT("kernel/printk_ratelimit_burst", "10\n"),
	TEXT("kernel/pty/max", "4096\n"),
	TEXT("kernel/pty/nr", "0\n"),
	TEXT("kernel/pty/reserve", "1024\n"),
	WRITTEN("kernel/random/boot_id", write_boot_id),
	TEXT("kernel/random/entropy_avail", "256\n"),
	TEXT("kernel/random/poolsize", "256\n"),
	TEXT("kernel/random/urandom_min_reseed_secs", "60\n"),
	WRITTEN("kernel/random/uuid", write_uuid),
	TEXT("kernel/random/write_wakeup_threshold", "256\n"),
	TEXT("kernel/randomize_va_space", "0\n"),
	TEXT("kernel/sched_rr_timeslice_ms", "100\n"),
	TEXT("kernel/sched_rt_period_us", "1000000\n"),
	TEXT("kernel/sched_rt_runtime_us", "950000\n"),
	TEXT("kernel/sem", "32000\t1024000000\t500\t32000\n"),
	TEXT("kernel/shm_rmid_forced", "0\n"),
	TEXT("kernel/shmall", "18446744073692774399\n"),
	TEXT("kernel/shmmax", "18446744073692774399\n"),
	TEXT("kernel/shmmni", "4096\n"),
	TEXT("kernel/sysctl_writes_strict", "1\n"),
	TEXT("kernel/tainted", "0\n"),
	WRITTEN("kernel/threads-max", write_threads_max),
	TEXT("kernel/version", "#1 SMP\n"),

	TEXT("net/core/somaxconn", "4096\n"),
	TEXT("net/ipv4/icmp_echo_ignore_all", "0\n"),
	TEXT("net/ipv4/ip_default_ttl", "64\n"),
	TEXT("net/ipv4/ip_forward", "0\n"),
	TEXT("net/ipv4/ip_local_port_range", "32768\t60999\n"),
	TEXT("net/ipv4/ip_local_reserved_ports", "\n"),
	TEXT("net/ipv4/ip_nonlocal_bind", "0\n"),
	TEXT("net/ipv4/ip_unprivileged_port_start", "1024\n"),
	TEXT("net/ipv4/ping_group_range", "1\t0\n"),
	TEXT("net/ipv4/tcp_ecn", "2\n"),
	TEXT("net/ipv4/tcp_fin_timeout", "60\n"),
	TEXT("net/ipv4/tcp_keepalive_intvl", "75\n"),
	TEXT("net/ipv4/tcp_keepalive_probes", "9\n"),
	TEXT("net/ipv4/tcp_keepalive_time", "7200\n"),
	TEXT("net/ipv4/tcp_max_syn_backlog", "128\n"),
	TEXT("net/ipv4/tcp_retries2", "15\n"),
	TEXT("net/ipv4/tcp_rmem", "4096\t131072\t6291456\n"),
	TEXT("net/ipv4/tcp_sack", "1\n"),
	TEXT("net/ipv4/tcp_syn_retries", "6\n"),
	TEXT("net/ipv4/tcp_timestamps", "1\n"),
	TEXT("net/ipv4/tcp_tw_reuse", "2\n"),
	TEXT("net/ipv4/tcp_window_scaling", "1\n"),
	TEXT("net/ipv4/tcp_wmem", "4096\t16384\t4194304\n"),
	TEXT("net/ipv6/bindv6only", "0\n"),
	TEXT("net/unix/max_dgram_qlen", "512\n"),

	TEXT("vm/dirty_background_bytes", "0\n"),
	TEXT("vm/dirty_background_ratio", "10\n"),
	TEXT("vm/dirty_bytes", "0\n"),
	TEXT("vm/dirty_expire_centisecs", "3000\n"),
	TEXT("vm/dirty_ratio", "20\n"),
	TEXT("vm/dirty_writeback_centisecs", "500\n"),
	TEXT("vm/laptop_mode", "0\n"),
	TEXT("vm/legacy_va_layout", "0\n"),
	TEXT("vm/max_map_count", "65530\n"),
	TEXT("vm/min_free_kbytes", "4096\n"),
	TEXT("vm/mmap_min_addr", "65536\n"),
	TEXT("vm/nr_hugepages", "0\n"),
	TEXT("vm/nr_overcommit_hugepages", "0\n"),
	TEXT("vm/oom_dump_tasks", "1\n"),
	TEXT("vm/oom_kill_allocating_task", "0\n"),
	TEXT("vm/overcommit_kbytes", "0\n"),
	TEXT("vm/overcommit_memory", "0\n"),
	TEXT("vm/overcommit_ratio", "50\n"),
	TEXT("vm/page-cluster", "3\n"),
	TEXT("vm/panic_on_oom", "0\n"),
	TEXT("vm/stat_interval", "1\n"),
	TEXT("vm/swappiness", "60\n"),
	TEXT("vm/user_reserve_kbytes", "131072\n"),
	TEXT("vm/vfs_cache_pressure", "100\n"),
	TEXT("vm/watermark_scale_factor", "10\n"),
	TEXT("vm/zone_reclaim_mode", "0\n"),
	{ 0 },
};
