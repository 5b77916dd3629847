// Sums of flows that threads finish in any order, added in the order of their numbers: the result does not
// depend on the number of threads.
#pragma once
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "flows/touched.hpp"

namespace apsp::flows {

// Two values per vertex, then one per arc. touched: the vertices whose values, or those of their arcs, are
// not zero, unless parts are added whole.
struct FlowPart {
  std::vector<double> values;
  Touched touched;

  double* through() { return values.data(); }
  double* arrived(std::int64_t n) { return values.data() + n; }
  double* along(std::int64_t n) { return values.data() + 2 * n; }
};

class OrderedSums {
 public:
  using Part = std::unique_ptr<FlowPart>;

  // starts: (n + 1,) where the arcs of each vertex begin, and the last ones end; nullptr: parts are added
  // whole.
  OrderedSums(std::int64_t n, std::int64_t arcs, const std::int64_t* starts, int threads)
      : n_(n),
        arcs_(arcs),
        starts_(starts),
        total_(2 * n + arcs, 0.0),
        error_(total_.size(), 0.0),
        most_(2 * threads + 2) {}

  // Zeros for a part.
  Part take() {
    {
      const std::lock_guard lock(mutex_);
      if (!spare_.empty()) {
        Part part = std::move(spare_.back());
        spare_.pop_back();
        return part;
      }
    }
    return std::make_unique<FlowPart>(FlowPart{std::vector<double>(total_.size(), 0.0), Touched(n_)});
  }

  // Part `number`, each from 0 on once. Threads that are far ahead wait, so few parts exist at a time.
  void give(std::int64_t number, Part part) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || number < next_ + most_; });
    if (stopped_) return;
    waiting_.emplace(number, std::move(part));
    if (adding_) return;  // the thread that adds finds it
    adding_ = true;
    while (!waiting_.empty() && waiting_.begin()->first == next_) {
      Part first = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      lock.unlock();
      add(*first);
      lock.lock();
      ++next_;
      spare_.push_back(std::move(first));
      changed_.notify_all();
    }
    adding_ = false;
  }

  // No thread waits from now on: an error has occurred.
  void stop() noexcept {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  double operator[](std::int64_t i) const { return total_[i] + error_[i]; }

 private:
  // The part becomes zero.
  void add(FlowPart& part) {
    if (starts_ == nullptr) return add(part.values, 0, 2 * n_ + arcs_);
    part.touched.for_each_range([&](std::int64_t first, std::int64_t last) {
      add(part.values, first, last);
      add(part.values, n_ + first, n_ + last);
      if (arcs_ > 0) add(part.values, 2 * n_ + starts_[first], 2 * n_ + starts_[last]);
    });
    part.touched.clear();
  }

  // Neumaier's compensation.
  void add(std::vector<double>& part, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const double value = part[i], sum = total_[i] + value;
      error_[i] +=
          std::fabs(total_[i]) >= std::fabs(value) ? (total_[i] - sum) + value : (value - sum) + total_[i];
      total_[i] = sum;
      part[i] = 0;
    }
  }

  std::int64_t n_, arcs_;
  const std::int64_t* starts_;
  std::vector<double> total_, error_;
  std::int64_t most_, next_ = 0;
  std::map<std::int64_t, Part> waiting_;
  std::vector<Part> spare_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool adding_ = false, stopped_ = false;
};

}  // namespace apsp::flows
