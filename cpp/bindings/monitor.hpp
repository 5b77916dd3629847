// Runs a kernel without the GIL while the calling thread watches: it reports progress, and Ctrl-C (or any
// exception that a signal handler or the progress callback raises) cancels the kernel, waits for its threads
// and is raised.
#pragma once
#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "runtime/control.hpp"

namespace apsp::bindings {

namespace nb = nanobind;

// kernel(Control&) runs on a thread of its own. progress is None or a callable(done: int), called about ten
// times a second from the calling thread with what the kernel reported through Control::advance.
template <class Kernel>
void run_monitored(const nb::object& progress, Kernel&& kernel) {
  Control control;
  std::exception_ptr kernel_error;
  std::mutex mutex;
  std::condition_variable finished_signal;
  bool finished = false;

  nb::gil_scoped_release release;
  const auto lead = [&] {
    try {
      kernel(control);
    } catch (...) {
      kernel_error = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    finished = true;
    finished_signal.notify_one();
  };
  std::thread leader;
  try {
    leader = std::thread(lead);
  } catch (const std::system_error&) {
    lead();  // the system refuses another thread: the work is done here, and cannot be watched meanwhile
  }

  std::exception_ptr caller_error;
  {
    std::unique_lock lock(mutex);
    while (!finished_signal.wait_for(lock, std::chrono::milliseconds(100), [&] { return finished; })) {
      if (caller_error) continue;  // cancelled: only wait for the threads
      lock.unlock();
      {
        nb::gil_scoped_acquire acquire;
        try {
          if (PyErr_CheckSignals() != 0) throw nb::python_error();
          if (!progress.is_none()) progress(control.done());
        } catch (...) {
          caller_error = std::current_exception();
          control.cancel();
        }
      }
      lock.lock();
    }
  }
  if (leader.joinable()) leader.join();
  nb::gil_scoped_acquire acquire;
  if (caller_error) std::rethrow_exception(caller_error);
  if (kernel_error) std::rethrow_exception(kernel_error);
  if (!progress.is_none()) progress(control.done());
}

}  // namespace apsp::bindings
