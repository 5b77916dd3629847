// Sums of vectors that threads finish in any order, added in the order of their numbers: the result does not
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

namespace apsp::flows {

class OrderedSums {
 public:
  using Part = std::unique_ptr<std::vector<double>>;

  explicit OrderedSums(std::int64_t size, int threads)
      : total_(size, 0.0), error_(size, 0.0), most_(2 * threads + 2) {}

  // An array of zeros for a part.
  Part take() {
    {
      const std::lock_guard lock(mutex_);
      if (!spare_.empty()) {
        Part part = std::move(spare_.back());
        spare_.pop_back();
        return part;
      }
    }
    return std::make_unique<std::vector<double>>(total_.size(), 0.0);
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
  // Neumaier's compensation; the part becomes zero.
  void add(std::vector<double>& part) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      const double value = part[i], sum = total_[i] + value;
      error_[i] +=
          std::fabs(total_[i]) >= std::fabs(value) ? (total_[i] - sum) + value : (value - sum) + total_[i];
      total_[i] = sum;
      part[i] = 0;
    }
  }

  std::vector<double> total_, error_;
  std::int64_t most_, next_ = 0;
  std::map<std::int64_t, Part> waiting_;
  std::vector<Part> spare_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool adding_ = false, stopped_ = false;
};

}  // namespace apsp::flows
