// A launch: the blocks of a grid, spread over the cores or, while accesses are counted, one after another.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "block.hpp"
#include "registry.hpp"

namespace apsp_emulated {

struct Launch {
  const Kernel* kernel = nullptr;
  Index grid{1, 1, 1}, block{1, 1, 1};
  void** arguments = nullptr;  // addresses
  int cores = 1;
  Order order;
  Observer* observer = nullptr;  // only with one core
  // Called now and then by the launching thread: true stops the launch once the blocks that run have ended.
  std::function<bool()> is_cancelled;
};

// The block that deadlocked, or {-1, -1, -1} if all have ended.
Index run(const Launch& launch);

}  // namespace apsp_emulated
