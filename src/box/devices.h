/* The container's own /proc, /sys and /dev, made on the stage. */
#ifndef STET_BOX_DEVICES_H
#define STET_BOX_DEVICES_H

#include "box/stage.h"

int devices_mount(struct stage *stage, struct error *err);

#endif
