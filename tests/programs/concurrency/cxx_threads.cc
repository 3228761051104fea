/* C++'s threads: mutexes, conditions, atomics, thread_local. */
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::shared_mutex shared;
static std::condition_variable changed;
static std::atomic<int> running{ 0 };
static thread_local int own = 0;
static std::string order;

static void work(char letter)
{
	running++;
	for (own = 0; own < 10; own++) {
		{
			std::lock_guard<std::mutex> guard(lock);
			order += letter;
		}
		std::shared_lock<std::shared_mutex> guard(shared, std::try_to_lock);
		if (!guard)
			std::this_thread::yield();
		else if (own % 3 == 0)
			std::this_thread::sleep_for(std::chrono::microseconds(50));
	}
	std::unique_lock<std::shared_mutex> guard(shared);
	order += static_cast<char>(letter - 'a' + 'A');
	if (--running == 0)
		changed.notify_all();
}

int main()
{
	std::vector<std::thread> threads;
	for (char letter = 'a'; letter < 'g'; letter++)
		threads.emplace_back(work, letter);
	{
		std::unique_lock<std::mutex> guard(lock);
		while (!changed.wait_for(
			guard, std::chrono::milliseconds(1), [] { return running == 0; }))
			order += '.';
	}
	for (auto &thread : threads)
		thread.join();
	std::printf("%s\n", order.c_str());
	return 0;
}
