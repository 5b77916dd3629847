#include "runtime/no_fork.hpp"

#include <mutex>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace apsp {

namespace {

std::mutex starting;

#if defined(__unix__) || defined(__APPLE__)
// The thread that forks exists in the child, too, and unlocks it there.
[[maybe_unused]] const bool is_registered =
    pthread_atfork([] { starting.lock(); }, [] { starting.unlock(); }, [] { starting.unlock(); }) == 0;
#endif

}  // namespace

NoFork::NoFork() { starting.lock(); }
NoFork::~NoFork() { starting.unlock(); }

}  // namespace apsp
