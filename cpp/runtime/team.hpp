// A team of threads that exists for one kernel call: no thread remains after a call, a fork or an error.
// parallel_for distributes indices one at a time (dynamic), the calling thread works too, and it returns when
// all are done: consecutive calls are separated by a barrier. A thread that the system has not started yet,
// or not woken yet, is not waited for: the others do its share, so that short work is not slower with a team.
#pragma once
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/function_ref.hpp"

namespace apsp {

class Team {
 public:
  explicit Team(int threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const noexcept { return static_cast<int>(workers_.size()) + 1; }

  using Body = FunctionRef<void(std::int64_t, int)>;

  // Runs body(index, member) for index in [0, count), member in [0, size()): scratch memory is kept per
  // member. The first exception stops the distribution of indices and is rethrown here, after every thread
  // has left the body.
  void parallel_for(std::int64_t count, Body body);

 private:
  void work(int member);
  void serve(int member);
  void open_round();
  void close_round();

  std::vector<std::thread> workers_;
  const Body* body_ = nullptr;
  std::int64_t count_ = 0;
  alignas(64) std::atomic<std::int64_t> next_{0};
  // The number of the round, whether it is open, and how many workers are inside: they enter while it is
  // open.
  alignas(64) std::atomic<std::uint32_t> gate_{0};
  alignas(64) std::atomic<std::uint32_t> emptied_{0};  // changes when the last worker has left a closed round
  std::atomic<bool> closing_{false};
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

}  // namespace apsp
