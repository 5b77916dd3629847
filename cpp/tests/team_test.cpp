// Teams of threads: every index once, in rounds that follow each other closely; errors; members that come
// late.
#include "runtime/team.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/check.hpp"

namespace {

using apsp::Team;

// Each index is processed once, by a member of the team, before parallel_for returns.
void check_rounds(int threads, std::int64_t rounds) {
  Team team(threads);
  CHECK(team.size() == (threads < 1 ? 1 : threads));
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t count = round % 7;
    std::vector<int> times(
        static_cast<std::size_t>(count));  // no atomics: a race is seen by -fsanitize=thread
    team.parallel_for(count, [&](std::int64_t index, int member) {
      CHECK(member >= 0 && member < team.size());
      ++times[static_cast<std::size_t>(index)];
    });
    for (const int each : times) CHECK(each == 1);
  }
}

void check_errors(int threads) {
  Team team(threads);
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> inside{0};
    bool raised = false;
    try {
      team.parallel_for(1000, [&](std::int64_t index, int) {
        ++inside;
        if (index == round) throw std::runtime_error("stop");
        --inside;
      });
    } catch (const std::runtime_error&) {
      raised = true;
    }
    CHECK(raised);
    CHECK(inside == 1);  // the index that threw: every thread has left the body
  }
  std::atomic<std::int64_t> sum{0};
  team.parallel_for(100, [&](std::int64_t index, int) { sum += index; });
  CHECK(sum == 4950);
}

// All members are used where there is work for them.
void check_members(int threads) {
  Team team(threads);
  std::atomic<int> inside{0};
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  team.parallel_for(threads, [&](std::int64_t, int) {
    ++inside;
    while (inside < threads && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  });
  CHECK(inside == threads);
}

// Pauses let the workers fall asleep between rounds.
void check_pauses(int threads) {
  Team team(threads);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> done{0};
    team.parallel_for(8, [&](std::int64_t, int) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      ++done;
    });
    CHECK(done == 8);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

int main() {
  for (const int threads : {-1, 0, 1, 2, 3, 16}) check_rounds(threads, 3000);
  for (int times = 0; times < 300; ++times) check_rounds(3, 2);
  for (const int threads : {1, 2, 5}) check_errors(threads);
  for (const int threads : {1, 2, 9}) check_members(threads);
  for (const int threads : {2, 4}) check_pauses(threads);
}
