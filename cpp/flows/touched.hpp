// The blocks of vertices that searches have touched: what is done before and after a search takes time for
// these, not for all vertices.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace apsp::flows {

class Touched {
 public:
  explicit Touched(std::int64_t n) : n_(n), has_((n + kBlock - 1) / kBlock), blocks_(has_.size() + 1) {}

  void add(std::int32_t v) { add_block(v / kBlock); }

  void add(const Touched& others) {
    for (std::size_t i = 0; i < others.count_; ++i) add_block(others.blocks_[i]);
  }

  // Calls act(first, last) for ranges that hold all touched vertices; for one of all vertices if these are
  // most.
  template <class Act>
  void for_each_range(Act&& act) const {
    if (2 * count_ > has_.size()) return act(std::int64_t{0}, n_);
    for (std::size_t i = 0; i < count_; ++i) {
      const std::int64_t first = std::int64_t{blocks_[i]} * kBlock;
      act(first, std::min(first + kBlock, n_));
    }
  }

  void clear() {
    for (std::size_t i = 0; i < count_; ++i) has_[blocks_[i]] = 0;
    count_ = 0;
  }

 private:
  static constexpr std::int32_t kBlock = 64;

  void add_block(std::int32_t block) {
    blocks_[count_] = block;
    count_ += has_[block] == 0;
    has_[block] = 1;
  }

  std::int64_t n_;
  std::vector<std::uint8_t> has_;
  std::vector<std::int32_t> blocks_;  // the first count_ of them
  std::size_t count_ = 0;
};

}  // namespace apsp::flows
