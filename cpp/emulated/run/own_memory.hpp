// The thread-local variables of this library: some megabytes per thread, since they include the shared
// variables of all kernels.
#pragma once

namespace apsp_emulated {

// Whether the calling thread has them, or there is memory for them, which is then allocated. Without memory
// the C library would end the process at the first use of such a variable: kernels run only after this call.
bool has_own_memory() noexcept;

}  // namespace apsp_emulated
