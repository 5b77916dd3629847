// The Python module apsp._emulated: the CUDA kernels of this package, compiled for this CPU, and the launches
// that run them. See src/apsp/gpu/emulated/.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "bindings/interpreter.hpp"
#include "count/image.hpp"
#include "count/tracing.hpp"
#include "run/launch.hpp"

namespace nb = nanobind;

namespace apsp_emulated {

namespace {

// Which kernel an expression names, plain and counted.
const Kernel* find(const std::string& expression, bool is_counted) {
  static const auto all = [] {
    std::unordered_map<std::string, const Kernel*> found;
    for (const Kernel& kernel : registry())
      found[(kernel.is_counted ? "c" : "p") + std::string(kernel.expression)] = &kernel;
    return found;
  }();
  const auto at = all.find((is_counted ? "c" : "p") + expression);
  return at == all.end() ? nullptr : at->second;
}

// The bytes of the arguments of a launch, each aligned to 16. Numbers and structs are copied; of a device
// array the address is copied.
class Arguments {
 public:
  Arguments(const Kernel& kernel, nb::handle values, nb::handle array_type) {
    const auto count = static_cast<int>(nb::len(values));
    if (count != kernel.count)
      throw std::invalid_argument("the kernel takes " + std::to_string(kernel.count) + " arguments, not " +
                                  std::to_string(count));
    for (int i = 0; i < count; ++i) add(kernel, i, values[i], array_type);
  }
  void** addresses() { return addresses_; }
  Range range() const {
    const auto* from = reinterpret_cast<const char*>(this);
    return {from, from + sizeof *this};
  }

 private:
  void add(const Kernel& kernel, int number, nb::handle value, nb::handle array_type) {
    Py_buffer view;
    if (PyObject_GetBuffer(value.ptr(), &view, PyBUF_FULL_RO) != 0) throw nb::python_error();
    const int is_array = PyObject_IsInstance(value.ptr(), array_type.ptr());
    void* pointer = view.buf;
    const void* from = is_array ? static_cast<const void*>(&pointer) : view.buf;
    const std::size_t size = is_array ? sizeof pointer : static_cast<std::size_t>(view.len);
    const bool fits = size == kernel.sizes[number] && used_ + size <= sizeof bytes_;
    const bool is_host_array = !is_array && view.ndim > 0;
    if (fits && !is_host_array) {
      std::memcpy(bytes_ + used_, from, size);
      addresses_[number] = bytes_ + used_;
      used_ += (size + 15) / 16 * 16;
    }
    PyBuffer_Release(&view);
    const std::string words = "argument " + std::to_string(number) + " of " + kernel.expression;
    if (is_host_array) throw std::invalid_argument(words + " is an array of the host");
    if (!fits)
      throw std::invalid_argument(words + " has " + std::to_string(size) + " bytes, and the kernel takes " +
                                  std::to_string(kernel.sizes[number]));
  }

  alignas(16) char bytes_[kMostArgumentBytes];
  void* addresses_[256];
  std::size_t used_ = 0;
};

Index index_of(nb::handle shape) {
  Index found{1, 1, 1};
  int* const places[] = {&found.x, &found.y, &found.z};
  const auto count = nb::len(shape);
  if (count < 1 || count > 3) throw std::invalid_argument("a grid or a block has 1 to 3 dimensions");
  for (std::size_t i = 0; i < count; ++i) *places[i] = nb::cast<int>(shape[i]);
  return found;
}

void check(const Launch& launch) {
  const Index grid = launch.grid, block = launch.block;
  const auto threads = static_cast<long long>(block.x) * block.y * block.z;
  if (block.x < 1 || block.y < 1 || block.z < 1 || threads > kMostThreads)
    throw std::invalid_argument("a block has 1 to 1,024 threads, not " + std::to_string(threads));
  if (grid.x < 1 || grid.y < 1 || grid.z < 1 || grid.y > 65535 || grid.z > 65535)
    throw std::invalid_argument(
        "a grid has at least one block, and at most 65,535 in its second and third dimension");
}

// Runs a launch without the interpreter's lock. Ctrl-C, any other error that a signal handler of Python
// raises, and the end of the interpreter stop it.
template <class Action>
void run_unlocked(Launch& launch, const Action& action) {
  using namespace apsp::bindings;
  apsp::Control control;
  Running running(control);
  bool is_interrupted = false;
  {
    Unlocked unlocked;
    launch.is_cancelled = [&] {
      if (control.cancelled()) return true;
      const Unlocked::Pause pause(unlocked);
      return is_interrupted = PyErr_CheckSignals() != 0;
    };
    std::exception_ptr error;
    try {
      action();
    } catch (...) {
      error = std::current_exception();
    }
    running.end();
    running.sleep_if_stopped();
    if (error) std::rethrow_exception(error);
  }
  if (is_interrupted) throw nb::python_error();
  control.check();
}

void check_ended(const Kernel& kernel, Index stuck) {
  if (stuck.x < 0) return;
  throw std::runtime_error(std::string(kernel.expression) + ": the threads of block (" +
                           std::to_string(stuck.x) + ", " + std::to_string(stuck.y) +
                           ") wait, but not at one barrier, and none can go on");
}

Order order_of(const std::string& name, std::uint64_t seed) {
  if (name == "forward") return {Order::Kind::forward, seed};
  if (name == "backward") return {Order::Kind::backward, seed};
  if (name == "random") return {Order::Kind::random, seed};
  throw std::invalid_argument("order is 'forward', 'backward' or 'random', not '" + name + "'");
}

const Kernel& kernel_of(const std::string& expression, bool is_counted) {
  const Kernel* kernel = find(expression, is_counted);
  if (!kernel) throw std::invalid_argument(expression + " is not compiled into this package");
  return *kernel;
}

void launch_plain(const std::string& expression, nb::handle grid, nb::handle block, nb::handle values,
                  nb::handle array_type, int cores) {
  const Kernel& kernel = kernel_of(expression, false);
  Arguments arguments(kernel, values, array_type);
  Launch launch;
  launch.kernel = &kernel;
  launch.grid = index_of(grid);
  launch.block = index_of(block);
  launch.arguments = arguments.addresses();
  launch.cores = cores;
  check(launch);
  Index stuck;
  run_unlocked(launch, [&] { stuck = run(launch); });
  check_ended(kernel, stuck);
}

// Shared variables of instrumented kernels are those of the process, so that one launch is counted at a time.
struct Counting {
  const std::uint64_t forks = apsp::bindings::generation();
  std::timed_mutex one_at_a_time;
  Trace trace{writable_image()};
};

// A process that was forked while a launch was counted gets a new mutex: no thread will unlock the old one.
Counting& counting_of_process() {
  static std::atomic<Counting*> kept{nullptr};  // never destroyed: threads may use it while the process ends
  Counting* found = kept.load();
  if (!found || found->forks != apsp::bindings::generation()) {
    auto made = std::make_unique<Counting>();
    if (kept.compare_exchange_strong(found, made.get())) found = made.release();
  }
  return *found;
}

nb::tuple launch_counted(const std::string& expression, nb::handle grid, nb::handle block, nb::handle values,
                         nb::handle array_type, const std::string& order, std::uint64_t seed) {
  Counting& counting = counting_of_process();
  const Kernel& kernel = kernel_of(expression, true);
  Arguments arguments(kernel, values, array_type);
  Launch launch;
  launch.kernel = &kernel;
  launch.grid = index_of(grid);
  launch.block = index_of(block);
  launch.order = order_of(order, seed);
  launch.arguments = arguments.addresses();
  check(launch);
  Counts counts;
  std::vector<Race> races;
  Index stuck;
  run_unlocked(launch, [&] {
    std::unique_lock lock(counting.one_at_a_time, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(50)))
      if (launch.is_cancelled()) return;
    Trace& trace = counting.trace;
    trace.begin_launch(arguments.range());
    launch.observer = &trace;
    tracing = &trace;
    stuck = run(launch);
    tracing = nullptr;
    counts = trace.counts();
    races = trace.races();
  });
  check_ended(kernel, stuck);
  nb::dict named;
  counts.launches = 1;
#define APSP_NAMED(name) named[#name] = counts.name;
  APSP_COUNTS(APSP_NAMED)
#undef APSP_NAMED
  nb::list found;
  for (const Race& race : races)
    found.append(nb::make_tuple(nb::make_tuple(race.block.x, race.block.y),
                                nb::make_tuple(race.first, race.second), race.offset, race.size, race.kind));
  return nb::make_tuple(named, found);
}

nb::dict of_access(const std::vector<std::uint64_t>& addresses, int size, std::uint32_t active) {
  if (addresses.size() != kWarp) throw std::invalid_argument("a warp access has 32 addresses");
  Access access;
  access.active = active;
  access.size = size;
  std::copy(addresses.begin(), addresses.end(), access.address);
  const Transactions oldest = transactions_cc10(access), old = transactions_cc12(access);
  nb::dict found;
  found["sectors"] = pieces(access, 32);
  found["transactions_128"] = pieces(access, 128);
  found["transactions_cc10"] = oldest.count;
  found["bytes_cc10"] = oldest.bytes;
  found["transactions_cc12"] = old.count;
  found["bytes_cc12"] = old.bytes;
  found["bank_conflicts"] = bank_conflicts(access);
  found["bank_conflicts_cc1"] = bank_conflicts_cc1(access);
  return found;
}

}  // namespace
}  // namespace apsp_emulated

NB_MODULE(_emulated, m) {
  using namespace apsp_emulated;
  apsp::bindings::prepare_interpreter();
  m.doc() = "The CUDA kernels of apsp on this CPU. Called from apsp.gpu.emulated alone.";
  m.def(
      "kernels",
      [](bool counted) {
        std::vector<std::string> names;
        for (const Kernel& kernel : registry())
          if (kernel.is_counted == counted) names.emplace_back(kernel.expression);
        return names;
      },
      nb::arg("counted"), "The expressions of all kernels that are compiled in, plain or instrumented.");
  m.def("launch", &launch_plain, nb::arg("expression"), nb::arg("grid"), nb::arg("block"),
        nb::arg("arguments"), nb::arg("array_type"), nb::arg("cores"),
        "Run a kernel, its blocks spread over the cores.");
  m.def("launch_counted", &launch_counted, nb::arg("expression"), nb::arg("grid"), nb::arg("block"),
        nb::arg("arguments"), nb::arg("array_type"), nb::arg("order"), nb::arg("seed"),
        "Run a kernel block after block; gives (counts, races).");
  m.def("transactions", &of_access, nb::arg("addresses"), nb::arg("size"), nb::arg("active") = 0xffffffffu,
        "What one warp access to 32 addresses costs, by every rule.");
}
