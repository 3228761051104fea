/* What each end of a connection sees when the other one stops sending, goes, or resets it: the
 * kernel's rules, at once. Does not differ natively: one process does it all, and the kernel mostly
 * delivers at once. */
#include <signal.h>

#include "sockets.h"

static char buffer[65536];

static void show(const char *what, const int ends[2])
{
	printf("%s:%s", what, events_of(ends[0]));
	printf(" /%s\n", events_of(ends[1]));
}

static void half_close(void)
{
	int ends[2];

	connection(ends);
	show("new", ends);
	tell("send", send(ends[0], "question", 8, 0));
	tell("shutdown", shutdown(ends[0], SHUT_WR));
	show("half closed", ends);
	tell("read", recv(ends[1], buffer, sizeof(buffer), 0));
	tell("read the end", recv(ends[1], buffer, sizeof(buffer), 0));
	tell("send back", send(ends[1], "answer", 6, 0));
	tell("send after shutdown", send(ends[0], "x", 1, MSG_NOSIGNAL));
	tell("read the answer", recv(ends[0], buffer, sizeof(buffer), 0));
	close(ends[1]);
	printf("other end closed:%s\n", events_of(ends[0]));
	tell("read the end", recv(ends[0], buffer, sizeof(buffer), 0));
	close(ends[0]);
}

static void gone(void)
{
	int ends[2];

	connection(ends);
	close(ends[1]);
	printf("gone:%s\n", events_of(ends[0]));
	tell("send to nobody", send(ends[0], "x", 1, MSG_NOSIGNAL));
	printf("reset:%s\n", events_of(ends[0]));
	tell("send again", send(ends[0], "x", 1, MSG_NOSIGNAL));
	tell("read", recv(ends[0], buffer, sizeof(buffer), 0));
	close(ends[0]);
}

static void reset(const char *how, int unread, int lingers)
{
	const struct linger at_once = { 1, 0 };
	int ends[2];

	connection(ends);
	if (unread)
		must(send(ends[0], "unread", 6, 0) == 6);
	if (lingers)
		must(setsockopt(ends[1], SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)) == 0);
	close(ends[1]);
	printf("%s:%s\n", how, events_of(ends[0]));
	tell("read", recv(ends[0], buffer, sizeof(buffer), 0));
	tell("send", send(ends[0], "x", 1, MSG_NOSIGNAL));
	close(ends[0]);
}

static void of_nobody(void)
{
	struct sockaddr_in name;
	int server = listening(5), port = port_of(server);
	int client = connected(SOCK_STREAM, port), late = socket(AF_INET, SOCK_STREAM, 0);

	close(server);
	printf("never accepted:%s\n", events_of(client));
	tell("read", recv(client, buffer, sizeof(buffer), 0));
	name = loopback(port);
	tell("too late", connect(late, (struct sockaddr *)&name, sizeof(name)));
}

int main(void)
{
	half_close();
	gone();
	reset("unread bytes", 1, 0);
	reset("does not linger", 0, 1);
	of_nobody();
	return 0;
}
