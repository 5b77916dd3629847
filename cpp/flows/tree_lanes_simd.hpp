// Sweeps over the arcs of an elimination for 16 sources at once. Included by kernels_simd.cpp only: see
// simd/dispatch.hpp.
#pragma once
#include "flows/tree_lanes.hpp"
#include "simd/lanes.hpp"
#include "simd/marks.hpp"

namespace apsp::flows::APSP_SIMD {

struct TreeLanes {
  using D = simd::APSP_SIMD::Lanes<double>;
  using V = D::Vector;
  using Mark = simd::APSP_SIMD::Marks<double>;
  static constexpr int kWide = D::kCount, kVectors = static_cast<int>(kTreeLanes) / kWide;

  static V at(const double* lines, std::int64_t line, int part) {
    return D::load(lines + line * kTreeLanes + part * kWide);
  }
  static void put(double* lines, std::int64_t line, int part, V value) {
    D::store(lines + line * kTreeLanes + part * kWide, value);
  }
  static V least(V a, V b) { return a < b ? a : b; }
  static V only(Mark mark, V value) { return simd::APSP_SIMD::pick<double>(mark, value, V{}); }
  static Mark above(V a, V b) { return simd::APSP_SIMD::less<double>(b, a); }
  static double sum(V value) {
    double lanes[kWide];
    __builtin_memcpy(lanes, &value, sizeof lanes);
    for (int step = kWide / 2; step > 0; step /= 2)
      for (int lane = 0; lane < step; ++lane) lanes[lane] += lanes[lane + step];
    return lanes[0];
  }
  // The lanes whose shortest paths to `head` may end with a step from `tail`; whether there is one.
  static bool tight(const double* near, std::int64_t tail, std::int64_t head, double length,
                    Mark (&marks)[kVectors]) {
    Mark all{};
    for (int k = 0; k < kVectors; ++k) {
      marks[k] = simd::APSP_SIMD::equal<double>(at(near, tail, k) + length, at(near, head, k));
      all |= marks[k];
    }
    return simd::APSP_SIMD::any(all);
  }

  static void near_up(TreeSweep& s, const TreePlaces& some) {
    const HalfArcs up = s.up;
    double* const near = s.near;
    for (std::int64_t i = 0; i < some.count; ++i) {
      const std::int64_t u = some.places[i];
      for (std::int64_t a = up.first[u]; a < up.last[u]; ++a) {
        const std::int64_t v = up.other[a];
        for (int k = 0; k < kVectors; ++k)
          put(near, v, k, least(at(near, v, k), at(near, u, k) + up.length[a]));
      }
    }
  }

  static std::int64_t line_of(const TreePlaces& some, std::int64_t place) {
    return place < some.end ? place + some.shift : place;
  }

  // The least distances of u by later places.
  static void pull(const HalfArcs& down, double* near, const TreePlaces& some, std::int64_t u,
                   V (&best)[kVectors]) {
    for (std::int64_t a = down.first[u]; a < down.last[u]; ++a) {
      const std::int64_t line = line_of(some, down.other[a]);
      for (int k = 0; k < kVectors; ++k) best[k] = least(best[k], at(near, line, k) + down.length[a]);
    }
    for (int k = 0; k < kVectors; ++k) put(near, line_of(some, u), k, best[k]);
  }

  static void near_down(TreeSweep& s, const TreePlaces& some) {
    const HalfArcs down = s.down;
    for (std::int64_t i = some.count - 1; i >= 0; --i) {
      V best[kVectors];
      for (int k = 0; k < kVectors; ++k) best[k] = at(s.near, some.places[i], k);
      pull(down, s.near, some, some.places[i], best);
    }
  }

  static void count_up(TreeSweep& s, const TreePlaces& some) {
    const HalfArcs up = s.up;
    double* const climbed = s.climbed;
    Mark marks[kVectors];
    for (std::int64_t i = 0; i < some.count; ++i) {
      const std::int64_t u = some.places[i];
      for (std::int64_t a = up.first[u]; a < up.last[u]; ++a) {
        const std::int64_t v = up.other[a];
        if (!tight(s.near, u, v, up.length[a], marks)) continue;
        for (int k = 0; k < kVectors; ++k)
          put(climbed, v, k, at(climbed, v, k) + only(marks[k], at(climbed, u, k) * up.paths[a]));
      }
    }
  }

  static void count_down(TreeSweep& s, const TreePlaces& some) {
    const HalfArcs down = s.down;
    double *const near = s.near, *const all_paths = s.paths;
    V most = {};
    Mark marks[kVectors];
    for (std::int64_t i = some.count - 1; i >= 0; --i) {
      const std::int64_t u = some.places[i], own = line_of(some, u);
      V paths[kVectors] = {};
      if (s.met[u]) {
        for (int k = 0; k < kVectors; ++k) paths[k] = at(s.climbed, u, k);
      } else {
        V best[kVectors];
        for (int k = 0; k < kVectors; ++k) best[k] = V{} + __builtin_inf();
        pull(down, near, some, u, best);
      }
      for (std::int64_t a = down.first[u]; a < down.last[u]; ++a) {
        const std::int64_t line = line_of(some, down.other[a]);
        if (!tight(near, line, own, down.length[a], marks)) continue;
        for (int k = 0; k < kVectors; ++k) paths[k] += only(marks[k], at(all_paths, line, k) * down.paths[a]);
      }
      for (int k = 0; k < kVectors; ++k) {
        put(all_paths, own, k, paths[k]);
        most = most < paths[k] ? paths[k] : most;
      }
    }
    double lanes[kWide];
    __builtin_memcpy(lanes, &most, sizeof lanes);
    for (int lane = 0; lane < kWide; ++lane) s.largest = s.largest < lanes[lane] ? lanes[lane] : s.largest;
  }

  static void share_down(TreeSweep& s, const TreePlaces& some) {
    const HalfArcs down = s.down;
    double *const near = s.near, *const all_paths = s.paths, *const onward = s.onward;
    V served[kVectors];
    Mark marks[kVectors];
    for (int k = 0; k < kVectors; ++k) served[k] = D::load(s.served + k * kWide);
    for (std::int64_t i = 0; i < some.count; ++i) {
      const std::int64_t u = some.places[i], own = line_of(some, u);
      V shares[kVectors], passing = {}, ending = {};
      for (int k = 0; k < kVectors; ++k) {
        const V far = at(near, own, k), paths = at(all_paths, own, k), lead = at(onward, own, k);
        const V wanted = s.to != nullptr ? V{} + s.to[u] : at(s.demand, u, k);
        const Mark away = above(far, V{}), beyond = above(far, V{} + s.cutoff);
        const Mark is_served = away & above(paths, V{}) & ~beyond;
        const V ends = only(is_served, wanted);
        shares[k] = lead + only(is_served, ends / paths);
        passing += only(away, lead * paths);
        ending += ends;
        served[k] += ends;
        put(onward, own, k, s.met[u] ? shares[k] : V{});
      }
      s.through[u] += sum(passing);
      s.arrived[u] += sum(ending);
      for (std::int64_t a = down.first[u]; a < down.last[u]; ++a) {
        const std::int64_t line = line_of(some, down.other[a]);
        if (!tight(near, line, own, down.length[a], marks)) continue;
        V flow = {};
        for (int k = 0; k < kVectors; ++k) {
          const V share = only(marks[k], shares[k]);
          flow += share * at(all_paths, line, k);
          put(onward, line, k, at(onward, line, k) + share * down.paths[a]);
        }
        s.along_down[a] += sum(flow);
      }
    }
    for (int k = 0; k < kVectors; ++k) D::store(s.served + k * kWide, served[k]);
  }

  static void share_up(TreeSweep& s, const TreePlaces& some) {
    const HalfArcs up = s.up;
    Mark marks[kVectors];
    for (std::int64_t i = some.count - 1; i >= 0; --i) {
      const std::int64_t u = some.places[i];
      V lead[kVectors] = {}, passing = {};
      for (std::int64_t a = up.first[u]; a < up.last[u]; ++a) {
        const std::int64_t v = up.other[a];
        if (!tight(s.near, u, v, up.length[a], marks)) continue;
        V flow = {};
        for (int k = 0; k < kVectors; ++k) {
          const V share = only(marks[k], at(s.onward, v, k));
          flow += share * at(s.climbed, u, k);
          lead[k] += share * up.paths[a];
        }
        s.along_up[a] += sum(flow);
      }
      for (int k = 0; k < kVectors; ++k) {
        passing += only(above(at(s.near, u, k), V{}), lead[k] * at(s.climbed, u, k));
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
      const Mark shorter = simd::APSP_SIMD::less<double>(reach, old),
                 same = simd::APSP_SIMD::equal<double>(reach, old);
      D::store(near + j, simd::APSP_SIMD::pick<double>(shorter, reach, old));
      D::store(paths + j, simd::APSP_SIMD::pick<double>(shorter, more, had + only(same, more)));
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
