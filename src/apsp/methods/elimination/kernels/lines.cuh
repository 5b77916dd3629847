// Lines of distances, one value per lane, and groups of lines that a warp computes from others: kGroup lines
// of 32 kAhead words stay in the registers of a warp while the other lines are read one after another.
#pragma once
#include "semiring.cuh"

namespace apsp {

constexpr int kGroup = 8;      // lines that a warp computes
constexpr int kAhead = 4;      // words of each that a thread owns, 32 words apart
constexpr int kThreads = 128;  // of a block

// A supernode, and where its panels and the list of its rows begin. As in layout.py.
struct Node {
  long long climb, descent;
  int list, first, columns, rows;
};

// The lanes in the subtree of a supernode, [low, high), and its labels: a line of `width` a column.
struct Span {
  long long start;
  int low, high, width, unused;
  __device__ __forceinline__ int first() const {
    return low & ~1;
  }  // of a line: words of two lanes are whole
};

// The sum of two values, neither of which is larger than "no path" of the kernels.
template <class T>
struct WideSum {
  using Type = T;
};
template <>
struct WideSum<unsigned short> {
  using Type = int;
};

__device__ __forceinline__ constexpr int even(int count) { return (count + 1) & ~1; }

// Blocks per multiprocessor: more warps hide more of the memory latency than more registers would.
template <class Ops>
constexpr int kBlocks = sizeof(typename Ops::Word) == 8 ? 3
                        : Ops::kLanes == 2              ? 4
                                                        : 5;

// Lanes of a tile.
template <class Ops>
constexpr int kTile = 32 * kAhead * Ops::kLanes;

template <class Ops>
struct Own {
  typename Ops::Word word[kGroup][kAhead];
};

template <class Ops>
__device__ __forceinline__ typename Ops::Word in_all_lanes(typename Ops::Value value) {
  if constexpr (Ops::kLanes == 2)
    return value * 0x10001u;
  else
    return value;
}

template <class Ops>
__device__ __forceinline__ typename Ops::Word least_of(typename Ops::Word a, typename Ops::Word b) {
  if constexpr (Ops::kLanes == 2)
    return __vminu2(a, b);
  else
    return smaller(a, b);
}

template <class Ops>
__device__ __forceinline__ void clear(Own<Ops>& own) {
#pragma unroll
  for (int i = 0; i < kGroup; ++i)
#pragma unroll
    for (int w = 0; w < kAhead; ++w) own.word[i][w] = in_all_lanes<Ops>(Ops::kNoPath);
}

// The first lanes of a thread's words; beyond the end, those of the last word.
template <class Ops>
struct LaneWords {
  int begin, end;
  __device__ __forceinline__ LaneWords(int first, int end)
      : begin(first + Ops::kLanes * (threadIdx.x % 32)), end(end) {}
  __device__ __forceinline__ int lane(int w) const { return begin + 32 * Ops::kLanes * w; }
  __device__ __forceinline__ int readable(int w) const {
    return min(lane(w), Ops::kLanes == 2 ? (end - 1) & ~1 : end - 1);
  }
};

// A word of a line in memory. kAligned: words of two lanes are at multiples of 4 bytes, and the last one of a
// line is complete.
template <class Ops, bool kAligned>
__device__ __forceinline__ typename Ops::Word load(const typename Ops::Value* line,
                                                   const LaneWords<Ops>& lanes, int w) {
  const int lane = lanes.readable(w);
  if constexpr (Ops::kLanes == 1)
    return line[lane];
  else if constexpr (kAligned)
    return *reinterpret_cast<const unsigned*>(line + lane);
  else
    return line[lane] | static_cast<unsigned>(line[min(lane + 1, lanes.end - 1)]) << 16;
}

// Writes the lanes [low, end) of words.
template <class Ops, bool kAligned>
__device__ __forceinline__ void store(typename Ops::Value* line, const typename Ops::Word (&word)[kAhead],
                                      const LaneWords<Ops>& lanes, int low) {
  using Value = typename Ops::Value;
#pragma unroll
  for (int w = 0; w < kAhead; ++w) {
    const int lane = lanes.lane(w);
    if constexpr (Ops::kLanes == 1) {
      if (lane >= low && lane < lanes.end) line[lane] = word[w];
    } else if (kAligned && lane >= low && lane + 1 < lanes.end) {
      *reinterpret_cast<unsigned*>(line + lane) = word[w];
    } else {
      if (lane >= low && lane < lanes.end) line[lane] = static_cast<Value>(word[w]);
      if (lane + 1 >= low && lane + 1 < lanes.end) line[lane + 1] = static_cast<Value>(word[w] >> 16);
    }
  }
}

// own = min(own, step + line) over `count` lines (even), kGroup steps each side by side in `panel`. kPublic:
// the lines hold public values.
template <class Ops, bool kAligned, bool kPublic, class LineOf>
__device__ __forceinline__ void extend(Own<Ops>& own, const typename Ops::Word* panel, int count,
                                       const LineOf& line_of, const LaneWords<Ops>& lanes) {
  using Word = typename Ops::Word;
  struct alignas(16) Steps {
    Word to[kGroup];
  };
  const Steps* steps = reinterpret_cast<const Steps*>(panel);
  for (int h = 0; h < count; h += 2) {
    Word x[2][kAhead];
#pragma unroll
    for (int u = 0; u < 2; ++u) {
      const typename Ops::Value* line = line_of(h + u);
#pragma unroll
      for (int w = 0; w < kAhead; ++w) {
        x[u][w] = load<Ops, kAligned>(line, lanes, w);
        if constexpr (kPublic && !kIsFloat<typename Ops::Value>)
          x[u][w] = least_of<Ops>(x[u][w], in_all_lanes<Ops>(Ops::kNoPath));
      }
    }
    const Steps one = steps[h], other = steps[h + 1];
#pragma unroll
    for (int i = 0; i < kGroup; ++i)
#pragma unroll
      for (int w = 0; w < kAhead; ++w)
        own.word[i][w] = Ops::relax2(own.word[i][w], one.to[i], x[0][w], other.to[i], x[1][w]);
  }
}

// The line of a place among labels, so that lane q of all lies at [q].
template <class T>
__device__ __forceinline__ T* label_line(T* labels, int place, const int* owner, const Node* nodes,
                                         const Span* spans) {
  const int s = owner[place];
  const Span span = spans[s];
  return labels + span.start + static_cast<long long>(place - nodes[s].first) * span.width - span.first();
}

// The labels of the lanes in the subtree: `used` lines from `labels` on, which is at lane span.first(). Lanes
// beyond the first `count` ones get those of the last one.
template <class Ops>
__device__ __forceinline__ void take_labels(Own<Ops>& own, const typename Ops::Value* labels,
                                            const Span& span, int used, const int* position,
                                            const LaneWords<Ops>& lanes, int count) {
  if (span.low == span.high) return;
#pragma unroll
  for (int w = 0; w < kAhead; ++w) {
#pragma unroll
    for (int half = 0; half < Ops::kLanes; ++half) {
      const int at = position[min(lanes.lane(w) + half, count - 1)];
      if (at < span.low || at >= span.high) continue;
#pragma unroll
      for (int i = 0; i < kGroup; ++i) {
        if (i >= used) break;
        const typename Ops::Value label = labels[static_cast<long long>(i) * span.width + at - span.first()];
        if constexpr (Ops::kLanes == 1)
          own.word[i][w] = label;
        else
          own.word[i][w] = half == 0 ? (own.word[i][w] & 0xffff0000u) | label
                                     : (own.word[i][w] & 0xffffu) | static_cast<unsigned>(label) << 16;
      }
    }
  }
}

// Whether a value of the first `used` lines is out of the range that was proven; only signed integers can be.
template <class Ops>
__device__ __forceinline__ bool any_at_or_below(const Own<Ops>& own, int used, typename Ops::Value least) {
  bool found = false;
  if constexpr (!kIsFloat<typename Ops::Value> && Ops::kLanes == 1) {
#pragma unroll
    for (int i = 0; i < kGroup; ++i)
#pragma unroll
      for (int w = 0; w < kAhead; ++w) found = found || (i < used && own.word[i][w] <= least);
  }
  return found;
}

// Kernel values to public ones: values that are not below the ceiling become "no path".
template <class Ops>
__device__ __forceinline__ void publish(typename Ops::Word (&word)[kAhead], typename Ops::Value ceiling) {
#pragma unroll
  for (int w = 0; w < kAhead; ++w) {
    if constexpr (Ops::kLanes == 2)
      word[w] |= __vcmpgeu2(word[w], in_all_lanes<Ops>(ceiling));
    else if (!(word[w] < ceiling))
      word[w] = Range<typename Ops::Value>::kMost;
  }
}

}  // namespace apsp
