#include "block.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "going_on.hpp"

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
    std::swap(first[count - 1],
              first[static_cast<std::ptrdiff_t>(drawn(state) % static_cast<std::uint64_t>(count))]);
}

std::uint32_t first_bits(int count) { return count >= kWarp ? ~0u : (1u << count) - 1; }

}  // namespace

// The position of each thread in the block, and the order of warps and threads.
void Block::arrange(Order order) {
  const Index size = here_->block_size;
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
  warps_.resize(static_cast<std::size_t>(warps));
  for (int warp = 0; warp < warps; ++warp) {
    const auto first = order_.begin() + warp * kWarp,
               last = order_.begin() + std::min((warp + 1) * kWarp, threads_);
    if (order.kind == Order::Kind::backward) std::reverse(first, last);
    if (order.kind == Order::Kind::random) shuffle(first, last, draws_);
  }
  if (order.kind == Order::Kind::backward) std::reverse(warp_order_.begin(), warp_order_.end());
  if (order.kind == Order::Kind::random) shuffle(warp_order_.begin(), warp_order_.end(), draws_);
}

Outcome Block::run(int threads, void (*body)(void*), void* argument, Order order, Observer* observer,
                   Watch& watch) {
  if (static_cast<std::size_t>(threads) > fibers_.size()) {
    stacks_.reserve(threads);
    idle_.clear();
    begun_stacks_ = 0;
    idle_.reserve(static_cast<std::size_t>(threads));
    fibers_.assign(static_cast<std::size_t>(threads), nullptr);
  }
  here_ = &here;
  here_->scheduler = this;
  threads_ = threads;
  body_ = body;
  argument_ = argument;
  observer_ = observer;
  done_ = block_waiting_ = block_counting_ = block_claiming_ = 0;
  draws_ = order.seed ^
           (static_cast<std::uint64_t>(here_->block.y) << 32 | static_cast<std::uint32_t>(here_->block.x));
  arrange(order);

  if (observer_) observer_->begin_block(threads, stacks_);
  for (const int warp : warp_order_) {
    begin(warp);
    if (error_ || watch.stops()) return give_up(Outcome::stopped);
  }
  while (done_ < threads_) {
    if (!release_block()) return give_up(Outcome::stuck);
    for (const int warp : warp_order_) {
      run_ready(warp);
      if (error_ || watch.stops()) return give_up(Outcome::stopped);
    }
  }
  if (observer_) observer_->end_block();
  here_->scheduler = nullptr;
  return Outcome::ended;
}

// The fibers are abandoned, and their stacks are reused.
Outcome Block::give_up(Outcome outcome) {
  here_->scheduler = nullptr;
  stacks_.abandon();
  idle_.clear();
  begun_stacks_ = 0;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return outcome;
}

void Block::begin(int warp) {
  warp_ = warp;
  running_ = &warps_[static_cast<std::size_t>(warp)];
  next_ = 0;
  until_ = std::min(kWarp, threads_ - warp * kWarp);
  running_->alive = first_bits(until_);
  running_->ready = running_->waits = running_->waits_for_block = running_->claims = running_->arrived = 0;
  running_->exchanges = false;
  running_->named = 0;
  running_stack_ = kScheduler;
  switch_stack(idle_stack());
}

void Block::name(unsigned lanes) {
  std::uint32_t named = 0;
  for (int position = 0; position < std::min(kWarp, threads_ - warp_ * kWarp); ++position)
    if (lanes >> (order_[static_cast<std::size_t>(warp_ * kWarp + position)] % kWarp) & 1)
      named |= 1u << position;
  running_->named = named;
}

void Block::run_ready(int warp) {
  warp_ = warp;
  running_ = &warps_[static_cast<std::size_t>(warp)];
  running_stack_ = kScheduler;
  if (running_->ready) go_on();
}

// The work of a fiber: one thread after another, as long as there are threads that have not begun. Exceptions
// of the observer must not leave the fiber, and are handled before the stack is abandoned.
void Block::live(void* self) {
  auto* block = static_cast<Block*>(self);
  for (;;) {
    try {
      while (block->next_ < block->until_) {
        const int position = block->next_++;
        block->running_->stack[position] = block->running_stack_;
        block->place(position);
        block->body_(block->argument_);
        block->running_->alive &= ~(1u << block->position_);  // others may have run since
        ++block->done_;
        if (block->observer_) block->observer_->end_thread(block->thread_);
      }
      block->idle_.push_back(block->running_stack_);
      block->go_on();
    } catch (...) {
      block->error_ = std::current_exception();
    }
    if (block->error_) block->switch_stack(kScheduler);
  }
}

bool Block::release_block() {
  if (!block_waiting_ || block_waiting_ != threads_ - done_) return false;
  if (block_counting_ != 0 && block_counting_ != block_waiting_) return false;
  for (Warp& warp : warps_) warp.ready = std::exchange(warp.waits_for_block, 0);
  block_present_ = std::exchange(block_waiting_, 0);
  block_claims_ = std::exchange(block_claiming_, 0);
  block_counting_ = 0;
  if (observer_) observer_->pass_block_barrier();
  return true;
}

}  // namespace apsp_emulated
