/* UNIX sockets: in which order a server accepts clients that connect at the same time, more than
 * its backlog; who they are; and what each read finds. */
#include <sys/socket.h>
#include <sys/un.h>

#include "race.h"

#define CLIENTS 6

static struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "socket" };

static void *client(void *number)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char line[32];

	compute((long)number * 37 % 5 * 100);
	must(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	for (int i = 0; i < 5; i++) {
		int n = snprintf(line, sizeof(line), "%c%d ", 'a' + (int)(long)number, i);

		must(write(fd, line, (size_t)n) == n);
		compute(300);
	}
	must(shutdown(fd, SHUT_WR) == 0);
	must(read(fd, line, sizeof(line)) == 1 && line[0] == '.');
	return NULL;
}

int main(void)
{
	int server = socket(AF_UNIX, SOCK_STREAM, 0);
	struct ucred who;
	socklen_t length = sizeof(who);
	char buffer[64];

	must(bind(server, (struct sockaddr *)&address, sizeof(address)) == 0);
	must(listen(server, 2) == 0);
	start_processes(CLIENTS, client);
	for (int i = 0; i < CLIENTS; i++) {
		int fd = accept(server, NULL, NULL);
		long n;

		must(fd >= 0 && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0);
		printf("%d:", who.pid - getpid());
		while ((n = read(fd, buffer, sizeof(buffer))) > 0)
			printf(" [%.*s]", (int)n, buffer);
		printf("\n");
		must(write(fd, ".", 1) == 1);
		close(fd);
	}
	end_processes(CLIENTS);
	return 0;
}
