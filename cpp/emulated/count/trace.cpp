#include "trace.hpp"

#include <algorithm>

namespace apsp_emulated {

void Trace::begin_launch(Range arguments) {
  arguments_ = arguments;
  counts_ = {};
  races_.begin_launch();
  // Sites of other kernels are removed before there are many, also those left by a launch that failed.
  if (sites_.size() > kManySites || !touched_.empty()) forget_sites();
}

void Trace::forget_sites() {
  touched_.clear();
  sites_.clear();
  sites_.resize(kEnd + 1);
  std::fill(table_.begin(), table_.end(), kNone);
}

std::uint32_t Trace::site_of(const void* where) {
  for (std::size_t at = first_place(where);; at = (at + 1) & (table_.size() - 1)) {
    const std::uint32_t found = table_[at];
    if (found == kNone) break;
    if (sites_[found].where == where) return found;
  }
  const auto number = static_cast<std::uint32_t>(sites_.size());
  sites_.emplace_back().where = where;
  if (2 * sites_.size() > table_.size()) {
    table_.assign(2 * table_.size(), kNone);
    for (std::uint32_t each = kEnd + 1; each < number; ++each) enter(each);
  }
  enter(number);
  return number;
}

// The position where the search of the table begins.
std::size_t Trace::first_place(const void* where) const {
  return (reinterpret_cast<std::uintptr_t>(where) * 0x9e3779b97f4a7c15ull >> 32) & (table_.size() - 1);
}

void Trace::enter(std::uint32_t number) {
  std::size_t at = first_place(sites_[number].where);
  while (table_[at] != kNone) at = (at + 1) & (table_.size() - 1);
  table_[at] = number;
}

// Allocates the entry number `time` of a site.
void Trace::fill(Site& site, std::uint32_t number, std::uint32_t time) {
  if (time < site.filled) return;
  if (site.filled == 0) touched_.push_back(number);
  site.filled = time + 1;
  if (site.kind == Kind::branch) {
    if (site.branches.size() <= time) site.branches.resize(2 * time + 1);
    site.branches[time] = {};
  } else {
    if (site.accesses.size() <= time) site.accesses.resize(2 * time + 1);
    site.accesses[time].active = 0;
  }
}

void Trace::leave(std::uint32_t target) {
  Site& site = sites_[from_];
  fill(site, from_, time_);
  Branch& branch = site.branches[time_];
  branch.diverges |= branch.target != kNone && branch.target != target;
  if (branch.target == kNone) branch.target = target;
}

void Trace::event(Kind kind, const void* address, int size, const void* where, bool is_volatile) {
  bool is_shared = false;
  if (kind != Kind::branch) {
    const char* at = static_cast<const char*>(address);
    const char* own = reinterpret_cast<const char*>(&here);
    if ((at >= own && at < own + sizeof here) || stacks_->contains(at) || arguments_.contains(at)) return;
    is_shared = shared_.contains(at);
    if (is_shared) races_.access(thread_, at, size, kind == Kind::store, kind == Kind::atomic || is_volatile);
  }
  const std::uint32_t number = site_of(where);
  Site& site = sites_[number];
  if (site.visit != visit_) {
    site.visit = visit_;
    site.times = 0;
  }
  const std::uint32_t time = site.times++;
  site.kind = kind;
  if (kind == Kind::branch) {
    leave(number);
    from_ = number;
    time_ = time;
    return;
  }
  fill(site, number, time);
  site.is_shared = is_shared;
  Access& access = site.accesses[time];
  const int lane = thread_ % kWarp;
  access.active |= 1u << lane;
  access.size = size;
  access.address[lane] = reinterpret_cast<std::uintptr_t>(address);
}

void Trace::begin_block(int threads, const Stacks& stacks) {
  stacks_ = &stacks;
  races_.begin_block(here.block);
  warp_ = -1;
  ++counts_.blocks;
  counts_.threads += threads;
}

void Trace::begin_thread(int thread) {
  if (thread / kWarp != warp_) finish_warp();
  thread_ = thread;
  warp_ = thread / kWarp;
  ++visit_;
  from_ = kBarrier;
  time_ = 0;
}

void Trace::end_thread(int) { leave(kEnd); }

void Trace::pass_warp_barrier(int warp) {
  ++counts_.warp_barriers;
  finish_warp();
  races_.pass_warp_barrier(warp);
}

void Trace::pass_block_barrier() {
  ++counts_.barriers;
  finish_warp();
  races_.pass_block_barrier();
}

void Trace::end_block() {
  finish_warp();
  races_.end_block();
}

// Counts the accesses of the warp since its last barrier.
void Trace::finish_warp() {
  for (const std::uint32_t number : touched_) {
    count(sites_[number]);
    sites_[number].filled = 0;
  }
  touched_.clear();
}

void Trace::count(const Site& site) {
  for (std::uint32_t time = 0; time < site.filled; ++time) {
    if (site.kind == Kind::branch) {
      counts_.divergent_branches += site.branches[time].diverges;
      continue;
    }
    const Access& access = site.accesses[time];
    if (!access.active) continue;
    if (!site.is_shared) {
      count_global(site.kind, access);
      continue;
    }
    (site.kind == Kind::load ? counts_.shared_loads : counts_.shared_stores) +=
        __builtin_popcount(access.active);
    ++counts_.shared_requests;
    counts_.bank_conflicts += bank_conflicts(access);
    counts_.bank_conflicts_cc1 += bank_conflicts_cc1(access);
  }
}

void Trace::count_global(Kind kind, const Access& access) {
  const int active = __builtin_popcount(access.active);
  if (kind == Kind::atomic) {
    counts_.atomics += active;
    ++counts_.atomic_requests;
    counts_.atomic_sectors += pieces(access, 32);
    counts_.atomic_collisions += active - distinct(access);
    return;
  }
  const bool is_load = kind == Kind::load;
  (is_load ? counts_.global_loads : counts_.global_stores) += active;
  ++(is_load ? counts_.load_requests : counts_.store_requests);
  (is_load ? counts_.load_sectors : counts_.store_sectors) += pieces(access, 32);
  counts_.transactions_128 += pieces(access, 128);
  const Transactions oldest = transactions_cc10(access), old = transactions_cc12(access);
  counts_.transactions_cc10 += oldest.count;
  counts_.bytes_cc10 += oldest.bytes;
  counts_.transactions_cc12 += old.count;
  counts_.bytes_cc12 += old.bytes;
}

}  // namespace apsp_emulated
