#include "coalescing.hpp"

#include <algorithm>
#include <array>

namespace apsp_emulated {

namespace {

constexpr int kHalf = kWarp / 2;

// A set of at most 2 * kWarp numbers; members are few, so they are searched one by one from the newest.
class Few {
 public:
  bool insert(std::uint64_t value) {
    for (int i = count_; i-- > 0;)
      if (values_[static_cast<std::size_t>(i)] == value) return false;
    values_[static_cast<std::size_t>(count_++)] = value;
    return true;
  }
  int count() const { return count_; }

 private:
  std::array<std::uint64_t, 5 * kWarp> values_;
  int count_ = 0;
};

// Whether all 32 threads access contiguous words, as is usual.
bool is_consecutive(const Access& access) {
  if (access.active != ~0u) return false;
  for (int thread = 1; thread < kWarp; ++thread)
    if (access.address[thread] != access.address[thread - 1] + static_cast<std::uint64_t>(access.size))
      return false;
  return true;
}

bool is_active(const Access& access, int thread) { return access.active >> thread & 1; }

// The transactions of threads [first, first + 16) by the rules of capability 1.0.
Transactions half_cc10(const Access& access, int first) {
  int active = 0;
  bool in_order = access.size == 4 || access.size == 8 || access.size == 16;
  std::uint64_t base = 0;
  for (int i = 0; i < kHalf; ++i) {
    if (!is_active(access, first + i)) continue;
    const std::uint64_t own = access.address[first + i] - static_cast<std::uint64_t>(i * access.size);
    if (active++ == 0) base = own;
    in_order = in_order && own == base;
  }
  if (active == 0) return {};
  in_order = in_order && base % static_cast<std::uint64_t>(kHalf * access.size) == 0;
  if (!in_order) return {active, 32 * active};
  return {access.size == 16 ? 2 : 1, kHalf * access.size};
}

Transactions half_cc12(const Access& access, int first) {
  Transactions all;
  const std::uint64_t segment = access.size == 1 ? 32 : access.size == 2 ? 64 : 128;
  std::uint32_t left = access.active >> first & 0xffff;
  while (left) {
    const int lowest = __builtin_ctz(left);
    const std::uint64_t from = access.address[first + lowest] / segment * segment;
    std::uint64_t low = ~0ull, high = 0;
    for (int i = 0; i < kHalf; ++i) {
      const std::uint64_t at = access.address[first + i];
      if (!(left >> i & 1) || at < from || at >= from + segment) continue;
      left &= ~(1u << i);
      low = std::min(low, at);
      high = std::max(high, at + static_cast<std::uint64_t>(access.size) - 1);
    }
    std::uint64_t bytes = segment, begin = from;
    while (bytes > 32) {  // only one half is used
      const std::uint64_t middle = begin + bytes / 2;
      if (low < middle && high >= middle) break;
      if (low >= middle) begin = middle;
      bytes /= 2;
    }
    ++all.count;
    all.bytes += static_cast<int>(bytes);
  }
  return all;
}

Transactions of_halves(const Access& access, Transactions (*of)(const Access&, int)) {
  const Transactions low = of(access, 0), high = of(access, kHalf);
  return {low.count + high.count, low.bytes + high.bytes};
}

// The largest number of distinct 4-byte words in one of 32 banks, among threads [first, last).
int passes(const Access& access, int first, int last) {
  std::array<Few, 32> banks;
  int most = 0;
  for (int thread = first; thread < last; ++thread) {
    if (!is_active(access, thread)) continue;
    const std::uint64_t from = access.address[thread] / 4,
                        to = (access.address[thread] + static_cast<std::uint64_t>(access.size) - 1) / 4;
    for (std::uint64_t word = from; word <= to; ++word) {
      Few& bank = banks[word % 32];
      bank.insert(word);
      most = std::max(most, bank.count());
    }
  }
  return most;
}

// Passes of the half-warp from `first` for word number `part` of its threads. The word of the first remaining
// thread is broadcast; besides, each bank serves one thread.
int passes_cc1(const Access& access, int first, int part) {
  std::uint32_t left = access.active >> first & 0xffff;
  int count = 0;
  const auto word = [&](int i) {
    return (access.address[first + i] + static_cast<std::uint64_t>(4 * part)) / 4;
  };
  for (; left; ++count) {
    const std::uint64_t broadcast = word(__builtin_ctz(left));
    std::uint32_t busy = 1u << broadcast % 16;
    for (int i = 0; i < kHalf; ++i) {
      if (!(left >> i & 1)) continue;
      const std::uint64_t own = word(i);
      const std::uint32_t bank = 1u << own % 16;
      if (own != broadcast && (busy & bank)) continue;
      busy |= bank;
      left &= ~(1u << i);
    }
  }
  return count;
}

}  // namespace

int pieces(const Access& access, int bytes) {
  const auto size = static_cast<std::uint64_t>(bytes);
  if (is_consecutive(access)) {
    const std::uint64_t end = access.address[kWarp - 1] + static_cast<std::uint64_t>(access.size) - 1;
    return static_cast<int>(end / size - access.address[0] / size + 1);
  }
  Few found;
  for (int thread = 0; thread < kWarp; ++thread) {
    if (!is_active(access, thread)) continue;
    const std::uint64_t last = (access.address[thread] + static_cast<std::uint64_t>(access.size) - 1) / size;
    for (std::uint64_t piece = access.address[thread] / size; piece <= last; ++piece) found.insert(piece);
  }
  return found.count();
}

Transactions transactions_cc10(const Access& access) { return of_halves(access, half_cc10); }

Transactions transactions_cc12(const Access& access) { return of_halves(access, half_cc12); }

int bank_conflicts(const Access& access) {
  const int together = access.size <= 4 ? kWarp : access.size <= 8 ? kHalf : kHalf / 2;
  int conflicts = 0;
  for (int first = 0; first < kWarp; first += together)
    conflicts += std::max(passes(access, first, first + together) - 1, 0);
  return conflicts;
}

int bank_conflicts_cc1(const Access& access) {
  int conflicts = 0;
  for (int first = 0; first < kWarp; first += kHalf) {
    int needed = 0;
    for (int part = 0; 4 * part < access.size; ++part) needed += passes_cc1(access, first, part);
    conflicts += std::max(needed - 1, 0);
  }
  return conflicts;
}

int distinct(const Access& access) {
  Few found;
  for (int thread = 0; thread < kWarp; ++thread)
    if (is_active(access, thread)) found.insert(access.address[thread]);
  return found.count();
}

}  // namespace apsp_emulated
