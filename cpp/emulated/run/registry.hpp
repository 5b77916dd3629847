// The kernels that are compiled into this extension, by the expressions that Python uses. Every file of
// kernels is compiled twice: plain, and instrumented, so that every access to memory is seen.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace apsp_emulated {

struct Kernel {
  const char* expression;         // as in Python: "apsp::relax_pairs<int>"
  bool is_counted;                // instrumented
  void (*call)(void* arguments);  // an array of addresses; for the thread `here`
  const std::size_t* sizes;       // bytes of each argument
  int count;                      // of arguments
};

std::vector<Kernel>& registry();

struct Registration {
  explicit Registration(const Kernel& kernel);
};

// The call of a kernel with arguments that lie at given addresses.
template <auto kKernel>
struct Caller;
template <class... Arguments, void (*kKernel)(Arguments...)>
struct Caller<kKernel> {
  static constexpr std::size_t kSizes[] = {sizeof(Arguments)..., 0};
  static constexpr int kCount = sizeof...(Arguments);
  static void call(void* arguments) {
    call(static_cast<void**>(arguments), std::make_index_sequence<sizeof...(Arguments)>{});
  }
  template <std::size_t... kNumber>
  static void call(void** arguments, std::index_sequence<kNumber...>) {
    kKernel(*static_cast<Arguments*>(arguments[kNumber])...);
  }
};

}  // namespace apsp_emulated
