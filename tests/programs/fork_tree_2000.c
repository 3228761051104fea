/* A tree of 2000 processes, all alive at once, each counted by its parent through its status. */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define PROCESSES 2000

struct shared {
	int born, ended, release;
};

static struct shared *shared;

/* Node n has the children 4n+1 .. 4n+4. */
static int live(int node)
{
	int failures = 0, children = 0, status;
	__atomic_add_fetch(&shared->born, 1, __ATOMIC_SEQ_CST);
	for (int i = 4 * node + 1; i <= 4 * node + 4 && i < PROCESSES; i++) {
		pid_t child = fork();
		if (child < 0)
			return 1;
		if (child == 0)
			_exit(live(i));
		children++;
	}
	while (!__atomic_load_n(&shared->release, __ATOMIC_SEQ_CST))
		usleep(5000);
	while (children-- > 0) {
		if (wait(&status) < 0 || status != 0)
			failures = 1;
	}
	__atomic_add_fetch(&shared->ended, 1, __ATOMIC_SEQ_CST);
	return failures;
}

int main(void)
{
	int status;
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must(shared != MAP_FAILED);
	pid_t root = fork();
	if (root == 0)
		_exit(live(0));
	for (int i = 0; i < 12000 && __atomic_load_n(&shared->born, __ATOMIC_SEQ_CST) < PROCESSES;
		i++)
		usleep(5000);
	expect("alive at once", shared->born, PROCESSES);
	__atomic_store_n(&shared->release, 1, __ATOMIC_SEQ_CST);
	must(waitpid(root, &status, 0) == root);
	expect("status of the root", status, 0);
	expect("ended", shared->ended, PROCESSES);
	return verdict();
}
