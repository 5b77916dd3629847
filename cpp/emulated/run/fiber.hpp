// Fibers: several calls of a kernel that run in turn on one thread of the CPU. A fiber has a separate stack
// and yields only by `switch_to`.
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

  // Allocates `count` stacks; must not be called while stacks are in use. Throws std::bad_alloc.
  void reserve(int count);

  // Gives up the fibers on all stacks.
  void abandon();

  // The stack pointer of a fiber that begins with entry(argument), which must never return.
  void* begin(int number, void (*entry)(void*), void* argument) const;

  bool contains(const void* address) const {
    const char* at = static_cast<const char*>(address);
    return at >= memory_ && at < memory_ + bytes_;
  }

 private:
  // The end of a stack. Stacks end at different places of a page, so that they do not compete for the same
  // cache lines.
  char* top_of(int number) const {
    return memory_ + static_cast<std::size_t>(number + 1) * kBytes -
           static_cast<std::size_t>(number % 61) * 192;
  }

  char *mapped_ = nullptr, *memory_ = nullptr;  // the second begins at a large page
  std::size_t bytes_ = 0;
};

}  // namespace apsp_emulated

// Continues at the stack pointer `to`; stores that of the caller in *from. Returns when another fiber
// switches back.
extern "C" void apsp_emulated_switch(void** from, void* to);
