#include "box/network.h"

#include <errno.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"

static int loopback_up(struct error *err)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	cleanup_close int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request))
		return error_set(err, errno, "cannot bring the container's loopback interface up");
	return 0;
}

int network_set_up(const struct box_config *config, struct error *err)
{
	static const char no_domain[] = "(none)"; /* as after boot */

	if (sethostname(config->hostname, strlen(config->hostname)) ||
		setdomainname(no_domain, sizeof(no_domain) - 1))
		return error_set(err, errno, "cannot set the host name %s", config->hostname);
	return config->net == BOX_NET_LOOPBACK ? loopback_up(err) : 0;
}
