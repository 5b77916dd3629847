#include "block.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace apsp_emulated {

__thread Here here;

namespace {

// SplitMix64: the same numbers on every machine.
std::uint64_t drawn(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

template <class Iterator>
void shuffle(Iterator first, Iterator last, std::uint64_t& state) {
  for (auto count = last - first; count > 1; --count)
    std::swap(first[count - 1], first[static_cast<std::ptrdiff_t>(drawn(state) % static_cast<std::uint64_t>(count))]);
}

}  // namespace

Block::Block() : dynamic_shared_(kMostSharedBytes) {}

// Where each thread stands in the block, and in which order threads and warps run.
void Block::arrange(Order order) {
  const Index size = here.block_size;
  const bool same_shape = arranged_.x == size.x && arranged_.y == size.y && arranged_.z == size.z;
  if (same_shape && arranged_kind_ == order.kind && order.kind != Order::Kind::random) return;
  arranged_ = size;
  arranged_kind_ = order.kind;
  const int warps = (threads_ + kWarp - 1) / kWarp;
  places_.resize(static_cast<std::size_t>(threads_));
  for (int thread = 0; thread < threads_; ++thread)
    places_[static_cast<std::size_t>(thread)] = {thread % size.x, thread / size.x % size.y,
                                                 thread / (size.x * size.y)};
  order_.resize(static_cast<std::size_t>(threads_));
  std::iota(order_.begin(), order_.end(), 0);
  warp_order_.resize(static_cast<std::size_t>(warps));
  std::iota(warp_order_.begin(), warp_order_.end(), 0);
  for (int warp = 0; warp < warps; ++warp) {
    const auto first = order_.begin() + warp * kWarp,
               last = order_.begin() + std::min((warp + 1) * kWarp, threads_);
    if (order.kind == Order::Kind::backward) std::reverse(first, last);
    if (order.kind == Order::Kind::random) shuffle(first, last, draws_);
  }
  if (order.kind == Order::Kind::backward) std::reverse(warp_order_.begin(), warp_order_.end());
  if (order.kind == Order::Kind::random) shuffle(warp_order_.begin(), warp_order_.end(), draws_);
}

bool Block::run(int threads, void (*body)(void*), void* argument, Order order, Observer* observer) {
  const int warps = (threads + kWarp - 1) / kWarp;
  if (static_cast<std::size_t>(threads) > fibers_.size()) {
    stacks_.reserve(threads);
    fibers_.assign(static_cast<std::size_t>(threads), nullptr);
    idle_.clear();
    begun_stacks_ = 0;
  }
  threads_ = threads;
  all_.assign(static_cast<std::size_t>(threads), {});
  warps_.assign(static_cast<std::size_t>(warps), {});
  body_ = body;
  argument_ = argument;
  observer_ = observer;
  done_ = 0;
  here.scheduler = this;
  draws_ = order.seed ^ (static_cast<std::uint64_t>(here.block.y) << 32 | static_cast<std::uint32_t>(here.block.x));
  arrange(order);
  if (observer_) observer_->begin_block(threads);
  for (const int warp : warp_order_) begin_warp(warp);
  while (done_ < threads_) {
    if (!release_block()) break;
    for (const int warp : warp_order_) run_warp(warp);
  }
  if (observer_) observer_->end_block();
  here.scheduler = nullptr;
  if (done_ == threads_) return true;
  idle_.clear();  // fibers that wait for ever are forgotten, their stacks begin anew
  begun_stacks_ = 0;
  return false;
}

void Block::place(int thread) {
  thread_ = thread;
  here.thread = places_[static_cast<std::size_t>(thread)];
  if (observer_) observer_->begin_thread(thread);
}

// What a fiber does: one thread after another, as long as there are any to begin.
void Block::live(void* self) {
  auto* block = static_cast<Block*>(self);
  for (;;) {
    while (block->next_ < block->until_) {
      const int thread = block->order_[static_cast<std::size_t>(block->next_++)];
      block->all_[static_cast<std::size_t>(thread)].stack = block->running_stack_;
      block->place(thread);
      block->body_(block->argument_);
      const int ended = block->thread_;  // others may have run since
      block->all_[static_cast<std::size_t>(ended)].state = State::done;
      ++block->done_;
      if (block->observer_) block->observer_->end_thread(ended);
    }
    const int stack = block->running_stack_;
    block->idle_.push_back(stack);
    switch_to(&block->fibers_[static_cast<std::size_t>(stack)], block->scheduler_);
  }
}

void Block::pause(State state) {
  all_[static_cast<std::size_t>(thread_)].state = state;
  switch_to(&fibers_[static_cast<std::size_t>(running_stack_)], scheduler_);
}

void Block::resume(int stack) {
  running_stack_ = stack;
  switch_to(&scheduler_, fibers_[static_cast<std::size_t>(stack)]);
}

// Begins the threads of a warp, and runs it until it ends or waits for the block.
void Block::begin_warp(int warp) {
  warp_ = warp;
  next_ = warp * kWarp;
  until_ = std::min((warp + 1) * kWarp, threads_);
  while (next_ < until_) {
    if (idle_.empty()) {
      const int stack = begun_stacks_++;
      fibers_[static_cast<std::size_t>(stack)] = stacks_.begin(stack, &Block::live, this);
      idle_.push_back(stack);
    }
    const int stack = idle_.back();
    idle_.pop_back();
    resume(stack);
  }
  if (release_warp(warp)) run_warp(warp);
}

// Resumes those of a warp that are ready, again and again, until it ends or waits for the block.
void Block::run_warp(int warp) {
  warp_ = warp;
  const int first = warp * kWarp, last = std::min((warp + 1) * kWarp, threads_);
  do {
    for (int i = first; i < last; ++i) {
      const int thread = order_[static_cast<std::size_t>(i)];
      Thread& one = all_[static_cast<std::size_t>(thread)];
      if (one.state != State::ready) continue;
      next_ = until_ = 0;  // a fiber that ends begins nothing
      place(thread);
      resume(one.stack);
    }
  } while (release_warp(warp));
}

// Lets the threads of a warp go on if all that are left wait for it.
bool Block::release_warp(int warp) {
  Warp& meeting = warps_[static_cast<std::size_t>(warp)];
  const int first = warp * kWarp, last = std::min((warp + 1) * kWarp, threads_);
  unsigned present = 0, ballot = 0;
  for (int thread = first; thread < last; ++thread) {
    const Thread& one = all_[static_cast<std::size_t>(thread)];
    if (one.state == State::done) continue;
    if (one.state != State::waits_for_warp) return false;
    present |= 1u << (thread - first);
    if (one.claim) ballot |= 1u << (thread - first);
  }
  if (!present) return false;
  for (int thread = first; thread < last; ++thread) {
    Thread& one = all_[static_cast<std::size_t>(thread)];
    meeting.values[thread - first] = one.value;
    if (one.state == State::waits_for_warp) one.state = State::ready;
  }
  meeting.present = present;
  meeting.ballot = ballot;
  if (observer_) observer_->pass_warp_barrier(warp);
  return true;
}

// Lets all threads go on if all that are left wait for the block.
bool Block::release_block() {
  int present = 0, claims = 0;
  for (const Thread& one : all_) {
    if (one.state == State::done) continue;
    if (one.state != State::waits_for_block) return false;
    ++present;
    claims += one.claim;
  }
  if (!present) return false;
  for (Thread& one : all_)
    if (one.state == State::waits_for_block) one.state = State::ready;
  block_present_ = present;
  block_claims_ = claims;
  if (observer_) observer_->pass_block_barrier();
  return true;
}

const std::uint64_t* Block::meet_warp(std::uint64_t value, bool claim) {
  Thread& own = all_[static_cast<std::size_t>(thread_)];
  own.value = value;
  own.claim = claim;
  pause(State::waits_for_warp);
  return warps_[static_cast<std::size_t>(warp_)].values;
}

void Block::meet_block(bool claim) {
  all_[static_cast<std::size_t>(thread_)].claim = claim;
  pause(State::waits_for_block);
}

}  // namespace apsp_emulated
