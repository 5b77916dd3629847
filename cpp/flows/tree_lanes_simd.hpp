// Sweeps over the arcs of an elimination for 16 sources at once. Included by kernels_simd.cpp only: see
// simd/dispatch.hpp.
#pragma once
#include "flows/tree_lanes.hpp"
#include "simd/lanes.hpp"

namespace apsp::flows::APSP_SIMD {

struct TreeLanes {
  using D = simd::APSP_SIMD::Lanes<double>;
  using V = D::Vector;
  typedef std::int64_t Mark __attribute__((vector_size(sizeof(V))));
  static constexpr int kWide = D::kCount, kVectors = static_cast<int>(kTreeLanes) / kWide;

  static V at(const double* lines, std::int64_t place, int part) {
    return D::load(lines + place * kTreeLanes + part * kWide);
  }
  static void put(double* lines, std::int64_t place, int part, V value) {
    D::store(lines + place * kTreeLanes + part * kWide, value);
  }
  static V least(V a, V b) { return a < b ? a : b; }
  static V only(Mark mark, V value) { return mark ? value : V{}; }
  static double sum(V value) {
    double lanes[kWide];
    __builtin_memcpy(lanes, &value, sizeof lanes);
    for (int step = kWide / 2; step > 0; step /= 2)
      for (int lane = 0; lane < step; ++lane) lanes[lane] += lanes[lane + step];
    return lanes[0];
  }
  static bool none(const Mark (&marks)[kVectors]) {
    Mark all = marks[0];
    for (int k = 1; k < kVectors; ++k) all |= marks[k];
    std::int64_t lanes[kWide], any = 0;
    __builtin_memcpy(lanes, &all, sizeof lanes);
    for (int lane = 0; lane < kWide; ++lane) any |= lanes[lane];
    return any == 0;
  }
  // The lanes whose shortest paths to `head` may end with a step from `tail`.
  static bool tight(const TreeSweep& s, std::int64_t tail, std::int64_t head, double length,
                    Mark (&marks)[kVectors]) {
    for (int k = 0; k < kVectors; ++k) marks[k] = (Mark)(at(s.near, tail, k) + length == at(s.near, head, k));
    return !none(marks);
  }

  static void near_up(TreeSweep& s, const std::int32_t* places, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t u = places[i];
      for (std::int64_t a = s.up.first[u]; a < s.up.last[u]; ++a) {
        const std::int64_t v = s.up.other[a];
        for (int k = 0; k < kVectors; ++k)
          put(s.near, v, k, least(at(s.near, v, k), at(s.near, u, k) + s.up.length[a]));
      }
    }
  }

  static void pull(TreeSweep& s, std::int64_t u, V (&best)[kVectors]) {
    for (std::int64_t a = s.down.first[u]; a < s.down.last[u]; ++a)
      for (int k = 0; k < kVectors; ++k)
        best[k] = least(best[k], at(s.near, s.down.other[a], k) + s.down.length[a]);
    for (int k = 0; k < kVectors; ++k) put(s.near, u, k, best[k]);
  }

  static void near_down(TreeSweep& s, const std::int32_t* places, std::int64_t count) {
    for (std::int64_t i = count - 1; i >= 0; --i) {
      V best[kVectors];
      for (int k = 0; k < kVectors; ++k) best[k] = at(s.near, places[i], k);
      pull(s, places[i], best);
    }
  }

  static void count_up(TreeSweep& s, const std::int32_t* places, std::int64_t count) {
    Mark marks[kVectors];
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t u = places[i];
      for (std::int64_t a = s.up.first[u]; a < s.up.last[u]; ++a) {
        const std::int64_t v = s.up.other[a];
        if (!tight(s, u, v, s.up.length[a], marks)) continue;
        for (int k = 0; k < kVectors; ++k)
          put(s.climbed, v, k, at(s.climbed, v, k) + only(marks[k], at(s.climbed, u, k) * s.up.paths[a]));
      }
    }
  }

  static void count_down(TreeSweep& s, const std::int32_t* places, std::int64_t count) {
    V most = {};
    Mark marks[kVectors];
    for (std::int64_t i = count - 1; i >= 0; --i) {
      const std::int64_t u = places[i];
      V paths[kVectors] = {};
      if (s.met[u]) {
        for (int k = 0; k < kVectors; ++k) paths[k] = at(s.climbed, u, k);
      } else {
        V best[kVectors];
        for (int k = 0; k < kVectors; ++k) best[k] = V{} + __builtin_inf();
        pull(s, u, best);
      }
      for (std::int64_t a = s.down.first[u]; a < s.down.last[u]; ++a) {
        const std::int64_t v = s.down.other[a];
        if (!tight(s, v, u, s.down.length[a], marks)) continue;
        for (int k = 0; k < kVectors; ++k) paths[k] += only(marks[k], at(s.paths, v, k) * s.down.paths[a]);
      }
      for (int k = 0; k < kVectors; ++k) {
        put(s.paths, u, k, paths[k]);
        most = most < paths[k] ? paths[k] : most;
      }
    }
    double lanes[kWide];
    __builtin_memcpy(lanes, &most, sizeof lanes);
    for (int lane = 0; lane < kWide; ++lane) s.largest = s.largest < lanes[lane] ? lanes[lane] : s.largest;
  }

  static void share_down(TreeSweep& s, const std::int32_t* places, std::int64_t count) {
    Mark marks[kVectors];
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t u = places[i];
      V shares[kVectors], passing = {}, ending = {};
      for (int k = 0; k < kVectors; ++k) {
        const V near = at(s.near, u, k), paths = at(s.paths, u, k), lead = at(s.onward, u, k);
        const V wanted = s.to != nullptr ? V{} + s.to[u] : at(s.demand, u, k);
        const Mark away = (Mark)(near > 0.0), served = away & (Mark)(paths > 0.0) & (Mark)(near <= s.cutoff);
        const V ends = only(served, wanted);
        shares[k] = lead + only(served, ends / paths);
        passing += only(away, lead * paths);
        ending += ends;
        D::store(s.served + k * kWide, D::load(s.served + k * kWide) + ends);
        put(s.onward, u, k, s.met[u] ? shares[k] : V{});
      }
      s.through[u] += sum(passing);
      s.arrived[u] += sum(ending);
      for (std::int64_t a = s.down.first[u]; a < s.down.last[u]; ++a) {
        const std::int64_t v = s.down.other[a];
        if (!tight(s, v, u, s.down.length[a], marks)) continue;
        V flow = {};
        for (int k = 0; k < kVectors; ++k) {
          const V share = only(marks[k], shares[k]);
          flow += share * at(s.paths, v, k);
          put(s.onward, v, k, at(s.onward, v, k) + share * s.down.paths[a]);
        }
        s.along_down[a] += sum(flow);
      }
    }
  }

  static void share_up(TreeSweep& s, const std::int32_t* places, std::int64_t count) {
    Mark marks[kVectors];
    for (std::int64_t i = count - 1; i >= 0; --i) {
      const std::int64_t u = places[i];
      V lead[kVectors] = {}, passing = {};
      for (std::int64_t a = s.up.first[u]; a < s.up.last[u]; ++a) {
        const std::int64_t v = s.up.other[a];
        if (!tight(s, u, v, s.up.length[a], marks)) continue;
        V flow = {};
        for (int k = 0; k < kVectors; ++k) {
          const V share = only(marks[k], at(s.onward, v, k));
          flow += share * at(s.climbed, u, k);
          lead[k] += share * s.up.paths[a];
        }
        s.along_up[a] += sum(flow);
      }
      for (int k = 0; k < kVectors; ++k) {
        passing += only((Mark)(at(s.near, u, k) > 0.0), lead[k] * at(s.climbed, u, k));
        put(s.onward, u, k, at(s.onward, u, k) + lead[k]);
      }
      s.through[u] += sum(passing);
    }
  }

  static void join(double* near, double* paths, double length, double times, const double* next,
                   const double* next_paths, std::int64_t count) {
    std::int64_t j = 0;
    for (; j + kWide <= count; j += kWide) {
      const V old = D::load(near + j), reach = D::load(next + j) + length, had = D::load(paths + j);
      const V more = D::load(next_paths + j) * times;
      const Mark shorter = (Mark)(reach < old), same = (Mark)(reach == old);
      D::store(near + j, shorter ? reach : old);
      D::store(paths + j, shorter ? more : had + only(same, more));
    }
    for (; j < count; ++j) {
      const double reach = next[j] + length, more = next_paths[j] * times;
      paths[j] = reach < near[j] ? more : reach == near[j] ? paths[j] + more : paths[j];
      near[j] = reach < near[j] ? reach : near[j];
    }
  }
};

const TreeKernels& tree_table() {
  static constexpr TreeKernels kTable = {&TreeLanes::near_up,    &TreeLanes::near_down,  &TreeLanes::count_up,
                                         &TreeLanes::count_down, &TreeLanes::share_down, &TreeLanes::share_up,
                                         &TreeLanes::join};
  return kTable;
}

}  // namespace apsp::flows::APSP_SIMD
