// The atomic operations of CUDA as real ones of this CPU, since blocks run on several cores.
#pragma once
#include <algorithm>
#include <atomic>
#include <type_traits>

namespace apsp_emulated::plain {

// Replaces *at by change(*at), and returns the previous value. Nothing is written if the value does not
// change.
template <class T, class Change>
T exchanged(T* at, const Change& change) {
  std::atomic_ref<T> cell(*at);
  T before = cell.load(std::memory_order_relaxed);
  for (;;) {
    const T after = change(before);
    if (after == before || cell.compare_exchange_weak(before, after)) return before;
  }
}

template <class T>
T atomicMin(T* at, std::type_identity_t<T> value) {
  return exchanged(at, [value](T old) { return std::min(old, value); });
}
template <class T>
T atomicMax(T* at, std::type_identity_t<T> value) {
  return exchanged(at, [value](T old) { return std::max(old, value); });
}
template <class T>
T atomicAdd(T* at, std::type_identity_t<T> value) {
  return exchanged(at, [value](T old) { return static_cast<T>(old + value); });
}
template <class T>
T atomicOr(T* at, std::type_identity_t<T> value) {
  return exchanged(at, [value](T old) { return static_cast<T>(old | value); });
}
template <class T>
T atomicAnd(T* at, std::type_identity_t<T> value) {
  return exchanged(at, [value](T old) { return static_cast<T>(old & value); });
}
template <class T>
T atomicExch(T* at, std::type_identity_t<T> value) {
  return std::atomic_ref<T>(*at).exchange(value);
}
template <class T>
T atomicCAS(T* at, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  std::atomic_ref<T>(*at).compare_exchange_strong(expected, value);
  return expected;
}

}  // namespace apsp_emulated::plain
