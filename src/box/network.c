#include "box/network.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "box/loopback.h"

int network_set_up(const struct box_config *config, struct error *err)
{
	static const char no_domain[] = "(none)"; /* as after boot */

	if (sethostname(config->hostname, strlen(config->hostname)) ||
		setdomainname(no_domain, sizeof(no_domain) - 1))
		return error_set(err, errno, "cannot set the host name %s", config->hostname);
	return config->net == BOX_NET_LOOPBACK ? loopback_up(err) : 0;
}
