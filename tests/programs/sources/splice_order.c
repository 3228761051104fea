/* What splice, tee, vmsplice and sendfile move between processes, in which portions. */
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "contend.h"

static int left[2], right[2], copy[2], sockets[2], file;

/* Bytes move from one pipe to the next: by one process from the other. */
static void stage(int who)
{
	static char bytes[20000];
	ssize_t count;
	int sum = 0;

	if (who == 0) {
		close(left[0]);
		close(right[1]);
		for (int i = 0; i < 10; i++) {
			struct iovec part = { bytes, 700 * (size_t)(i + 1) };

			compute(5 + 30 * (unsigned)(i % 3));
			count = i % 2 ? vmsplice(left[1], &part, 1, 0)
				      : write(left[1], bytes, part.iov_len);
			say("put", i, (int)count);
		}
	} else if (who == 1) {
		close(left[1]);
		close(right[0]);
		while ((count = splice(left[0], NULL, right[1], NULL, 3000, 0)) > 0)
			say("moved", who, (int)count);
	} else if (who == 2) {
		close(left[1]);
		close(right[1]);
		while ((count = tee(right[0], copy[1], 2000, 0)) > 0) {
			char drop[2000];

			say("copied", who, (int)count);
			if (read(right[0], drop, (size_t)count) != count)
				_exit(1);
		}
		close(copy[1]);
	} else {
		close(copy[1]);
		close(right[1]);
		close(left[1]);
		while ((count = read(copy[0], bytes, sizeof(bytes))) > 0)
			sum += (int)count;
		say("in all", who, sum);
	}
}

static void server(int who)
{
	char bytes[5000];
	ssize_t count;
	off_t at = 100;
	int sum = 0;

	close(sockets[!who]);
	if (who == 0) {
		say("sent", who, (int)sendfile(sockets[0], file, &at, 600000));
		say("up to", who, (int)at);
		say("sent", who, (int)sendfile(sockets[0], file, NULL, 600000));
		return;
	}
	usleep(20000);
	while ((count = read(sockets[1], bytes, sizeof(bytes))) > 0)
		sum += (int)count;
	say("received", who, sum);
}

static void piper(int who)
{
	char bytes[3000];
	int sum = 0;
	ssize_t count;

	close(left[!who]);
	if (who == 1) {
		lseek(file, 0, SEEK_SET);
		while ((count = sendfile(left[1], file, NULL, 150000)) > 0)
			sum += (int)count;
		say("piped", who, sum);
		lseek(file, 0, SEEK_SET);
		while ((count = splice(file, NULL, left[1], NULL, 150000, 0)) > 0)
			sum += (int)count;
		say("piped", who, sum);
		return;
	}
	while ((count = read(left[0], bytes, sizeof(bytes))) > 0)
		sum += (int)count;
	say("came out", who, sum);
}

static void open_pipes(void)
{
	if (pipe(left) || pipe(right) || pipe(copy) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		exit(1);
}

static void close_pipes(void)
{
	for (int i = 0; i < 2; i++) {
		close(left[i]);
		close(right[i]);
		close(copy[i]);
		close(sockets[i]);
	}
}

/* `contend`, but the parent keeps no ends. */
static void with_pipes(int count, void (*body)(int))
{
	open_pipes();
	if (fork() == 0) {
		for (int i = 0; i < count; i++)
			if (fork() == 0) {
				body(i);
				_exit(0);
			}
		close_pipes();
		while (wait(NULL) > 0)
			;
		_exit(0);
	}
	close_pipes();
	wait(NULL);
}

int main(void)
{
	file = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (ftruncate(file, 500000))
		return 1;
	with_pipes(4, stage);
	with_pipes(2, server);
	with_pipes(2, piper);
	open_pipes();
	TELL(splice(left[0], NULL, right[1], NULL, 10, SPLICE_F_NONBLOCK));
	TELL(tee(left[0], right[1], 10, SPLICE_F_NONBLOCK));
	TELL(splice(file, NULL, file, NULL, 10, 0));
	TELL(splice(99, NULL, right[1], NULL, 10, 0));
	TELL(tee(left[0], file, 10, 0));
	TELL(vmsplice(file, NULL, 0, 0));
	TELL(sendfile(right[1], 99, NULL, 10));
	fcntl(left[0], F_SETFL, O_NONBLOCK);
	TELL(splice(left[0], NULL, right[1], NULL, 10, 0));
	TELL(splice(left[0], NULL, file, NULL, 10, 0));
	close(left[1]);
	TELL(splice(left[0], NULL, right[1], NULL, 10, 0));
	return 0;
}
