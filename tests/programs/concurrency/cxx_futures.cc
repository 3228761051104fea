/* C++'s futures: which of them is ready, and when; and an exception that comes out of one. */
#include <chrono>
#include <cstdio>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

static double sum(int from, int to)
{
	double total = 0;
	for (int i = from; i < to; i++)
		total += 1.0 / i;
	return total;
}

int main()
{
	std::vector<std::future<double>> parts;
	for (int i = 0; i < 6; i++)
		parts.push_back(
			std::async(std::launch::async, sum, 1 + i * 20000, 1 + (i + 1) * 20000));
	double total = 0;
	for (int rounds = 0; !parts.empty(); rounds++) {
		for (auto part = parts.begin(); part != parts.end();) {
			if (part->wait_for(std::chrono::microseconds(20)) !=
				std::future_status::ready) {
				++part;
				continue;
			}
			total += part->get();
			std::printf("round %d: %zu left, %.17g so far\n", rounds, parts.size() - 1,
				total);
			part = parts.erase(part);
		}
	}
	std::promise<int> promise;
	auto future = promise.get_future();
	std::thread thrower([&promise] {
		try {
			throw std::runtime_error("thrown in a thread");
		} catch (...) {
			promise.set_exception(std::current_exception());
		}
	});
	try {
		future.get();
	} catch (const std::exception &error) {
		std::printf("%s\n", error.what());
	}
	thrower.join();
	return 0;
}
