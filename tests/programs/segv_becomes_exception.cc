// A C++ exception thrown out of a SIGSEGV handler unwinds through the signal frame.
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <unistd.h>

struct Guard {
	int *destroyed;
	~Guard() { ++*destroyed; }
};

static void handler(int)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGSEGV);
	sigprocmask(SIG_UNBLOCK, &set, nullptr);
	throw std::runtime_error("no such memory");
}

__attribute__((noinline)) static int touch(volatile int *address, int *destroyed)
{
	Guard guard{ destroyed };
	getppid();
	return *address;
}

int main()
{
	int caught = 0, destroyed = 0;
	static char stack[65536];
	stack_t alternate = {};
	alternate.ss_sp = stack;
	alternate.ss_size = sizeof(stack);
	struct sigaction action = {};
	action.sa_handler = handler;
	for (int flags : { 0, SA_ONSTACK }) {
		if (flags)
			sigaltstack(&alternate, nullptr);
		action.sa_flags = flags;
		sigaction(SIGSEGV, &action, nullptr);
		for (int i = 0; i < 100; i++) {
			try {
				touch(reinterpret_cast<volatile int *>(16), &destroyed);
			} catch (const std::runtime_error &error) {
				caught++;
			}
		}
	}
	std::printf("caught: %d\ndestroyed: %d\n", caught, destroyed);
	return caught == 200 && destroyed == 200 ? 0 : 1;
}
