#include "bit_bfs/bit_bfs.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <vector>

#include "bit_bfs/kernels.hpp"
#include "rows/kernels.hpp"
#include "rows/lane_graph.hpp"
#include "rows/source_patches.hpp"
#include "runtime/buffer.hpp"
#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"
#include "searches/bfs.hpp"

namespace apsp::bit_bfs {
namespace {

constexpr std::int64_t kSources = kBitWords * 64;
constexpr std::int64_t kChunk = 128;  // columns whose levels are unpacked together: they stay in the cache
constexpr std::int64_t kShare = 12;   // gather if at least n / kShare vertices are active
constexpr std::int64_t kDeepest = 65'534;

// Data shared by all threads.
template <class T>
struct BitTask {
  const graph::Csr& csr;
  const rows::RowRequest<T>& request;
  rows::VertexOrder order;
  std::vector<std::uint16_t> ones;
  rows::LaneGraph<std::uint16_t> graph;
  std::vector<std::int32_t> vertices;  // (columns,) inner numbers
  std::vector<std::int32_t> counting;  // 0, 1, ..., kChunk - 1
  std::int64_t deepest;                // levels beyond it are "no path"

  BitTask(const graph::Csr& given, const rows::RowRequest<T>& wanted)
      : csr(given),
        request(wanted),
        order(given),
        ones(given.m, 1),
        graph(given, ones.data(), order),
        vertices(wanted.columns),
        counting(kChunk) {
    for (std::int64_t i = 0; i < wanted.columns; ++i)
      vertices[i] = order.inner[wanted.targets == nullptr ? i : wanted.targets[i]];
    std::iota(counting.begin(), counting.end(), 0);
    deepest = wanted.cutoff < static_cast<T>(kDeepest) ? static_cast<std::int64_t>(wanted.cutoff) : kDeepest;
    if (wanted.cutoff < T{0}) deepest = -1;
  }
};

// One thread's searches.
template <class T>
class BitBatch {
 public:
  explicit BitBatch(const BitTask<T>& task)
      : task_(task),
        n_(task.csr.n),
        lines_(buffer<std::uint64_t>(3 * n_ * kBitWords)),
        active_(n_),
        found_(n_ + 1),  // follow() writes one entry beyond those that it counts
        marks_(n_, 0),
        first_(n_, 0),
        labels_(buffer<std::uint16_t>(kChunk * 64)) {
    search_.graph = task.graph.view();
    search_.active = active_.data();
    search_.found = found_.data();
    search_.marks = marks_.data();
    search_.first = first_.data();
    search_.stopped = [](const Control* control) { return control->cancelled(); };
  }

  // False, and nothing written, if a level cannot be counted in 16 bits.
  bool run(const std::int64_t* rows, std::int64_t count, const Control& control) {
    rows_ = rows;
    count_ = count;
    search_.control = &control;
    start();
    if (task_.deepest >= 0) first_level();
    for (std::int64_t level = 2; search_.waiting > 0 && level <= task_.deepest; ++level) {
      advance(level);
      control.check();
    }
    if (search_.waiting > 0 && task_.deepest == kDeepest) return false;
    for (int word = 0; word * 64 < count_; ++word) {
      control.check();
      write_word(word);
    }
    return true;
  }

 private:
  std::int32_t source(std::int64_t i) const { return task_.request.sources[rows_[i]]; }

  void start() {
    const std::int64_t size = n_ * kBitWords;
    std::fill_n(lines_.get(), 3 * size, 0);
    search_.seen = lines_.get();
    search_.frontier = search_.seen + size;
    search_.next = search_.frontier + size;
    next_is_clear_ = true;
    std::fill(first_.begin(), first_.end(), 0);
    search_.waiting = search_.widest = 0;
    std::fill_n(search_.everyone, kBitWords, 0);
    for (std::int64_t digit = 0; digit < kBitPlanes; ++digit) search_.planes[digit] = nullptr;
    for (std::int64_t i = 0; i < count_; ++i) search_.everyone[i / 64] |= std::uint64_t{1} << (i % 64);
  }

  void add_planes(std::int64_t level) {
    for (int digit = 0; (level >> digit) != 0; ++digit) {
      if (search_.planes[digit] != nullptr) continue;
      const std::int64_t size = n_ * kBitWords;
      if (!planes_[digit]) planes_[digit] = buffer<std::uint64_t>(size);
      std::fill_n(planes_[digit].get(), size, 0);
      search_.planes[digit] = planes_[digit].get();
    }
  }

  // From the sources themselves, which may be zones.
  void first_level() {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      const std::uint64_t bit = std::uint64_t{1} << (i % 64);
      const std::int32_t tail = source(i);
      search_.seen[task_.order.inner[tail] * kBitWords + i / 64] |= bit;
      if (task_.deepest == 0) continue;
      for (std::int64_t a = task_.csr.indptr[tail]; a < task_.csr.indptr[tail + 1]; ++a) {
        const std::int32_t v = task_.order.inner[task_.csr.indices[a]];
        search_.next[v * kBitWords + i / 64] |= bit;
        if (marks_[v] == 0) found_[count++] = v;
        marks_[v] = 1;
      }
    }
    add_planes(1);
    kernels().settle(search_, count, 1);
  }

  void advance(std::int64_t level) {
    add_planes(level);
    const auto& loops = kernels();
    if (search_.waiting * kShare >= n_) {
      loops.gather(search_, level);
      next_is_clear_ = false;
      return;
    }
    if (!next_is_clear_) std::fill_n(search_.next, n_ * kBitWords, 0);
    next_is_clear_ = true;
    loops.follow(search_, level);
  }

  void write_word(int word) {
    const auto& loops = kernels();
    const std::int64_t lanes = std::min<std::int64_t>(64, count_ - word * 64);
    const rows::RowRequest<T>& request = task_.request;
    T* rows[64];
    for (std::int64_t lane = 0; lane < lanes; ++lane)
      rows[lane] = request.dist + rows_[word * 64 + lane] * request.dist_stride;
    for (std::int64_t first = 0; first < request.columns; first += kChunk) {
      const std::int64_t width = std::min(kChunk, request.columns - first);
      loops.levels(search_, word, task_.vertices.data() + first, width, labels_.get());
      rows::write_lanes<std::uint16_t, T>({labels_.get(), rows::kNoLabel<std::uint16_t>,
                                           task_.counting.data(), width, rows, lanes, nullptr, nullptr});
      for (std::int64_t lane = 0; lane < lanes; ++lane) rows[lane] += width;
    }
    if (request.pred != nullptr) write_parents(word, lanes);
  }

  // Levels are labels of arcs of length 1.
  void write_parents(int word, std::int64_t lanes) {
    if (!whole_) {
      whole_ = buffer<std::uint16_t>(n_ * 64);
      everything_.resize(n_);
      std::iota(everything_.begin(), everything_.end(), 0);
    }
    kernels().levels(search_, word, everything_.data(), n_, whole_.get());
    std::int32_t* rows[64];
    std::int32_t first[64] = {};
    std::int64_t missing[64];
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      rows[lane] = task_.request.pred + rows_[word * 64 + lane] * task_.request.pred_stride;
      first[lane] = source(word * 64 + lane);
    }
    rows::write_lane_parents<std::uint16_t>({search_.graph,
                                             search_.graph.in_start,
                                             {},
                                             whole_.get(),
                                             rows::kNoLabel<std::uint16_t>,
                                             task_.order.inner.data(),
                                             task_.order.original.data(),
                                             rows,
                                             lanes,
                                             missing,
                                             first,
                                             nullptr});
  }

  const BitTask<T>& task_;
  std::int64_t n_;
  Buffer<std::uint64_t> lines_, planes_[kBitPlanes];
  std::vector<std::int32_t> active_, found_, everything_;
  std::vector<std::uint8_t> marks_;
  std::vector<std::uint16_t> first_;
  Buffer<std::uint16_t> labels_, whole_;
  BitSearch search_{};
  const std::int64_t* rows_ = nullptr;
  std::int64_t count_ = 0;
  bool next_is_clear_ = true;
};

}  // namespace

// A member owns one BitBatch and the rows of the batches that it takes.
template <class T>
void bit_bfs_rows(const graph::Csr& graph, const rows::RowRequest<T>& request, int threads,
                  Control& control) {
  graph::check_csr(graph);
  rows::check_request(request, graph.n);
  if (request.count == 0 || graph.n == 0) return;
  const BitTask<T> task(graph, request);
  const std::vector<std::int64_t> rows = rows::rows_by_patch(
      request.sources, request.count, task.order, rows::source_patches(task.graph.view(), kSources));
  Team team(threads);
  const std::int64_t share = (request.count + team.size() - 1) / team.size();
  const std::int64_t width = std::min((share + 63) / 64 * 64, kSources);
  std::vector<std::unique_ptr<BitBatch<T>>> batches(team.size());
  std::atomic<bool> too_deep{false};
  team.parallel_for((request.count + width - 1) / width, [&](std::int64_t index, int member) {
    control.check();
    if (too_deep.load(std::memory_order_relaxed)) return;
    if (!batches[member]) batches[member] = std::make_unique<BitBatch<T>>(task);
    const std::int64_t count = std::min(width, request.count - index * width);
    if (batches[member]->run(rows.data() + index * width, count, control))
      control.advance(count);
    else
      too_deep = true;
  });
  if (!too_deep) return;
  control.advance(-control.done());
  searches::bfs_rows(graph, request, threads, control);
}

#define APSP_INSTANTIATE(T) \
  template void bit_bfs_rows<T>(const graph::Csr&, const rows::RowRequest<T>&, int, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::bit_bfs
