// How a thread yields to the next one. All of this is inlined into one function, since a processor
// mispredicts returns of functions after stacks were exchanged.
#pragma once
#include <bit>
#include <cstring>
#include <utility>

#include "block.hpp"

#define APSP_INLINE __attribute__((always_inline)) inline

namespace apsp_emulated {

APSP_INLINE int Block::idle_stack() {
  if (idle_.empty()) {
    fibers_[static_cast<std::size_t>(begun_stacks_)] = stacks_.begin(begun_stacks_, &Block::live, this);
    return begun_stacks_++;
  }
  const int stack = idle_.back();
  idle_.pop_back();
  return stack;
}

APSP_INLINE void Block::switch_stack(int stack) {
  const int own = running_stack_;
  if (stack == own) return;
  running_stack_ = stack;
  void** from = own == kScheduler ? &scheduler_ : &fibers_[static_cast<std::size_t>(own)];
  apsp_emulated_switch(from, stack == kScheduler ? scheduler_ : fibers_[static_cast<std::size_t>(stack)]);
}

APSP_INLINE void Block::place(int position) {
  position_ = position;
  thread_ = order_[static_cast<std::size_t>(warp_ * kWarp + position)];
  here_->thread = places_[static_cast<std::size_t>(thread_)];
  if (observer_) observer_->begin_thread(thread_);
}

// Switches to the thread of the warp that is next: one that has not begun, one that is ready, or, if all that
// are left wait for the warp, one of those; else back to `run`.
APSP_INLINE void Block::go_on() {
  if (next_ < until_) {
    switch_stack(idle_stack());
    return;
  }
  if (!running_->ready && !release_warp()) {
    switch_stack(kScheduler);
    return;
  }
  const int position = std::countr_zero(running_->ready);
  running_->ready &= running_->ready - 1;
  place(position);
  switch_stack(running_->stack[position]);
}

APSP_INLINE bool Block::release_warp() {
  Warp& warp = *running_;
  if (!warp.waits || warp.waits != (warp.named ? warp.named & warp.alive : warp.alive)) return false;
  warp.ready = warp.waits;
  warp.waits = warp.named = 0;
  warp.ballot = std::exchange(warp.claims, 0);
  warp.present = std::exchange(warp.arrived, 0);
  if (std::exchange(warp.exchanges, false)) std::memcpy(warp.handed, warp.own, sizeof warp.own);
  if (observer_) observer_->pass_warp_barrier(warp_);
  return true;
}

APSP_INLINE void Block::meet_warp(bool claim) {
  const std::uint32_t bit = 1u << lane();
  running_->waits |= 1u << position_;
  running_->arrived |= bit;
  if (claim) running_->claims |= bit;
  go_on();
}

APSP_INLINE const std::uint64_t* Block::exchange(std::uint64_t own) {
  running_->own[lane()] = own;
  running_->exchanges = true;
  meet_warp(false);
  return running_->handed;
}

APSP_INLINE void Block::meet_block(bool claim, bool counts) {
  running_->waits_for_block |= 1u << position_;
  ++block_waiting_;
  block_claiming_ += claim;
  block_counting_ += counts;
  go_on();
}

#undef APSP_INLINE

}  // namespace apsp_emulated
