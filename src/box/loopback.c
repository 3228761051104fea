#include "box/loopback.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "arena/layout.h"
#include "base/cleanup.h"

#define LOOPBACK_INDEX 1    /* it is the first interface of every namespace */
#define WINDOW	       1000 /* segments of 64 KiB: no limit that one could come to */

int loopback_up(struct error *err)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	cleanup_close int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request))
		return error_set(err, errno, "cannot bring the container's loopback interface up");
	return 0;
}

bool loopback_buffers_plain(void)
{
	cleanup_close int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int sends = 0, receives = 0;
	socklen_t length = sizeof(int);

	return fd >= 0 && getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &sends, &length) == 0 &&
	       getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receives, &length) == 0 &&
	       sends == SOCKET_BUFFER && receives == SOCKET_BUFFER;
}

/* Buffers are larger than what guests put into them (guest/connections.h), and have one size. */
static const struct {
	const char *name, *value;
} settings[] = {
	{ "tcp_rmem", "8388608 8388608 8388608" },
	{ "tcp_wmem", "8388608 8388608 8388608" },
	{ "tcp_moderate_rcvbuf", "0" },
	{ "tcp_autocorking", "0" },
	{ "tcp_slow_start_after_idle", "0" },
	{ "tcp_no_metrics_save", "1" },
	{ "tcp_fastopen", "0" },
	/* Who closes first keeps the port from others for a minute, in real time. */
	{ "tcp_max_tw_buckets", "0" },
};

static bool set(const char *proc, const char *name, const char *value)
{
	char path[128];
	size_t bytes = strlen(value);
	cleanup_close int fd = -1;

	snprintf(path, sizeof(path), "%s/sys/net/ipv4/%s", proc, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd >= 0 && write(fd, value, bytes) == (ssize_t)bytes;
}

struct route_request {
	struct nlmsghdr head;
	struct rtmsg route;
	char attributes[256];
};

/* Where the next attribute goes. */
static char *end_of(struct route_request *request)
{
	return (char *)request + request->head.nlmsg_len;
}

static void attach(
	struct route_request *request, unsigned short type, const void *data, size_t bytes)
{
	const struct rtattr head = { (unsigned short)RTA_LENGTH(bytes), type };

	memcpy(end_of(request), &head, sizeof(head));
	memcpy(end_of(request) + sizeof(head), data, bytes);
	request->head.nlmsg_len += (unsigned)RTA_SPACE(bytes);
}

/* What arrives by this route is acknowledged at once, and windows are open from the start. */
static void attach_metrics(struct route_request *request)
{
	const struct {
		struct rtattr head;
		unsigned value;
	} metrics[] = {
		{ { RTA_LENGTH(4), RTAX_QUICKACK }, 1 },
		{ { RTA_LENGTH(4), RTAX_INITCWND }, WINDOW },
		{ { RTA_LENGTH(4), RTAX_INITRWND }, WINDOW },
	};

	attach(request, RTA_METRICS, metrics, sizeof(metrics));
}

static bool ask(int fd, const struct route_request *request)
{
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char rest[512];
	} answer;

	return send(fd, request, request->head.nlmsg_len, 0) == (ssize_t)request->head.nlmsg_len &&
	       recv(fd, &answer, sizeof(answer), 0) >=
		       (ssize_t)NLMSG_LENGTH(sizeof(answer.error)) &&
	       answer.head.nlmsg_type == NLMSG_ERROR && answer.error.error == 0;
}

/* The kernel's own route to these addresses of the machine. */
static struct route_request local_route(
	unsigned short type, unsigned flags, int family, const void *address, unsigned char bits)
{
	const unsigned interface = LOOPBACK_INDEX;
	struct route_request request = {
		.head = { .nlmsg_len = NLMSG_LENGTH(sizeof(request.route)),
			.nlmsg_type = type,
			.nlmsg_flags = (unsigned short)(NLM_F_REQUEST | NLM_F_ACK | flags) },
		.route = { .rtm_family = (unsigned char)family,
			.rtm_dst_len = bits,
			.rtm_table = RT_TABLE_LOCAL,
			.rtm_protocol = RTPROT_KERNEL,
			.rtm_scope = family == AF_INET ? RT_SCOPE_HOST : RT_SCOPE_UNIVERSE,
			.rtm_type = RTN_LOCAL },
	};

	attach(&request, RTA_DST, address,
		family == AF_INET ? sizeof(struct in_addr) : sizeof(struct in6_addr));
	attach(&request, RTA_OIF, &interface, sizeof(interface));
	return request;
}

static bool change_route(int fd, in_addr_t address, unsigned char bits)
{
	const in_addr_t to = htonl(address), source = htonl(INADDR_LOOPBACK);
	struct route_request request = local_route(RTM_NEWROUTE, NLM_F_REPLACE, AF_INET, &to, bits);

	attach(&request, RTA_PREFSRC, &source, sizeof(source));
	attach_metrics(&request);
	return ask(fd, &request);
}

/* The priority of this one is what no request can name: it has to go first. */
static bool change_route6(int fd)
{
	const unsigned priority = 1;
	struct route_request old = local_route(RTM_DELROUTE, 0, AF_INET6, &in6addr_loopback, 128);
	struct route_request new =
		local_route(RTM_NEWROUTE, NLM_F_CREATE, AF_INET6, &in6addr_loopback, 128);

	attach(&new, RTA_PRIORITY, &priority, sizeof(priority));
	attach_metrics(&new);
	return !ask(fd, &old) || ask(fd, &new); /* not every kernel has IPv6 */
}

static bool change_routes(void)
{
	cleanup_close int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	return fd >= 0 && change_route(fd, INADDR_LOOPBACK & IN_CLASSA_NET, 8) &&
	       change_route(fd, INADDR_LOOPBACK, 32) && change_route6(fd);
}

/* A socket whose tcp_notsent_lowat is 0 cannot be written to: guests set it for each socket, and
 * take it back when the socket is full. */
bool loopback_tune(const char *proc)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (!set(proc, settings[i].name, settings[i].value))
			return false;
	return change_routes() && set(proc, "tcp_notsent_lowat", "0");
}
