/*
 * The command's standard streams: they look the same to it whatever Stet's own are. Standard input
 * is /dev/null, a regular file, or a pipe; standard output and error are pipes. Stet relays, see
 * relay.h. With a terminal, or when the environment is left native, Stet's own are passed on
 * instead.
 */
#ifndef STET_BOX_STREAMS_H
#define STET_BOX_STREAMS_H

#include "arena/layout.h"
#include "box/box.h"

struct streams {
	int input;     /* the command's; -1: /dev/null, or the terminal */
	bool fed;      /* that is a pipe of ours */
	char *file;    /* the regular file that it is, without symbolic links; or NULL */
	int output[2]; /* its standard output and error; -1: Stet's own, or the terminal */
	/* Stet's side. */
	int source,
		feed; /* what is read outside, and the pipe that it goes to; -1: nothing to feed */
	int taken[2]; /* where the command's output comes out; -1: nothing to take */
	bool ordered; /* both outputs lead to the same place */
};

#define STREAMS_NONE                                                                               \
	{                                                                                          \
		-1, false, NULL, { -1, -1 }, -1, -1, { -1, -1 }, false                             \
	}

/* Opens everything; what is open is to be closed by streams_close also when it fails. */
int streams_open(struct streams *streams, const struct box_config *config, struct error *err);

/* Tells the guests which pipes they are. */
void streams_describe(const struct streams *streams, struct output *output);

/*
 * On the stage: opens the file of the command's input anew, so that its name in /proc is the same
 * wherever it lies on the host.
 */
int streams_reopen(struct streams *streams, struct error *err);

/* Each side lets go of the other's ends, so that the end of a stream can be seen. */
void streams_keep_commands(struct streams *streams);
void streams_keep_own(struct streams *streams);

void streams_close(struct streams *streams);

#endif
