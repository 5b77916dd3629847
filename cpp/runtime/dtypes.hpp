// The value types of distances.
#pragma once
#include <cstdint>

// use(T) for each of them, to instantiate functions for all types.
#define APSP_FOR_DTYPES(use) use(std::uint16_t) use(std::int32_t) use(std::int64_t) use(float) use(double)
