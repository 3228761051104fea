cat >t.cc <<'EOF'
#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <regex>
#include <stdexcept>
#include <thread>
#include <vector>
struct Noisy { ~Noisy() { std::cout << "destroyed\n"; } };
int deep(int n) { Noisy guard; if (n == 0) throw std::runtime_error("from below"); return deep(n - 1); }
int main() {
	std::map<std::string, int> m{ { "b", 2 }, { "a", 1 } };
	for (auto &[k, v] : m) std::cout << k << v << "\n";
	try { deep(3); } catch (const std::exception &e) { std::cout << e.what() << "\n"; }
	std::atomic<int> n{ 0 }; std::vector<std::thread> ts;
	for (int i = 0; i < 8; i++) ts.emplace_back([&] { for (int k = 0; k < 1000; k++) n++; try { throw 1; } catch (int) { n++; } });
	for (auto &t : ts) t.join();
	std::cout << n << "\n" << std::async(std::launch::async, [] { return 42; }).get() << "\n";
	std::mt19937 g(1); std::cout << g() << "\n"; std::random_device rd; std::cout << (rd() != rd()) << "\n";
	std::cout << std::regex_match("abc123", std::regex("[a-z]+[0-9]+")) << "\n";
	std::filesystem::create_directories("dir/sub"); std::ofstream("dir/sub/f") << "text";
	std::cout << std::filesystem::file_size("dir/sub/f") << "\n";
	std::this_thread::sleep_for(std::chrono::milliseconds(5));
	std::cout.flush();
	throw 5;
}
EOF
g++ -std=c++17 -O1 -o prog t.cc && { ./prog 2>err; echo $?; } 2>/dev/null; cat err
