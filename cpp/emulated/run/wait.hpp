// Functions that a thread of an emulated GPU calls to wait for others. Not inline: instrumented kernels call
// these, and accesses inside are not counted.
#pragma once
#include <cstdint>

namespace apsp_emulated {

// The number of threads of the block that claim, after all have arrived: all at barriers that count claims,
// or all at others.
int meet_block(bool claim, bool counts);
int threads_met();               // the number of threads at the last meeting of the block
unsigned meet_warp(bool claim);  // bit i: thread i of the warp claims, after all have arrived
unsigned warp_met();             // bit i: thread i was at the last meeting of the warp
int lane();                      // number of the thread in its warp

// The bits that thread `from` of the warp passes; the caller's if there is no such thread among the `width`
// threads around it.
std::uint64_t exchange(std::uint64_t bits, int from, int width);

// The same if only these lanes take part. Not while other lanes of the warp have a meeting.
std::uint64_t exchange_among(unsigned lanes, std::uint64_t bits, int from, int width);

}  // namespace apsp_emulated
