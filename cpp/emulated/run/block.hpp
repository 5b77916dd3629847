// Runs the threads of one block on one thread of the CPU. A thread runs until it ends or waits for its warp
// or its block; then it switches to the next one itself. Threads that never wait run as a plain loop on one
// stack.
#pragma once
#include <cstdint>
#include <exception>
#include <vector>

#include "fiber.hpp"
#include "here.hpp"

namespace apsp_emulated {

// The order in which the warps of a block, and the threads of a warp, begin and continue.
struct Order {
  enum class Kind { forward, backward, random } kind = Kind::forward;
  std::uint64_t seed = 0;
};

// Observes the threads; see count/trace.hpp.
class Observer {
 public:
  virtual void begin_block(int threads, const Stacks& stacks) = 0;
  virtual void begin_thread(int thread) = 0;  // it runs or is resumed
  virtual void end_thread(int thread) = 0;    // it has ended
  virtual void pass_warp_barrier(int warp) = 0;
  virtual void pass_block_barrier() = 0;
  virtual void end_block() = 0;

 protected:
  ~Observer() = default;
};

// Tells whether a launch should end before its blocks have ended.
class Watch {
 public:
  virtual bool stops() = 0;

 protected:
  ~Watch() = default;
};

enum class Outcome { ended, stuck, stopped };  // all threads wait, but not at one barrier; Watch::stops()

class Block {
 public:
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  // Calls body(argument) for every thread of the block here.block. Exceptions of the observer are rethrown
  // here.
  Outcome run(int threads, void (*body)(void*), void* argument, Order order, Observer* observer,
              Watch& watch);

  // The functions that a running thread calls to wait, and to read the result.
  void meet_block(bool claim, bool counts);
  void meet_warp(bool claim);
  const std::uint64_t* exchange(std::uint64_t own);  // the values of all threads of the warp, by lane
  void name(unsigned lanes);                         // only these take part in the next meeting of the warp

  int lane() const { return thread_ % kWarp; }
  unsigned ballot() const {
    return running_->ballot;
  }  // the lanes that claimed at the last meeting of the warp
  unsigned present() const { return running_->present; }  // the lanes that took part
  int block_claims() const { return block_claims_; }      // claims at the last meeting of the block
  int block_present() const { return block_present_; }    // the number that took part

 private:
  static constexpr int kScheduler = -1;

  // Sets of threads are bits by their place in the order of the warp, so that the lowest bit is the next one.
  struct Warp {
    std::uint32_t alive = 0, ready = 0, waits = 0, waits_for_block = 0;
    std::uint32_t claims = 0, arrived = 0;  // of the current meeting, by lane
    std::uint32_t ballot = 0, present = 0;  // of the last one
    std::uint32_t named = 0;                // the places that take part in the current meeting; 0: all
    bool exchanges = false;
    int stack[kWarp];
    std::uint64_t own[kWarp], handed[kWarp];
  };

  static void live(void* self);
  Outcome give_up(Outcome outcome);
  void arrange(Order order);
  void place(int position);
  void begin(int warp);
  void run_ready(int warp);
  void go_on();
  bool release_warp();
  bool release_block();
  int idle_stack();
  void switch_stack(int stack);

  // The shape that the next members are for.
  Index arranged_;
  Order::Kind arranged_kind_ = Order::Kind::random;
  std::vector<int> order_, warp_order_;  // of threads, warp after warp; of warps
  std::vector<Index> places_;            // of threads
  std::uint64_t draws_ = 0;

  // The block that runs.
  int threads_ = 0, done_ = 0;
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  Observer* observer_ = nullptr;
  std::vector<Warp> warps_;
  std::exception_ptr error_;  // that a thread has thrown
  int block_waiting_ = 0, block_counting_ = 0, block_claiming_ = 0, block_claims_ = 0, block_present_ = 0;

  // The warp and the thread that run.
  Here* here_ = nullptr;
  Warp* running_ = nullptr;
  int warp_ = 0, position_ = 0, thread_ = 0;
  int next_ = 0, until_ = 0;  // positions whose threads have not begun

  // Fibers.
  Stacks stacks_;
  std::vector<void*> fibers_;  // stack pointers
  std::vector<int> idle_;      // stacks whose fiber waits for a thread to begin
  int begun_stacks_ = 0, running_stack_ = 0;
  void* scheduler_ = nullptr;  // the stack pointer of `run`
};

}  // namespace apsp_emulated
