/* A pipe with O_DIRECT keeps writes apart: a read gets one, or its beginning, and 16 of them fit.
 * Does not differ natively: one process alone. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "../check.h"

int main(void)
{
	static char bytes[10000];
	int ends[2], packets = 0;

	must(pipe2(ends, O_DIRECT) == 0);
	for (int i = 1; i <= 5; i++)
		must(write(ends[1], bytes, (size_t)i * 1000) == i * 1000);
	for (int i = 1; i <= 3; i++)
		printf("%zd ", read(ends[0], bytes, sizeof(bytes)));
	printf("%zd ", read(ends[0], bytes, 10)); /* the rest of it is lost */
	printf("%zd ", read(ends[0], bytes, sizeof(bytes)));
	printf("%zd\n", read(ends[0], bytes, sizeof(bytes)));
	must(fcntl(ends[1], F_SETFL, O_DIRECT | O_NONBLOCK) == 0);
	while (write(ends[1], bytes, 1) == 1)
		packets++;
	printf("%d packets, %s\n", packets, strerror(errno));
	must(fcntl(ends[1], F_SETFL, O_DIRECT) == 0);
	must(read(ends[0], bytes, sizeof(bytes)) == 1);
	printf("%zd\n", write(ends[1], bytes, 4096));
	printf("flags %s\n", fcntl(ends[1], F_GETFL) & O_DIRECT ? "kept" : "lost");
	return 0;
}
