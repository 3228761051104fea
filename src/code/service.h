/*
 * The code cache's side in the supervisor: answers the guests' requests for rewritten files.
 * Requests come from a container that may be hostile: nothing that it says is believed without a
 * check, and no file that it sends can block or crash the supervisor. Uses arena and base.
 *
 *   open, then prepare for the files known beforehand, then start, and in the end close.
 */
#ifndef STET_CODE_SERVICE_H
#define STET_CODE_SERVICE_H

#include <stdint.h>

#include "arena/layout.h"
#include "base/error.h"

struct code_service;

/*
 * Opens the cache in `directory`, which is made when missing. When it is NULL, or cannot be used,
 * every file is plain: the run is slower, but never fails for it. Starts no thread. NULL with err
 * only when memory runs out.
 */
struct code_service *code_service_open(
	struct arena *arena, const char *directory, struct error *err);

/* The open directory below which the names in slots lie; -1 when nothing is cached. Not the
 * caller's. */
int code_service_directory(const struct code_service *service);

/*
 * Looks a file up at once. Returns the slot that it has filled in, its identity included: the one
 * in which a guest will look for this file, if it is free. For use before start.
 */
uint32_t code_service_prepare(struct code_service *service, int fd);

/* Answers requests from `request_socket` (the caller's; it must stay open) in threads of its
 * own. */
int code_service_start(struct code_service *service, int request_socket, struct error *err);

/*
 * Ends the threads, which shuts the socket down, and frees everything. A thread that does not end
 * within a second, because the container's file makes it wait, is left behind; it touches neither
 * arena nor socket again.
 */
void code_service_close(struct code_service *service);

#endif
