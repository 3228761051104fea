/* /proc/net: one loopback interface, without traffic. /proc/sysvipc: the kernel's tables. */
#include "guest/proc_file.h"

#define ADDRESS_COLUMNS                                                                            \
	"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  "      \
	"timeout inode"
#define ADDRESS6_COLUMNS                                                                           \
	"  sl  local_address                         remote_address                        st "    \
	"tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode"

const struct proc_entry proc_network[] = {
	TEXT("arp",
		"IP address       HW type     Flags       HW address            Mask     Device\n"),
	TEXT("dev", "Inter-|   Receive                                                |  Transmit\n"
		    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    "
		    "packets "
		    "errs drop fifo colls carrier compressed\n"
		    "    lo:       0       0    0    0    0     0          0         0        0    "
		    "   0    "
		    "0    0    0     0       0          0\n"),
	TEXT("dev_mcast", ""),
	TEXT("if_inet6", "00000000000000000000000000000001 01 80 10 80       lo\n"),
	TEXT("igmp", "Idx\tDevice    : Count Querier\tGroup    Users Timer\tReporter\n"),
	TEXT("ipv6_route", ""),
	TEXT("netlink", "sk               Eth Pid        Groups   Rmem     Wmem     Dump  Locks    "
			"Drops    "
			"Inode\n"),
	TEXT("netstat", "TcpExt: SyncookiesSent\nTcpExt: 0\nIpExt: InNoRoutes\nIpExt: 0\n"),
	TEXT("packet", "sk               RefCnt Type Proto  Iface R Rmem   User   Inode\n"),
	TEXT("raw", ADDRESS_COLUMNS " ref pointer drops\n"),
	TEXT("raw6", ADDRESS6_COLUMNS " ref pointer drops\n"),
	TEXT("route",
		"Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\t"
		"IRTT                                                       \n"),
	TEXT("snmp",
		"Ip: Forwarding DefaultTTL InReceives InHdrErrors InAddrErrors ForwDatagrams "
		"InUnknownProtos InDiscards InDelivers OutRequests OutDiscards OutNoRoutes "
		"ReasmTimeout ReasmReqds ReasmOKs ReasmFails FragOKs FragFails FragCreates\n"
		"Ip: 2 64 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
		"Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails "
		"EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors\n"
		"Tcp: 1 200 120000 -1 0 0 0 0 0 0 0 0 0 0 0\n"
		"Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors "
		"InCsumErrors IgnoredMulti\nUdp: 0 0 0 0 0 0 0 0\n"),
	TEXT("sockstat",
		"sockets: used 0\nTCP: inuse 0 orphan 0 tw 0 alloc 0 mem 0\nUDP: inuse 0 mem 0\n"
		"UDPLITE: inuse 0\nRAW: inuse 0\nFRAG: inuse 0 memory 0\n"),
	TEXT("sockstat6", "TCP6: inuse 0\nUDP6: inuse 0\nUDPLITE6: inuse 0\nRAW6: inuse 0\n"
			  "FRAG6: inuse 0 memory 0\n"),
	TEXT("tcp", ADDRESS_COLUMNS "                                                     \n"),
	TEXT("tcp6", ADDRESS6_COLUMNS "\n"),
	TEXT("udp", " " ADDRESS_COLUMNS " ref pointer drops             \n"),
	TEXT("udp6", ADDRESS6_COLUMNS " ref pointer drops\n"),
	TEXT("unix", "Num       RefCount Protocol Flags    Type St Inode Path\n"),
	{ 0 },
};

/* Times and memory in use are real: such columns show 0. */
static bool column_varies(const char *name, size_t length)
{
	static const char *const varying[] = { "stime", "rtime", "ctime", "otime", "atime", "dtime",
		"rss", "swap" };

	for (size_t i = 0; i < sizeof(varying) / sizeof(varying[0]); i++)
		if (strlen(varying[i]) == length && memcmp(varying[i], name, length) == 0)
			return true;
	return false;
}

/* The end of the word that begins behind the blanks at `at`. */
static const char *word_end(const char *at)
{
	at = skip_spaces(at);
	while (*at && *at != ' ')
		at++;
	return at;
}

static uint32_t varying_columns(const char *header)
{
	uint32_t columns = 0;

	for (unsigned i = 0; *skip_spaces(header) && i < 32; i++) {
		const char *end = word_end(header), *start = skip_spaces(header);

		if (column_varies(start, (size_t)(end - start)))
			columns |= 1u << i;
		header = end;
	}
	return columns;
}

/* As wide as what it stands for. */
static void put_zero(struct view *view, size_t width)
{
	while (width-- > 1)
		view_put(view, " ", 1);
	view_put(view, "0", 1);
}

static void put_row(struct view *view, const char *row, uint32_t without)
{
	for (unsigned i = 0; *skip_spaces(row); i++) {
		const char *end = word_end(row);

		if (i < 32 && without & 1u << i)
			put_zero(view, (size_t)(end - row));
		else
			view_put(view, row, (size_t)(end - row));
		row = end;
	}
	view_string(view, "\n");
}

void proc_ipc(struct proc_file *file)
{
	struct lines lines;
	uint32_t without;
	char *line;

	lines_open(&lines, file->path);
	line = lines_next(&lines);
	without = line ? varying_columns(line) : 0;
	if (line)
		view_print(&file->view, "%s\n", line);
	while ((line = lines_next(&lines)))
		put_row(&file->view, line, without);
	lines_close(&lines);
}
