// Runs the threads of one block after another on one thread of the CPU. A thread runs until it ends or waits
// for its warp or its block; then the next one does. Threads that never wait run as a plain loop on one stack.
#pragma once
#include <cstdint>
#include <vector>

#include "fiber.hpp"
#include "here.hpp"

namespace apsp_emulated {

// In which order the threads of a block begin and go on.
struct Order {
  enum class Kind { forward, backward, random } kind = Kind::forward;
  std::uint64_t seed = 0;
};

// Told what threads do; see count/trace.hpp. The block that runs holds it while accesses are counted.
class Observer {
 public:
  virtual void begin_block(int threads) = 0;
  virtual void begin_thread(int thread) = 0;  // it runs or is resumed
  virtual void end_thread(int thread) = 0;    // it has ended
  virtual void pass_warp_barrier(int warp) = 0;
  virtual void pass_block_barrier() = 0;
  virtual void end_block() = 0;

 protected:
  ~Observer() = default;
};

class Block {
 public:
  Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  // Calls body(argument) for every thread of the block here.block. False if threads wait for each other and
  // none can go on.
  bool run(int threads, void (*body)(void*), void* argument, Order order, Observer* observer);

  // What a thread that runs calls to wait. `value` is handed to all who meet; `claim` is voted on.
  const std::uint64_t* meet_warp(std::uint64_t value, bool claim);
  void meet_block(bool claim);

  unsigned ballot() const { return warps_[warp_].ballot; }      // of the last meeting of the running warp
  unsigned present() const { return warps_[warp_].present; }    // who took part in it
  int block_claims() const { return block_claims_; }            // how many claimed at the last meeting
  int block_present() const { return block_present_; }
  const Stacks& stacks() const { return stacks_; }
  int thread() const { return thread_; }
  char* dynamic_shared() { return dynamic_shared_.data(); }

 private:
  enum class State : std::uint8_t { not_begun, ready, waits_for_warp, waits_for_block, done };
  struct Thread {
    State state = State::not_begun;
    bool claim = false;
    int stack = -1;
    std::uint64_t value = 0;
  };
  struct Warp {
    std::uint64_t values[kWarp] = {};
    unsigned ballot = 0, present = 0;
  };

  static void live(void* self);
  void place(int thread);
  void pause(State state);
  void resume(int stack);
  void begin_warp(int warp);
  void run_warp(int warp);
  bool release_warp(int warp);
  bool release_block();
  void arrange(Order order);

  int threads_ = 0, thread_ = 0, warp_ = 0, running_stack_ = 0;
  int next_ = 0, until_ = 0, done_ = 0;  // of the threads in order_ that begin now
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  Observer* observer_ = nullptr;
  void* scheduler_ = nullptr;  // its stack pointer
  std::vector<void*> fibers_;  // stack pointers
  std::vector<int> idle_;      // stacks whose fiber waits for a thread to begin
  int begun_stacks_ = 0;
  std::vector<Thread> all_;
  std::vector<Warp> warps_;
  std::vector<int> order_, warp_order_;  // of threads, warp after warp; of warps
  std::vector<Index> places_;            // of threads
  Index arranged_;                       // the shape of a block that these are for
  Order::Kind arranged_kind_ = Order::Kind::random;
  int block_claims_ = 0, block_present_ = 0;
  std::uint64_t draws_ = 0;
  Stacks stacks_;
  std::vector<char> dynamic_shared_;
};

}  // namespace apsp_emulated
