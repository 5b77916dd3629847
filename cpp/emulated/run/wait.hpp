// What a thread of an emulated GPU calls to wait for others. Not inline: instrumented kernels call these, and
// accesses inside are not counted.
#pragma once
#include <cstdint>

namespace apsp_emulated {

int meet_block(bool claim);      // how many threads of the block claim, when all have come
int threads_met();               // how many came to the last meeting of the block
unsigned meet_warp(bool claim);  // bit i: thread i of the warp claims, when all have come
unsigned warp_met();             // bit i: thread i came to the last meeting of the warp
int lane();                      // number of the thread in its warp

// The bits that thread `from` of the warp passes on; its own where there is none among the `width` threads
// around the caller.
std::uint64_t exchange(std::uint64_t bits, int from, int width);

// The same where these lanes alone come. Not while other lanes of the warp meet each other.
std::uint64_t exchange_among(unsigned lanes, std::uint64_t bits, int from, int width);

}  // namespace apsp_emulated
