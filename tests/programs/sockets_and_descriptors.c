/* Descriptors over sockets, credentials, loopback TCP, epoll, eventfd, timerfd, splice. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void check_passing(void)
{
	int pair[2], ends[2], passed = -1;
	char byte = 'x', space[CMSG_SPACE(sizeof(int))];
	struct iovec vector = { &byte, 1 };
	struct msghdr message = { .msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = space,
		.msg_controllen = sizeof(space) };
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && pipe(ends) == 0);
	pid_t child = fork();
	if (child == 0) {
		struct cmsghdr *control = CMSG_FIRSTHDR(&message);
		control->cmsg_level = SOL_SOCKET;
		control->cmsg_type = SCM_RIGHTS;
		control->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(control), &ends[1], sizeof(int));
		must(sendmsg(pair[1], &message, 0) == 1);
		_exit(0);
	}
	close(ends[1]);
	must(recvmsg(pair[0], &message, 0) == 1);
	memcpy(&passed, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int));
	must(waitpid(child, NULL, 0) == child);
	expect("write to a passed descriptor", write(passed, "hello", 5), 5);
	char text[8] = "";
	expect("read at its other end", read(ends[0], text, 8), 5);
	expect("what was written", strcmp(text, "hello"), 0);
	struct ucred peer;
	socklen_t length = sizeof(peer);
	must(getsockopt(pair[0], SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0);
	expect_true("the peer is this process", peer.pid == getpid() && peer.uid == getuid());
}

static void check_tcp(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(address);
	char text[16] = "";
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	must(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0 &&
		listen(listener, 5) == 0);
	must(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
	pid_t child = fork();
	if (child == 0) {
		int client = socket(AF_INET, SOCK_STREAM, 0);
		must(connect(client, (struct sockaddr *)&address, sizeof(address)) == 0);
		must(write(client, "over tcp", 8) == 8);
		_exit(0);
	}
	int server = accept(listener, NULL, NULL);
	must(server >= 0);
	expect("read", recv(server, text, 8, MSG_WAITALL), 8);
	expect("what came", strcmp(text, "over tcp"), 0);
	expect("end", read(server, text, 8), 0);
	must(waitpid(child, NULL, 0) == child);
}

static void check_epoll(void)
{
	struct epoll_event event = { .events = EPOLLIN }, ready[4];
	unsigned long long count = 5;
	struct itimerspec soon = { .it_value = { 0, 10000000 } };
	int epoll = epoll_create1(EPOLL_CLOEXEC), counter = eventfd(0, EFD_NONBLOCK);
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	event.data.u32 = 1;
	must(epoll_ctl(epoll, EPOLL_CTL_ADD, counter, &event) == 0);
	event.data.u32 = 2;
	must(epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event) == 0);
	expect("nothing ready", epoll_wait(epoll, ready, 4, 0), 0);
	must(write(counter, &count, 8) == 8);
	expect("eventfd ready", epoll_wait(epoll, ready, 4, 1000), 1);
	expect("which", ready[0].data.u32, 1);
	must(read(counter, &count, 8) == 8);
	expect("count", (long)count, 5);
	must(timerfd_settime(timer, 0, &soon, NULL) == 0);
	expect("timerfd ready", epoll_wait(epoll, ready, 4, 10000), 1);
	expect("which", ready[0].data.u32, 2);
	must(read(timer, &count, 8) == 8);
	expect("expirations", (long)count, 1);
}

static void check_moving_data(void)
{
	int ends[2], in = open("/proc/self/exe", O_RDONLY);
	char head[4], path[] = "scratch-XXXXXX";
	int out = mkstemp(path);
	must(pipe(ends) == 0 && out >= 0 && unlink(path) == 0);
	expect("sendfile", sendfile(out, in, NULL, 1000), 1000);
	off_t offset = 0;
	expect("splice to a pipe", splice(in, &offset, ends[1], NULL, 4, 0), 4);
	must(read(ends[0], head, 4) == 4);
	expect("what came", memcmp(head, "\177ELF", 4), 0);
	must(lseek(in, 0, SEEK_SET) == 0);
	expect("copy_file_range", copy_file_range(in, NULL, out, NULL, 500, 0), 500);
	expect("size", lseek(out, 0, SEEK_END), 1500);
}

static void check_inotify(void)
{
	char buffer[4096];
	int watch = inotify_init1(IN_NONBLOCK);
	must(mkdir("watched", 0700) == 0 &&
		inotify_add_watch(watch, "watched", IN_CREATE | IN_DELETE) > 0);
	close(open("watched/file", O_CREAT | O_WRONLY, 0600));
	must(unlink("watched/file") == 0);
	long length = read(watch, buffer, sizeof(buffer));
	must(length > 0);
	struct inotify_event *event = (void *)buffer;
	expect("inotify: created", event->mask, IN_CREATE);
	expect("its name", strcmp(event->name, "file"), 0);
	must(rmdir("watched") == 0);
}

int main(void)
{
	check_passing();
	check_tcp();
	check_epoll();
	check_moving_data();
	check_inotify();
	return verdict();
}
