#include "box/network.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "box/loopback.h"

int network_set_up(const struct box_config *config, struct error *err)
{
	const char *domain = config->machine.domain;

	if (sethostname(config->hostname, strlen(config->hostname)) ||
		setdomainname(domain, strlen(domain)))
		return error_set(err, errno, "cannot set the host name %s", config->hostname);
	return config->net == BOX_NET_LOOPBACK ? loopback_up(err) : 0;
}
