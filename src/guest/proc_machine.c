/* Files of /proc about the machine as a whole: constants, the machine's description, logical
 * time. */
#include "guest/clock.h"
#include "guest/proc_file.h"

#define UP_AT_START (CLOCK_UP_AT_START / NSEC_PER_SEC) /* seconds */
#define TICKS	    100ull			       /* per second, USER_HZ */
#define KIB	    1024ull

/* Logical time since the machine's start, in ns. Only the first read of a text looks at the clock,
 * so that what the next ones go on with is the same text. */
static uint64_t uptime(struct proc_file *file)
{
	uint64_t now = file->view.from ? clock_now(file->self) : clock_look(file->self);

	return clock_uptime(now);
}

static void put_hundredths(struct view *view, uint64_t hundredths)
{
	view_print(view, "%lu.%02lu", hundredths / 100, hundredths % 100);
}

/* When time is the kernel's, so is what follows from it. */
static void write_uptime(struct proc_file *file)
{
	uint64_t up;

	if (process.relax & RELAX_TIME) {
		proc_copy(file);
		return;
	}
	up = uptime(file) / (NSEC_PER_SEC / 100);
	put_hundredths(&file->view, up);
	view_string(&file->view, " ");
	put_hundredths(&file->view, UP_AT_START * 100 * machine()->cpus);
	view_string(&file->view, "\n");
}

static void write_loadavg(struct proc_file *file)
{
	view_print(&file->view, "0.00 0.00 0.00 1/1 %d\n", (int)sys(__NR_getpid));
}

/* All time is idle: what one process has used is no business of the machine's, and the sum of all
 * would depend on who is asked. */
static void write_stat(struct proc_file *file)
{
	struct view *view = &file->view;
	uint64_t idle;

	if (process.relax & RELAX_TIME) {
		proc_copy(file);
		return;
	}
	idle = uptime(file) / (NSEC_PER_SEC / TICKS);
	view_print(view, "cpu  0 0 0 %lu 0 0 0 0 0 0\n", idle * machine()->cpus);
	for (uint32_t i = 0; i < machine()->cpus; i++)
		view_print(view, "cpu%u 0 0 0 %lu 0 0 0 0 0 0\n", i, idle);
	view_print(view, "intr 0\nctxt 0\nbtime %ld\nprocesses 1\nprocs_running 1\n",
		machine()->epoch - (int64_t)UP_AT_START);
	view_string(view, "procs_blocked 0\nsoftirq 0 0 0 0 0 0 0 0 0 0 0\n");
}

static void write_version(struct proc_file *file)
{
	view_print(&file->view,
		"Linux version %s (stet@stet) (gcc (GCC) 10.2.1, GNU ld (GNU Binutils) 2.35.2) "
		"#1 SMP\n",
		machine()->kernel);
}

/* What is in use is a quarter, most of it files that could go; as sysinfo says. */
static void write_meminfo(struct proc_file *file)
{
	const uint64_t total = machine()->memory / KIB, used = total / 4;
	const struct {
		const char *name;
		uint64_t kib;
	} lines[] = {
		{ "MemTotal:", total },
		{ "MemFree:", total - used },
		{ "MemAvailable:", total - used / 4 },
		{ "Buffers:", used / 16 },
		{ "Cached:", used / 2 },
		{ "SwapCached:", 0 },
		{ "Active:", used / 2 },
		{ "Inactive:", used / 4 },
		{ "Active(anon):", used / 4 },
		{ "Inactive(anon):", 0 },
		{ "Active(file):", used / 4 },
		{ "Inactive(file):", used / 4 },
		{ "Unevictable:", 0 },
		{ "Mlocked:", 0 },
		{ "SwapTotal:", 0 },
		{ "SwapFree:", 0 },
		{ "Dirty:", 0 },
		{ "Writeback:", 0 },
		{ "AnonPages:", used / 4 },
		{ "Mapped:", used / 8 },
		{ "Shmem:", 0 },
		{ "KReclaimable:", used / 16 },
		{ "Slab:", used / 8 },
		{ "SReclaimable:", used / 16 },
		{ "SUnreclaim:", used / 16 },
		{ "KernelStack:", 2048 },
		{ "PageTables:", 4096 },
		{ "NFS_Unstable:", 0 },
		{ "Bounce:", 0 },
		{ "WritebackTmp:", 0 },
		{ "CommitLimit:", total / 2 },
		{ "Committed_AS:", used / 4 },
		{ "VmallocTotal:", 34359738367 },
		{ "VmallocUsed:", 16384 },
		{ "VmallocChunk:", 0 },
		{ "Percpu:", 512ull * machine()->cpus },
		{ "AnonHugePages:", 0 },
		{ "ShmemHugePages:", 0 },
		{ "ShmemPmdMapped:", 0 },
		{ "FileHugePages:", 0 },
		{ "FilePmdMapped:", 0 },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		view_print(&file->view, "%-16s%8lu kB\n", lines[i].name, lines[i].kib);
	view_string(&file->view, "HugePages_Total:       0\nHugePages_Free:        0\n"
				 "HugePages_Rsvd:        0\nHugePages_Surp:        0\n"
				 "Hugepagesize:       2048 kB\nHugetlb:               0 kB\n");
	view_print(&file->view, "%-16s%8lu kB\n%-16s%8lu kB\n", "DirectMap4k:", total / 16,
		"DirectMap2M:", total - total / 16);
}

static void write_vmstat(struct proc_file *file)
{
	uint64_t pages = machine()->memory / PAGE, used = pages / 4;

	view_print(&file->view,
		"nr_free_pages %lu\nnr_inactive_anon 0\nnr_active_anon %lu\nnr_inactive_file %lu\n"
		"nr_active_file %lu\nnr_unevictable 0\nnr_slab_reclaimable %lu\n"
		"nr_slab_unreclaimable %lu\nnr_anon_pages %lu\nnr_mapped %lu\nnr_file_pages %lu\n",
		pages - used, used / 4, used / 4, used / 4, used / 16, used / 16, used / 4,
		used / 8, used / 2);
	view_string(&file->view,
		"nr_dirty 0\nnr_writeback 0\nnr_shmem 0\nnr_kernel_stack 2048\n"
		"nr_page_table_pages 1024\npgpgin 0\npgpgout 0\npswpin 0\npswpout 0\n"
		"pgalloc_normal 0\npgfree 0\npgactivate 0\npgdeactivate 0\npgfault 0\n"
		"pgmajfault 0\noom_kill 0\n");
}

static void write_zoneinfo(struct proc_file *file)
{
	uint64_t pages = machine()->memory / PAGE;

	view_print(&file->view,
		"Node 0, zone   Normal\n  pages free     %lu\n        min      1024\n"
		"        low      1280\n        high     1536\n        spanned  %lu\n"
		"        present  %lu\n        managed  %lu\n",
		pages - pages / 4, pages, pages, pages);
}

static void write_buddyinfo(struct proc_file *file)
{
	view_print(&file->view,
		"Node 0, zone   Normal      0      0      0      0      0      0      0      0     "
		" "
		"0      0 %6lu \n",
		(machine()->memory / PAGE * 3 / 4) >> 10);
}

/* Counts of events per CPU: there were none. */
static void write_cpu_header(struct view *view, const char *indent)
{
	view_string(view, indent);
	for (uint32_t i = 0; i < machine()->cpus; i++)
		view_print(view, "CPU%-8u", i);
	view_string(view, "\n");
}

static void write_zeros(struct view *view, const char *label)
{
	view_string(view, label);
	for (uint32_t i = 0; i < machine()->cpus; i++)
		view_print(view, " %10u", 0);
}

static void write_interrupts(struct proc_file *file)
{
	write_cpu_header(&file->view, "           ");
	write_zeros(&file->view, "LOC:");
	view_string(&file->view, "   Local timer interrupts\n");
}

static void write_softirqs(struct proc_file *file)
{
	static const char *const kinds[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL",
		"TASKLET", "SCHED", "HRTIMER", "RCU" };

	write_cpu_header(&file->view, "                    ");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		view_print(&file->view, "%12s:", kinds[i]);
		write_zeros(&file->view, "");
		view_string(&file->view, "\n");
	}
}

const struct proc_entry proc_machine[] = {
	THERE("self"),
	THERE("thread-self"),
	THERE("mounts"),
	THERE("net"),
	THERE("sys"),
	WRITTEN("buddyinfo", write_buddyinfo),
	TEXT("cgroups", "#subsys_name\thierarchy\tnum_cgroups\tenabled\n"),
	TEXT("cmdline", "quiet\n"),
	WRITTEN("cpuinfo", proc_cpuinfo),
	TEXT("crypto", ""),
	TEXT("devices", "Character devices:\n  1 mem\n  5 /dev/tty\n  5 /dev/console\n  5 "
			"/dev/ptmx\n 10 misc\n"
			"128 ptm\n136 pts\n\nBlock devices:\n259 blkext\n"),
	TEXT("diskstats", ""),
	TEXT("filesystems",
		"nodev\tsysfs\nnodev\ttmpfs\nnodev\tproc\nnodev\tcgroup2\nnodev\tdevtmpfs\n"
		"nodev\tsockfs\nnodev\tpipefs\nnodev\tramfs\nnodev\thugetlbfs\nnodev\tdevpts\n"
		"nodev\tmqueue\n\text3\n\text2\n\text4\nnodev\toverlay\n"),
	WRITTEN("interrupts", write_interrupts),
	WRITTEN("key-users", proc_key_users),
	WRITTEN("keys", proc_keys),
	WRITTEN("loadavg", write_loadavg),
	TEXT("locks", ""),
	WRITTEN("meminfo", write_meminfo),
	TEXT("misc", "235 autofs\n229 fuse\n"),
	TEXT("partitions", "major minor  #blocks  name\n\n"),
	WRITTEN("softirqs", write_softirqs),
	WRITTEN("stat", write_stat),
	TEXT("swaps", "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"),
	WRITTEN("sysvipc/msg", proc_ipc),
	WRITTEN("sysvipc/sem", proc_ipc),
	WRITTEN("sysvipc/shm", proc_ipc),
	TEXT("tty/drivers", "/dev/tty             /dev/tty        5       0 system:/dev/tty\n"
			    "/dev/console         /dev/console    5       1 system:console\n"
			    "/dev/ptmx            /dev/ptmx       5       2 system\n"
			    "pty_slave            /dev/pts      136 0-1048575 pty:slave\n"
			    "pty_master           /dev/ptm      128 0-1048575 pty:master\n"),
	TEXT("tty/ldiscs", "n_tty       0\nn_null     27\n"),
	WRITTEN("uptime", write_uptime),
	WRITTEN("version", write_version),
	WRITTEN("vmstat", write_vmstat),
	WRITTEN("zoneinfo", write_zoneinfo),
	{ 0 },
};
