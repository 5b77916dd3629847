// The variables that each thread of the CPU has of its own in this library: some megabytes, since the shared
// variables of all kernels are among them.
#pragma once

namespace apsp_emulated {

// Whether the calling thread has them, or there is memory for them, which then is taken. Without memory the C
// library ends the process where such a variable is first used: kernels run only after this call.
bool has_own_memory() noexcept;

}  // namespace apsp_emulated
