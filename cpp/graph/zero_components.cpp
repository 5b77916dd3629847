#include "graph/zero_components.hpp"

#include <utility>

#include "graph/strong.hpp"

namespace apsp::graph {

ZeroComponents::ZeroComponents(std::int64_t n, ForArcs for_out, ForArcs for_in, const Control& control) {
  std::vector<std::int64_t> start(n + 1, 0);
  std::vector<std::int32_t> heads;
  for (std::int64_t v = 0; v < n; ++v) {
    for_out(v, [&](std::int32_t head) {
      heads.push_back(head);
      return true;
    });
    start[v + 1] = static_cast<std::int64_t>(heads.size());
  }
  if (heads.empty()) return;
  group(n, start, heads, control);
  before_.assign(n, kNone);
  onward_.assign(n, kNone);
  place_.assign(n, kNone);
  for (std::int64_t c = 0; c < count(); ++c) {
    grow(c, for_out, before_);
    grow(c, for_in, onward_);  // the last one: vertices are in order of their way to the root
  }
  for (std::size_t i = 0; i < members_.size(); ++i) place_[members_[i]] = static_cast<std::int32_t>(i);
}

void ZeroComponents::group(std::int64_t n, const std::vector<std::int64_t>& start,
                           const std::vector<std::int32_t>& heads, const Control& control) {
  component_.resize(n);
  std::vector<std::int32_t> size(strong(n, start.data(), heads.data(), component_.data(), control), 0);
  for (const std::int32_t c : component_) ++size[c];
  std::vector<std::int32_t> number(size.size(), kAlone);
  for (std::size_t c = 0; c < size.size(); ++c) {
    if (size[c] < 2) continue;
    number[c] = static_cast<std::int32_t>(count());
    start_.push_back(start_.back() + size[c]);
  }
  members_.resize(start_.back());
  std::vector<std::int32_t> next(start_.begin(), start_.end() - 1);
  const auto degree = [&](std::int32_t v) { return start[v + 1] - start[v]; };
  for (std::int64_t v = 0; v < n; ++v) {
    component_[v] = number[component_[v]];
    if (component_[v] == kAlone) continue;
    const std::int32_t first = start_[component_[v]], at = next[component_[v]]++;
    members_[at] = static_cast<std::int32_t>(v);
    if (degree(members_[at]) > degree(members_[first])) std::swap(members_[at], members_[first]);
  }
}

void ZeroComponents::grow(std::int64_t c, ForArcs for_arcs, std::vector<std::int32_t>& parent) {
  const std::int32_t root = members_[start_[c]];
  std::int32_t found = start_[c] + 1;
  for (std::int32_t next = start_[c]; found < start_[c + 1]; ++next) {
    const std::int32_t u = members_[next];
    for_arcs(u, [&](std::int32_t v) {
      if (component_[v] == c && v != root && parent[v] == kNone) {
        parent[v] = u;
        members_[found++] = v;
      }
      return found < start_[c + 1];
    });
  }
}

}  // namespace apsp::graph
