#include "graph/build.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace apsp::graph {
namespace {

constexpr std::int64_t kCheckEvery = 1 << 20;  // arcs between two checks of the control: about 10 ms
constexpr std::int64_t kShortRow = 48;         // rows up to this length are sorted by insertion
constexpr int kDigitBits = 11;                 // a head is three radix digits

template <class Weight>
struct Entry {
  std::int32_t head;
  [[no_unique_address]] Weight weight;
};

template <class Weight>
Entry<Weight> entry(std::int32_t head, const Weight* weights, std::int64_t arc) {
  if constexpr (std::is_same_v<Weight, NoWeight>)
    return {head, {}};
  else
    return {head, weights[arc]};
}

// Counts the arcs of every row and turns the counts into starts; indptr[n] is the number of entries.
template <class Index>
std::vector<std::int64_t> row_starts(std::int64_t n, const Index* tails, const Index* heads,
                                     std::int64_t count, bool undirected, const Control& control) {
  std::vector<std::int64_t> indptr(static_cast<std::size_t>(n) + 1, 0);
  for (std::int64_t arc = 0; arc < count; ++arc) {
    if (arc % kCheckEvery == 0) control.check();
    const auto tail = static_cast<std::int64_t>(tails[arc]);
    const auto head = static_cast<std::int64_t>(heads[arc]);
    if (tail < 0 || tail >= n || head < 0 || head >= n)
      throw std::invalid_argument("an arc's end is not a vertex");
    ++indptr[tail + 1];
    if (undirected && tail != head) ++indptr[head + 1];
  }
  for (std::int64_t v = 0; v < n; ++v) indptr[v + 1] += indptr[v];
  return indptr;
}

// Puts every arc into its row, in the given order. `next` is modified: it ends at the end of the row.
template <class Index, class Weight>
std::vector<Entry<Weight>> scatter(std::vector<std::int64_t>& next, const Index* tails, const Index* heads,
                                   const Weight* weights, std::int64_t count, bool undirected,
                                   const Control& control) {
  std::vector<Entry<Weight>> entries(static_cast<std::size_t>(next.back()));
  for (std::int64_t arc = 0; arc < count; ++arc) {
    if (arc % kCheckEvery == 0) control.check();
    const auto tail = static_cast<std::int32_t>(tails[arc]);
    const auto head = static_cast<std::int32_t>(heads[arc]);
    entries[next[tail]++] = entry(head, weights, arc);
    if (undirected && tail != head) entries[next[head]++] = entry(tail, weights, arc);
  }
  return entries;
}

template <class Weight>
void sort_short(Entry<Weight>* row, std::int64_t length) {
  for (std::int64_t i = 1; i < length; ++i) {
    const Entry<Weight> moved = row[i];
    std::int64_t place = i;
    for (; place > 0 && row[place - 1].head > moved.head; --place) row[place] = row[place - 1];
    row[place] = moved;
  }
}

// Least significant digit first; every pass is stable, so equal heads keep the order given.
template <class Weight>
void sort_long(Entry<Weight>* row, std::int64_t length, std::vector<Entry<Weight>>& scratch,
               const Control& control) {
  scratch.resize(static_cast<std::size_t>(length));
  Entry<Weight>* from = row;
  Entry<Weight>* to = scratch.data();
  for (int shift = 0; shift < 31; shift += kDigitBits) {
    control.check();
    constexpr std::int32_t mask = (1 << kDigitBits) - 1;
    std::array<std::int64_t, (1 << kDigitBits) + 1> start{};
    for (std::int64_t i = 0; i < length; ++i) ++start[((from[i].head >> shift) & mask) + 1];
    if (start[1] == length) continue;  // this digit is zero everywhere
    for (std::size_t digit = 1; digit < start.size(); ++digit) start[digit] += start[digit - 1];
    for (std::int64_t i = 0; i < length; ++i) to[start[(from[i].head >> shift) & mask]++] = from[i];
    std::swap(from, to);
  }
  if (from != row) std::copy(from, from + length, row);
}

template <class Weight>
void sort_row(Entry<Weight>* row, std::int64_t length, std::vector<Entry<Weight>>& scratch,
              const Control& control) {
  const auto by_head = [](const Entry<Weight>& a, const Entry<Weight>& b) { return a.head < b.head; };
  if (std::is_sorted(row, row + length, by_head)) return;
  if (length <= kShortRow)
    sort_short(row, length);
  else
    sort_long(row, length, scratch, control);
}

// Keeps one entry per head in a sorted row; returns the number that remain.
template <class Weight>
std::int64_t merge_row(Entry<Weight>* row, std::int64_t length, Parallel parallel) {
  if (length == 0) return 0;
  std::int64_t kept = 0;
  for (std::int64_t i = 1; i < length; ++i) {
    if (row[i].head != row[kept].head) {
      row[++kept] = row[i];
    } else if constexpr (!std::is_same_v<Weight, NoWeight>) {
      if (parallel == Parallel::last || (parallel == Parallel::min && row[i].weight < row[kept].weight))
        row[kept].weight = row[i].weight;
    }
  }
  return kept + 1;
}

}  // namespace

template <class Index, class Weight>
CsrArrays<Weight> csr_from_arcs(std::int64_t n, const Index* tails, const Index* heads, const Weight* weights,
                                std::int64_t count, bool undirected, Parallel parallel,
                                const Control& control) {
  if (n < 0 || n > std::numeric_limits<std::int32_t>::max() - 1)
    throw std::invalid_argument("n is out of range");
  std::vector<std::int64_t> ends = row_starts(n, tails, heads, count, undirected, control);
  // ends[v] is where row v starts; scatter() moves it to where the row ends, which is where row v + 1 starts.
  std::vector<Entry<Weight>> entries = scatter(ends, tails, heads, weights, count, undirected, control);

  CsrArrays<Weight> csr;
  csr.indptr.resize(static_cast<std::size_t>(n) + 1);
  std::vector<Entry<Weight>> scratch;
  std::int64_t start = 0, kept = 0, last_check = 0;
  for (std::int64_t v = 0; v < n; ++v) {
    if (start - last_check >= kCheckEvery || v % kCheckEvery == 0) control.check(), last_check = start;
    Entry<Weight>* row = entries.data() + start;
    const std::int64_t length = ends[v] - start;
    sort_row(row, length, scratch, control);
    const std::int64_t distinct = merge_row(row, length, parallel);
    if (kept != start) std::copy(row, row + distinct, entries.data() + kept);
    start = ends[v];
    kept += distinct;
    csr.indptr[v + 1] = kept;
  }
  csr.indices.resize(static_cast<std::size_t>(kept));
  if constexpr (!std::is_same_v<Weight, NoWeight>) csr.weights.resize(static_cast<std::size_t>(kept));
  for (std::int64_t i = 0; i < kept; ++i) {
    if (i % kCheckEvery == 0) control.check();
    csr.indices[i] = entries[i].head;
    if constexpr (!std::is_same_v<Weight, NoWeight>) csr.weights[i] = entries[i].weight;
  }
  return csr;
}

template <class Index, class Weight>
std::optional<CsrArrays<Weight>> csr_from_rows(std::int64_t n, const Index* indptr, const Index* indices,
                                               const Weight* weights, std::int64_t count, bool undirected,
                                               const Control& control) {
  if (n > std::numeric_limits<std::int32_t>::max() - 1 || indptr[0] != 0 || indptr[n] != count)
    return std::nullopt;
  CsrArrays<Weight> csr;
  csr.indptr.assign(indptr, indptr + n + 1);
  bool is_rising = true;  // indptr
  for (std::int64_t v = 0; v < n; ++v) is_rising &= csr.indptr[v] <= csr.indptr[v + 1];
  if (!is_rising) return std::nullopt;
  csr.indices.resize(static_cast<std::size_t>(count));
  csr.weights.resize(static_cast<std::size_t>(count));
  bool is_sound = true, is_sorted = !undirected;
  for (std::int64_t v = 0; v < n; ++v) {
    if (v % kCheckEvery == 0) control.check();
    Index before = -1;
    for (std::int64_t arc = csr.indptr[v]; arc < csr.indptr[v + 1]; ++arc) {
      const Index head = indices[arc];
      is_sound &= head >= 0 && head < n;
      is_sorted &= head > before;
      before = head;
      csr.indices[arc] = static_cast<std::int32_t>(head);
      csr.weights[arc] = weights[arc] + Weight{0};
      if constexpr (std::is_floating_point_v<Weight>) is_sound &= std::isfinite(weights[arc]);
    }
  }
  if (!is_sound) return std::nullopt;
  if (is_sorted) return csr;
  std::vector<std::int32_t> tails(static_cast<std::size_t>(count));
  for (std::int64_t v = 0; v < n; ++v)
    std::fill(tails.begin() + csr.indptr[v], tails.begin() + csr.indptr[v + 1], static_cast<std::int32_t>(v));
  return csr_from_arcs(n, tails.data(), csr.indices.data(), csr.weights.data(), count, undirected,
                       Parallel::min, control);
}

#define APSP_CSR(Index, Weight)                                                                     \
  template CsrArrays<Weight> csr_from_arcs(std::int64_t, const Index*, const Index*, const Weight*, \
                                           std::int64_t, bool, Parallel, const Control&);
#define APSP_CSR_WEIGHTS(Index) \
  APSP_CSR(Index, NoWeight)     \
  APSP_CSR(Index, std::int32_t) \
  APSP_CSR(Index, std::int64_t) \
  APSP_CSR(Index, float)        \
  APSP_CSR(Index, double)
APSP_CSR_WEIGHTS(std::int32_t)
APSP_CSR_WEIGHTS(std::int64_t)

#define APSP_ROWS(Index, Weight)                           \
  template std::optional<CsrArrays<Weight>> csr_from_rows( \
      std::int64_t, const Index*, const Index*, const Weight*, std::int64_t, bool, const Control&);
#define APSP_ROWS_WEIGHTS(Index) \
  APSP_ROWS(Index, std::int32_t) \
  APSP_ROWS(Index, std::int64_t) \
  APSP_ROWS(Index, float)        \
  APSP_ROWS(Index, double)
APSP_ROWS_WEIGHTS(std::int32_t)
APSP_ROWS_WEIGHTS(std::int64_t)

}  // namespace apsp::graph
