#include "bindings/interpreter.hpp"

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#if defined(__GLIBCXX__)
#include <cxxabi.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#include <pthread.h>
#elif defined(_WIN32)
#include <windows.h>
#endif

#include "runtime/ready_to_throw.hpp"

namespace apsp::bindings {

namespace {

// Never destroyed: threads may still use it while the process ends.
struct State {
  std::mutex mutex;
  std::condition_variable idle;
  Running* first = nullptr;
  std::uint64_t generation = 0;
  bool is_ending = false;
  std::thread::id ender;
};

alignas(State) unsigned char memory[sizeof(State)];
State& state() noexcept { return *reinterpret_cast<State*>(memory); }

#if defined(Py_LIMITED_API) && Py_LIMITED_API < 0x030D0000
// A function of the interpreter; null without it.
void* found(const char* name) noexcept {
#if defined(_WIN32)
  HMODULE python = nullptr;
  GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                     reinterpret_cast<const char*>(&Py_GetVersion), &python);
  return python ? reinterpret_cast<void*>(GetProcAddress(python, name)) : nullptr;
#else
  return dlsym(RTLD_DEFAULT, name);
#endif
}

// The stable ABI of Python 3.12 has no name for it: 3.12 exports the second, later versions the first.
bool is_finalizing() noexcept {
  using Function = int (*)();
  static const auto function = [] {
    void* const of_later_versions = found("Py_IsFinalizing");
    return reinterpret_cast<Function>(of_later_versions ? of_later_versions : found("_Py_IsFinalizing"));
  }();
  return function && function() != 0;
}
#elif PY_VERSION_HEX >= 0x030D0000
bool is_finalizing() noexcept { return Py_IsFinalizing() != 0; }
#else
bool is_finalizing() noexcept { return _Py_IsFinalizing() != 0; }
#endif

[[noreturn, maybe_unused]] void sleep_for_ever() noexcept {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

// The functions at exit run, and after them the interpreter ends, unless they were called directly: then the
// interpreter and this thread continue.
void sleep_while_ending() noexcept {
  for (int i = 0; i < 100 || is_finalizing(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

bool ends_elsewhere() {
  const std::lock_guard lock(state().mutex);
  return state().is_ending && state().ender != std::this_thread::get_id();
}

#if defined(__unix__) || defined(__APPLE__)
// The other threads do not exist any more, so nothing will be unlocked or ended by them.
void begin_in_child() noexcept {
  const std::uint64_t generation = state().generation + 1;
  new (memory) State;
  state().generation = generation;
}
#endif

PyObject* at_exit(PyObject*, PyObject*) noexcept {
  stop_kernels();
  Py_RETURN_NONE;
}

PyMethodDef at_exit_method = {"stop_kernels", &at_exit, METH_NOARGS, "Stop all kernels that run."};

void register_at_exit() {
  PyObject* module = PyImport_ImportModule("atexit");
  PyObject* function = module ? PyCFunction_New(&at_exit_method, nullptr) : nullptr;
  PyObject* done = function ? PyObject_CallMethod(module, "register", "O", function) : nullptr;
  Py_XDECREF(module);
  Py_XDECREF(function);
  if (!done) throw std::runtime_error("atexit.register failed");
  Py_DECREF(done);
}

}  // namespace

void stop_kernels() {
  const Unlocked unlocked;
  std::unique_lock lock(state().mutex);
  state().is_ending = true;
  state().ender = std::this_thread::get_id();
  for (Running* each = state().first; each; each = each->after_) {
    each->is_stopped_ = true;
    each->control_->cancel();
  }
  state().idle.wait(lock, [] { return !state().first; });
}

void prepare_interpreter() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0)  // 0 is the main one
    throw std::runtime_error("apsp does not run in subinterpreters: import it in the main interpreter");
  static bool is_prepared = false;  // a module that was removed from sys.modules is created again
  if (is_prepared) return;
  is_prepared = true;
  new (memory) State;
  ready_to_throw();
#if defined(__unix__) || defined(__APPLE__)
  pthread_atfork(nullptr, nullptr, &begin_in_child);
#endif
  register_at_exit();
#if defined(NDEBUG)
  nanobind::set_leak_warnings(false);  // objects of daemon threads at interpreter exit are not leaks
#endif
}

std::uint64_t generation() noexcept { return state().generation; }

Running::Running(Control& control) : control_(&control), generation_(generation()) {
  ready_to_throw();
  if (ends_elsewhere()) {
    const Unlocked unlocked;
    sleep_while_ending();
    const std::lock_guard lock(state().mutex);
    state().is_ending = false;
  }
  const std::lock_guard lock(state().mutex);
  after_ = state().first;
  if (after_) after_->before_ = this;
  state().first = this;
  is_listed_ = true;
}

void Running::end() noexcept {
  if (!is_listed_ || generation_ != generation()) return;
  const std::lock_guard lock(state().mutex);
  (before_ ? before_->after_ : state().first) = after_;
  if (after_) after_->before_ = before_;
  is_listed_ = false;
  if (!state().first) state().idle.notify_all();
}

void Running::sleep_if_stopped() const noexcept {
  if (is_stopped_) sleep_while_ending();
}

#if defined(__GLIBCXX__)
#define APSP_OR_SLEEP             \
  catch (abi::__forced_unwind&) { \
    sleep_for_ever();             \
  }
#else  // the other libraries end the thread without unwinding
#define APSP_OR_SLEEP \
  catch (...) {       \
    throw;            \
  }
#endif

void Unlocked::take(PyThreadState* state) noexcept {
  try {
    PyEval_RestoreThread(state);
  }
  APSP_OR_SLEEP
}

PyObject* call(PyObject* function, PyObject* argument) noexcept {
  try {
    return PyObject_CallFunctionObjArgs(function, argument, nullptr);
  }
  APSP_OR_SLEEP
}

}  // namespace apsp::bindings
