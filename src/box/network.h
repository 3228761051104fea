/* Host name and loopback interface of the container's own namespaces. */
#ifndef STET_BOX_NETWORK_H
#define STET_BOX_NETWORK_H

#include "box/box.h"

int network_set_up(const struct box_config *config, struct error *err);

#endif
