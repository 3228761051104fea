/* C++ atomics without optimisation: each look is a call of a function, or of several.
 * flags: -O0 */
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

static std::atomic<int> turn{ 0 };
static std::atomic_flag busy = ATOMIC_FLAG_INIT;
static std::vector<int> order;
static long looks[3];

static void work(int id)
{
	for (int i = 0; i < 5; i++) {
		while (turn.load() != id)
			looks[id]++;
		while (busy.test_and_set(std::memory_order_acquire))
			;
		order.push_back(id);
		busy.clear(std::memory_order_release);
		turn.store((id + 1) % 3);
	}
}

int main()
{
	std::vector<std::thread> threads;

	for (int i = 0; i < 3; i++)
		threads.emplace_back(work, i);
	for (auto &thread : threads)
		thread.join();
	for (int id : order)
		std::printf("%d", id);
	std::printf(" %ld %ld %ld\n", looks[0], looks[1], looks[2]);
	return 0;
}
