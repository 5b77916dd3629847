#include "trace.hpp"

#include <algorithm>
#include <stdexcept>

namespace apsp_emulated {

std::uint32_t Trace::site_of(const void* where) {
  const auto hashed = reinterpret_cast<std::uintptr_t>(where) * 0x9e3779b97f4a7c15ull >> 50;
  for (auto at = static_cast<std::uint32_t>(hashed);; at = (at + 1) % kTableSize) {
    const std::uint32_t found = table_[at];
    if (found && sites_[found].where == where) return found;
    if (found) continue;
    if (sites_.size() > kTableSize / 2) throw std::length_error("a kernel has too many instructions to be counted");
    table_[at] = static_cast<std::uint32_t>(sites_.size());
    sites_.emplace_back().where = where;
    return table_[at];
  }
}

void Trace::event(Kind kind, const void* address, int size, const void* where) {
  bool is_shared = false;
  if (kind != Kind::branch) {
    const char* at = static_cast<const char*>(address);
    const char* own = reinterpret_cast<const char*>(&here);
    if ((at >= own && at < own + sizeof here) || stacks_.contains(at) || arguments_.contains(at)) return;
    is_shared = shared_.contains(at);
    if (is_shared) races_.access(thread_, at, size, kind == Kind::store, kind == Kind::atomic);
  }
  events_[static_cast<std::size_t>(thread_)].push_back({reinterpret_cast<std::uintptr_t>(address), site_of(where),
                                                        static_cast<std::uint8_t>(size), kind, is_shared});
}

void Trace::begin_block(int threads) {
  threads_ = threads;
  if (events_.size() < static_cast<std::size_t>(threads)) events_.resize(static_cast<std::size_t>(threads));
  has_ended_.assign(static_cast<std::size_t>(threads), false);
  races_.begin_block(here.block);
  ++counts_.blocks;
  counts_.threads += threads;
}

void Trace::end_thread(int thread) {
  has_ended_[static_cast<std::size_t>(thread)] = true;
  const int warp = thread / kWarp, first = warp * kWarp, last = std::min(first + kWarp, threads_);
  for (int other = first; other < last; ++other)
    if (!has_ended_[static_cast<std::size_t>(other)]) return;
  lay_side_by_side(warp, true);
}

void Trace::pass_warp_barrier(int warp) {
  ++counts_.warp_barriers;
  lay_side_by_side(warp, false);
  races_.pass_warp_barrier(warp);
}

void Trace::pass_block_barrier() {
  ++counts_.barriers;
  for (int warp = 0; warp * kWarp < threads_; ++warp) lay_side_by_side(warp, false);
  races_.pass_block_barrier();
}

void Trace::end_block() { races_.end_block(); }

void Trace::leave_branch(std::uint32_t site, std::uint32_t time, std::uint32_t target) {
  auto& branches = sites_[site].branches;
  if (branches.size() <= time) {
    if (branches.empty()) touched_.push_back(site);
    branches.resize(time + 1);
  }
  Branch& branch = branches[time];
  branch.diverges |= branch.is_taken && branch.target != target;
  if (!branch.is_taken) branch = {target, false, true};
}

void Trace::lay_side_by_side(int warp, bool is_end) {
  const int first = warp * kWarp, last = std::min(first + kWarp, threads_);
  for (int thread = first; thread < last; ++thread) {
    auto& events = events_[static_cast<std::size_t>(thread)];
    if (events.empty()) continue;
    std::uint32_t branch = kBarrier, time = 0;
    for (const Event& event : events) {
      Site& site = sites_[event.site];
      const std::uint32_t now = site.times++;
      if (event.kind == Kind::branch) {
        leave_branch(branch, time, event.site);
        branch = event.site;
        time = now;
        continue;
      }
      if (site.accesses.size() <= now) {
        if (site.accesses.empty()) touched_.push_back(event.site);
        site.accesses.resize(now + 1);
        site.sample = event;
      }
      Access& access = site.accesses[now];
      access.active |= 1u << (thread - first);
      access.size = event.size;
      access.address[thread - first] = event.address;
    }
    if (has_ended_[static_cast<std::size_t>(thread)] || is_end) leave_branch(branch, time, kEnd);
    for (const Event& event : events) sites_[event.site].times = 0;
    events.clear();
  }
  for (const std::uint32_t number : touched_) {
    Site& site = sites_[number];
    count(site);
    site.accesses.clear();
    site.branches.clear();
  }
  touched_.clear();
}

void Trace::count(const Site& site) {
  for (const Branch& branch : site.branches) counts_.divergent_branches += branch.diverges;
  const Event& event = site.sample;
  for (const Access& access : site.accesses) {
    const int active = __builtin_popcount(access.active);
    if (active == 0) continue;
    if (event.is_shared) {
      (event.kind == Kind::load ? counts_.shared_loads : counts_.shared_stores) += active;
      ++counts_.shared_requests;
      counts_.bank_conflicts += bank_conflicts(access);
      counts_.bank_conflicts_cc1 += bank_conflicts_cc1(access);
    } else if (event.kind == Kind::atomic) {
      counts_.atomics += active;
      ++counts_.atomic_requests;
      counts_.atomic_sectors += pieces(access, 32);
      counts_.atomic_collisions += active - distinct(access);
    } else {
      const bool is_load = event.kind == Kind::load;
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
  }
}

}  // namespace apsp_emulated
