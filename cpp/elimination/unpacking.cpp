#include "elimination/unpacking.hpp"

#include <algorithm>

#include "runtime/dtypes.hpp"

namespace apsp::elimination {

template <class T>
bool Unpacking<T>::write(Vertex from, Vertex to, std::vector<std::int32_t>& route, const Control& control) {
  const std::size_t before = route.size();
  later_.assign(1, {from, to});
  found_.clear();
  for (std::int64_t count = 0; !later_.empty(); ++count) {
    if (count % 1024 == 0) control.check();
    const Ends ends = later_.back();
    later_.pop_back();
    const Vertex middle = middle_of(ends);
    if (middle >= 0) {
      later_.push_back({middle, ends.to});
      later_.push_back({ends.from, middle});
      continue;
    }
    if (middle == kArc) route.push_back(-1 - tree_.order[ends.to]);
    if (middle == kArc && static_cast<std::int64_t>(route.size() - before) < tree_.n) continue;
    route.resize(before);
    return false;
  }
  return true;
}

template <class T>
Vertex Unpacking<T>::middle_of(Ends ends) {
  if (!found_.empty())
    if (const auto known = found_.find(key(ends)); known != found_.end()) return known->second;
  const Vertex s = node_[std::min(ends.from, ends.to)];
  const Front front{panels_of(tree_, factored_.values, s), place_in_front(tree_, s, ends.from),
                    place_in_front(tree_, s, ends.to)};
  const Vertex middle = at_once(s, front, ends);
  return middle == kUnknown ? among_own(s, front) : middle;
}

// Without other entries of the same supernode having been explained.
template <class T>
Vertex Unpacking<T>::at_once(Vertex s, const Front& front, Ends ends) {
  const T whole = front.value(front.row, front.column);
  if (!rules_.is_path(whole)) return kUnknown;
  if (is_arc(ends, whole)) return kArc;
  const T* line = front.line(front.row);
  const T* second = front.panels.out + front.column;
  for (std::int64_t m = 0; rules_.nonnegative && m < front.panels.k; ++m, second += front.width())
    if (Rules<T>::equal(line[m], *second, whole) && Rules<T>::shorter(line[m], *second, whole))
      return tree_.first[s] + static_cast<Vertex>(m);
  return below(s, ends, whole);
}

template <class T>
bool Unpacking<T>::is_arc(Ends ends, T value) const {
  const graph::WeightedArcs& arcs = factored_.arcs;
  const Vertex tail = tree_.order[ends.from], head = tree_.order[ends.to];
  if (factored_.zones != nullptr && factored_.zones[tail]) return false;
  const std::int32_t* last = arcs.indices + arcs.end(tail);
  const std::int32_t* found = std::lower_bound(arcs.indices + arcs.begin(tail), last, head);
  if (found == last || *found != head) return false;
  T weight;
  graph::read_weights(arcs, semiring::Algebra::kMinPlus, found - arcs.indices, 1, &weight);
  return weight == value;
}

// Supernodes with both ends among their rows: below one without, there are none.
template <class T>
Vertex Unpacking<T>::below(Vertex s, Ends ends, T whole) {
  open_.clear();
  const auto open = [&](Vertex parent) {
    for (Vertex child = children_.first[parent]; child >= 0; child = children_.next[child])
      open_.push_back(child);
  };
  const Vertex low = std::min(ends.from, ends.to), high = std::max(ends.from, ends.to);
  for (open(s); !open_.empty();) {
    const Vertex t = open_.back();
    open_.pop_back();
    const Vertex* rows = tree_.rows_of(t);
    const Vertex* last = rows + tree_.row_count(t);
    const Vertex* first = std::lower_bound(rows, last, low);
    if (first == last || *first != low) continue;
    const Vertex* second = std::lower_bound(first, last, high);
    if (second == last || *second != high) continue;
    const Panels<T> panels = panels_of(tree_, factored_.values, t);
    const std::int64_t from = (low == ends.from ? first : second) - rows,
                       to = (low == ends.from ? second : first) - rows;
    const T* in = panels.in + from * panels.k;
    const T* out = panels.out + panels.k + to;
    for (std::int64_t c = 0; c < panels.k; ++c, out += panels.k + panels.r)
      if (rules_.is_path(in[c]) && Rules<T>::equal(in[c], *out, whole))
        return tree_.first[t] + static_cast<Vertex>(c);
    open(t);
  }
  return kUnknown;
}

// As the rounds of the table, over the entries that this one depends on.
template <class T>
Vertex Unpacking<T>::among_own(Vertex s, const Front& front) {
  enum State : std::uint8_t { kOpen, kExplained, kNever };
  struct Entry {
    std::int64_t row, column;
    State state;
  };
  const std::int64_t k = front.panels.k, width = front.width();
  std::vector<Entry> entries{{front.row, front.column, kOpen}};
  std::unordered_map<std::int64_t, std::size_t> number{{front.row * width + front.column, 0}};
  const auto leads = [&](const Entry& entry, std::int64_t m) {
    if (m == entry.row || m == entry.column) return false;
    const T first = front.value(entry.row, m), second = front.value(m, entry.column),
            whole = front.value(entry.row, entry.column);
    return rules_.is_path(first) && Rules<T>::equal(first, second, whole) &&
           rules_.no_longer(first, second, whole);
  };
  const auto add = [&](std::int64_t row, std::int64_t column) {
    if (!number.emplace(row * width + column, entries.size()).second) return;
    const Ends ends{place_of(s, row), place_of(s, column)};
    State state = kNever;
    if (rules_.is_path(front.value(row, column)))
      state = at_once(s, {front.panels, row, column}, ends) == kUnknown ? kOpen : kExplained;
    entries.push_back({row, column, state});
  };
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].state != kOpen) continue;
    for (std::int64_t m = 0; m < k; ++m) {
      const Entry entry = entries[i];
      if (!leads(entry, m)) continue;
      add(entry.row, m);
      add(m, entry.column);
    }
  }
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i].state == kOpen) open.push_back(i);
  std::sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(entries[a].row, entries[a].column) < std::pair(entries[b].row, entries[b].column);
  });
  const auto is_explained = [&](std::int64_t row, std::int64_t column) {
    const auto found = number.find(row * width + column);
    return found != number.end() && entries[found->second].state == kExplained;
  };
  for (bool changed = true; changed && entries[0].state == kOpen;) {
    changed = false;
    for (auto first = open.begin(); first != open.end();) {
      const std::int64_t row = entries[*first].row;
      const auto last = std::find_if(first, open.end(), [&](std::size_t i) { return entries[i].row != row; });
      for (std::int64_t m = 0; m < k; ++m)
        for (auto each = first; each != last; ++each) {
          Entry& entry = entries[*each];
          if (entry.state != kOpen || !leads(entry, m)) continue;
          if (!is_explained(row, m) || !is_explained(m, entry.column)) continue;
          entry.state = kExplained;
          found_[key({place_of(s, row), place_of(s, entry.column)})] = place_of(s, m);
          changed = true;
        }
      first = last;
    }
  }
  if (entries[0].state != kExplained) return kUnknown;
  return found_.at(key({place_of(s, front.row), place_of(s, front.column)}));
}

#define APSP_INSTANTIATE(T) template class Unpacking<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
