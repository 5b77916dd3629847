// A set of numbers below a limit that is emptied often: a number is in it if its mark is that of this round.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace apsp {

class Marks {
 public:
  explicit Marks(std::int64_t size) : marks_(static_cast<std::size_t>(size), 0) {}

  void clear() {
    if (++round_ == 0) {
      std::fill(marks_.begin(), marks_.end(), 0);
      round_ = 1;
    }
  }
  void add(std::int64_t i) noexcept { marks_[i] = round_; }
  bool has(std::int64_t i) const noexcept { return marks_[i] == round_; }

 private:
  std::vector<std::uint32_t> marks_;
  std::uint32_t round_ = 1;
};

}  // namespace apsp
