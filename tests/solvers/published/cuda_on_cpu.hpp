// Enough of CUDA to run a kernel on the CPU: a thread of the host a thread of the block, blocks one by one.
#pragma once
#include <algorithm>
#include <barrier>
#include <cmath>
#include <thread>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __shared__ static

struct Place {
  int x, y;
};
inline thread_local Place threadIdx{}, blockIdx{};
inline Place blockDim{};
inline std::barrier<>* meeting = nullptr;
inline void __syncthreads() { meeting->arrive_and_wait(); }

// Named in headers, called by no kernel that runs here.
unsigned __byte_perm(unsigned, unsigned, unsigned);
int __vimin3_s32(int, int, int);
unsigned __vimin3_u16x2(unsigned, unsigned, unsigned);
unsigned __vminu2(unsigned, unsigned);
int __float_as_int(float);
float __int_as_float(int);
using std::min;

template <class Kernel, class... Arguments>
void launch(Place grid, Place block, Kernel kernel, Arguments... arguments) {
  blockDim = block;
  std::barrier<> all(block.x * block.y);
  meeting = &all;
  std::vector<std::jthread> threads;
  for (int y = 0; y < block.y; ++y)
    for (int x = 0; x < block.x; ++x)
      threads.emplace_back([=, &all] {
        threadIdx = {x, y};
        for (int j = 0; j < grid.y; ++j)
          for (int i = 0; i < grid.x; ++i) {
            blockIdx = {i, j};
            kernel(arguments...);
            all.arrive_and_wait();
          }
      });
}
