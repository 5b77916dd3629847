#include "bindings/monitor.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "bindings/interpreter.hpp"
#include "runtime/no_fork.hpp"
#include "runtime/ready_to_throw.hpp"

namespace apsp::bindings {
namespace {

// Public functions raise only errors of the package.
[[noreturn]] void raise_error(const char* words) {
  const nb::object kind = nb::module_::import_("apsp.errors").attr("ApspError");
  PyErr_SetString(kind.ptr(), words);
  throw nb::python_error();
}

constexpr const char* kInterpreterEnds = "the work was stopped because the interpreter ends";

// Calls progress(done), unless it is None. With the lock held.
void tell(const nb::object& progress, std::int64_t done) {
  if (progress.is_none()) return;
  const nb::object number = nb::steal(PyLong_FromLongLong(done));
  if (!number.is_valid()) throw nb::python_error();
  const nb::object ignored = nb::steal(call(progress.ptr(), number.ptr()));
  if (!ignored.is_valid()) throw nb::python_error();
}

}  // namespace

void run_brief(const nb::object& progress, Kernel kernel) {
  ready_to_throw();
  Control control;
  kernel(control);
  tell(progress, control.done());
}

void run_short(const nb::object& progress, Kernel kernel) {
  Control control;
  std::exception_ptr error;
  {
    Running running{control};
    const Unlocked unlocked;
    try {
      ready_to_throw();
      kernel(control);
    } catch (...) {
      error = std::current_exception();
    }
    running.end();
    running.sleep_if_stopped();
  }
  if (control.cancelled()) raise_error(kInterpreterEnds);
  if (error) std::rethrow_exception(error);
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  tell(progress, control.done());
}

void run_monitored(const nb::object& progress, Kernel kernel) {
  // Data of the kernel's thread is not freed in a process that was forked by the progress callback.
  struct Shared {
    Control control;
    std::exception_ptr kernel_error;
    std::mutex mutex;
    std::condition_variable finished_signal;
    bool finished = false;
    std::thread leader;
    Running running{control};
  };
  auto shared = std::make_unique<Shared>();
  const std::uint64_t forks = generation();
  std::exception_ptr caller_error;
  {
    Unlocked unlocked;
    const auto lead = [&shared = *shared, &kernel] {
      try {
        ready_to_throw();
        kernel(shared.control);
      } catch (...) {
        shared.kernel_error = std::current_exception();
      }
      shared.running.end();
      const std::lock_guard lock(shared.mutex);
      shared.finished = true;
      shared.finished_signal.notify_one();
    };
    try {
      if (!has_room_for_thread()) throw std::bad_alloc();
      const NoFork guard;
      shared->leader = std::thread(lead);
    } catch (const std::exception&) {
      lead();  // the system starts no thread: the work is done here, without progress
    }

    std::unique_lock lock(shared->mutex);
    while (!shared->finished_signal.wait_for(lock, std::chrono::milliseconds(100),
                                             [&] { return shared->finished; })) {
      if (caller_error || shared->control.cancelled()) continue;  // only wait for the threads
      lock.unlock();
      {
        const Unlocked::Pause pause(unlocked);
        try {
          if (PyErr_CheckSignals() != 0) throw nb::python_error();
          tell(progress, shared->control.done());
        } catch (...) {
          caller_error = std::current_exception();
        }
        if (forks != generation()) break;
        if (caller_error) shared->control.cancel();
      }
      lock.lock();
    }
    if (forks == generation()) {
      if (lock.owns_lock()) lock.unlock();
      if (shared->leader.joinable()) shared->leader.join();
      shared->running.sleep_if_stopped();
    }
  }
  if (forks != generation()) {
    shared.release();  // NOLINT(bugprone-unused-return-value)
    if (!caller_error) raise_error("this process was forked during the work, which only its parent does");
  }
  if (caller_error) std::rethrow_exception(caller_error);
  if (shared->control.cancelled()) raise_error(kInterpreterEnds);
  if (shared->kernel_error) std::rethrow_exception(shared->kernel_error);
  tell(progress, shared->control.done());
}

void run_monitored(const nb::object& progress, Kernel kernel, std::int64_t rows, std::int64_t steps_per_row) {
  if (is_brief(rows, steps_per_row))
    run_brief(progress, kernel);
  else if (is_short(rows, steps_per_row))
    run_short(progress, kernel);
  else
    run_monitored(progress, kernel);
}

}  // namespace apsp::bindings
