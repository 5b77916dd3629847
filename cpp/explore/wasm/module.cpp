// What a page calls: the tree and its arrays are at addresses that the page chooses.
// src/apsp/explore/page/engine.mjs is the other side.
#include "explore/factor.hpp"
#include "explore/sweep.hpp"

using namespace apsp::explore;

#define EXPORT(name) extern "C" __attribute__((export_name(#name)))

EXPORT(lay_out)
int32_t lay_out_tree(const Tree* tree, int32_t* node_of, int32_t* out_start, int32_t* in_start) {
  return lay_out(*tree, node_of, out_start, in_start);
}

EXPORT(factor_scratch)
double factor_scratch_of(const Tree* tree) { return static_cast<double>(factor_scratch(*tree)); }

EXPORT(most_rows)
int32_t most_rows_of(const Tree* tree) { return most_rows(*tree); }

// Colours are of floats; "no path" is longer than any distance: NO_PATH of streets.mjs.
template <class T>
void shade_all(const T* line, int32_t n, float* to) {
  for (int32_t i = 0; i < n; ++i) to[i] = line[i] < Values<T>::kNone ? static_cast<float>(line[i]) : 0x1p126f;
}

#define EXPORTS(T, suffix)                                                                               \
  EXPORT(factorise_##suffix)                                                                             \
  void factorise_##suffix(const Tree* tree, const Arcs<T>* arcs, T* values, int32_t entries, T* scratch, \
                          int32_t* position) {                                                           \
    factorise(*tree, *arcs, values, entries, scratch, position);                                         \
  }                                                                                                      \
  EXPORT(sweep_##suffix)                                                                                 \
  void sweep_##suffix(const Tree* tree, const T* values, const int32_t* places, const T* starts,         \
                      int32_t count, T* line, uint8_t* met, T* above) {                                  \
    sweep(*tree, values, Seeds<T>{places, starts, count}, line, met, above);                             \
  }                                                                                                      \
  EXPORT(shade_##suffix) void shade_##suffix(const T* line, int32_t n, float* to) { shade_all(line, n, to); }

EXPORTS(int32_t, int32)
EXPORTS(float, float32)
EXPORTS(double, float64)
