// The lock of the interpreter around kernels, also while the interpreter ends and in forked processes.
//
// Python before 3.14 ends a daemon thread that takes the lock while the interpreter ends by unwinding its
// stack, which C++ frames do not survive. Here such a thread sleeps until the process ends. Kernels that run
// when the interpreter begins to end are stopped first, so that none of their threads runs while the process
// is torn down.
#pragma once
#include <Python.h>

#include <cstdint>

#include "runtime/control.hpp"

namespace apsp::bindings {

// Called once by each extension when it is imported: kernels are stopped at exit, and ImportError in a
// subinterpreter.
void prepare_interpreter();

// Cancels all kernels that run and waits for their ends. With the lock held.
void stop_kernels();

// Number of forks of this process and its ancestors since the import: resources of threads of another
// generation are lost.
std::uint64_t generation() noexcept;

// A kernel that runs from its construction, with the lock held, until end(), on any thread. The end of the
// interpreter cancels it and waits for end().
class Running {
 public:
  explicit Running(Control& control);
  ~Running() { end(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void end() noexcept;
  // Without the lock: if the interpreter ends, which has cancelled the kernel, sleeps until the process ends.
  void sleep_if_stopped() const noexcept;

 private:
  friend void stop_kernels();
  Control* control_;
  Running *before_ = nullptr, *after_ = nullptr;  // of the list of all
  std::uint64_t generation_;
  bool is_listed_ = false, is_stopped_ = false;
};

// Releases the lock for the lifetime of this object.
class Unlocked {
 public:
  Unlocked() noexcept : state_(PyEval_SaveThread()) {}
  ~Unlocked() { take(state_); }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

  // Acquires the lock again for the lifetime of this object.
  class Pause {
   public:
    explicit Pause(Unlocked& around) noexcept : around_(around) { take(around_.state_); }
    ~Pause() { around_.state_ = PyEval_SaveThread(); }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    Unlocked& around_;
  };

 private:
  static void take(PyThreadState* state) noexcept;
  PyThreadState* state_;
};

// Calls function(argument), a Python function that may be running when the interpreter ends. A
// new reference, or null with an error set.
PyObject* call(PyObject* function, PyObject* argument) noexcept;

}  // namespace apsp::bindings
