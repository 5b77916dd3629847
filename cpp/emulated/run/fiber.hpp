// Fibers: several calls of a kernel that take turns on one thread of the CPU. A fiber keeps its own stack and
// gives up the processor only by `switch_to`.
#pragma once
#include <cstddef>
#include <vector>

namespace apsp_emulated {

// Stacks of equal size that are used again and again; memory is taken in one piece, page by page as it is
// touched.
class Stacks {
 public:
  static constexpr std::size_t kBytes = 64 << 10;

  Stacks() = default;
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  // Room for `count` stacks; those in use must not grow. Throws std::bad_alloc.
  void reserve(int count);

  // The stack pointer of a fiber that begins with entry(argument), which must never return.
  void* begin(int number, void (*entry)(void*), void* argument) const;

  bool contains(const void* address) const {
    const char* at = static_cast<const char*>(address);
    return at >= memory_ && at < memory_ + bytes_;
  }

 private:
  // The end of a stack. Stacks end at different places of a page, or all would meet in the same cache lines.
  char* top_of(int number) const {
    return memory_ + static_cast<std::size_t>(number + 1) * kBytes -
           static_cast<std::size_t>(number % 61) * 192;
  }

  char *mapped_ = nullptr, *memory_ = nullptr;  // the second begins at a large page
  std::size_t bytes_ = 0;
};

}  // namespace apsp_emulated

// Goes on at the stack pointer `to`; the caller's own is left in *from. Returns when another switches back.
extern "C" void apsp_emulated_switch(void** from, void* to);
