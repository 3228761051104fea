/* A child that sleeps for two seconds speaks after a parent that does not, though the sleep costs
 * no real time: events come in the order of logical time. */
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

int main(void)
{
	time_t start = time(NULL);
	pid_t child = fork();

	if (child == 0) {
		sleep(2);
		printf("child: pid %d, 2 seconds later: %s\n", getpid(),
			time(NULL) - start >= 2 ? "yes" : "no");
		return 0;
	}
	printf("parent: pid %d, at once: %s\n", getpid(), time(NULL) - start < 2 ? "yes" : "no");
	must(waitpid(child, NULL, 0) == child);
	printf("parent: child %d is over, 2 seconds later: %s\n", child,
		time(NULL) - start >= 2 ? "yes" : "no");
	return 0;
}
