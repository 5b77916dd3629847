// Runs a kernel without the GIL while the calling thread watches: it reports progress, and Ctrl-C (or any
// exception that a signal handler or the progress callback raises) cancels the kernel, waits for its threads
// and is raised.
#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>

#include "runtime/control.hpp"
#include "runtime/function_ref.hpp"

namespace apsp::bindings {

namespace nb = nanobind;

inline int is_progress(PyObject* object) noexcept { return object == Py_None || PyCallable_Check(object); }

// A callable that takes the progress, or None.
class Progress : public nb::object {
  NB_OBJECT(Progress, nb::object, "collections.abc.Callable[[int], None]", is_progress)
};

using Kernel = FunctionRef<void(Control&)>;

// Work of this number of steps (arcs relaxed, entries compared) takes a millisecond or two at most, too short
// for another thread or a release of the lock.
constexpr std::int64_t kBriefSteps = std::int64_t{1} << 17;

// Work of this number of steps takes tens of milliseconds at most, too short to be watched by another thread:
// starting and waking threads took longer than sums of a million distances.
constexpr std::int64_t kShortSteps = std::int64_t{1} << 21;

inline bool is_within(std::int64_t limit, std::int64_t rows, std::int64_t steps_per_row) noexcept {
  return rows <= limit && steps_per_row <= limit && rows * steps_per_row <= limit;
}
inline bool is_brief(std::int64_t rows, std::int64_t steps_per_row) noexcept {
  return is_within(kBriefSteps, rows, steps_per_row);
}
inline bool is_short(std::int64_t rows, std::int64_t steps_per_row) noexcept {
  return is_within(kShortSteps, rows, steps_per_row);
}

// Runs brief work in the calling thread, with the lock held.
void run_brief(const nb::object& progress, Kernel kernel);

// Runs short work in the calling thread, without the lock. Signals are handled after it.
void run_short(const nb::object& progress, Kernel kernel);

// The kernel runs on a thread of its own. progress is None or a callable(done: int), called about ten
// times per second from the calling thread with the progress that the kernel reported through
// Control::advance.
void run_monitored(const nb::object& progress, Kernel kernel);

// One of these, depending on the number of steps.
void run_monitored(const nb::object& progress, Kernel kernel, std::int64_t rows, std::int64_t steps_per_row);

}  // namespace apsp::bindings
