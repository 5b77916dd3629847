// Threads are started while no other thread forks.
//
// A new thread may get the stack of one that has ended. glibc (2.36 and others) then frees the thread-local
// variables that libraries had there, and clears their list, without a lock: a child that is forked in
// between frees them again when it starts a thread ("double free or corruption").
#pragma once

namespace apsp {

// As long as one exists, a fork in another thread waits.
class NoFork {
 public:
  NoFork();
  ~NoFork();
  NoFork(const NoFork&) = delete;
  NoFork& operator=(const NoFork&) = delete;
};

}  // namespace apsp
