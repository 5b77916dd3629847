// Histograms: for tests, since rows of emulated GPUs are copied to the host, which counts them.
#include "register.hpp"

#include "count.cu"

APSP_KERNEL(apsp::count_distances<unsigned short, apsp::EvenBins<unsigned short>>)
APSP_KERNEL(apsp::count_distances<int, apsp::EvenBins<int>>)
APSP_KERNEL(apsp::count_distances<long long, apsp::EvenBins<long long>>)
APSP_KERNEL(apsp::count_distances<float, apsp::EvenBins<float>>)
APSP_KERNEL(apsp::count_distances<double, apsp::EvenBins<double>>)
APSP_KERNEL(apsp::count_distances<unsigned short, apsp::GivenBins<unsigned short>>)
APSP_KERNEL(apsp::count_distances<int, apsp::GivenBins<int>>)
APSP_KERNEL(apsp::count_distances<long long, apsp::GivenBins<long long>>)
APSP_KERNEL(apsp::count_distances<float, apsp::GivenBins<float>>)
APSP_KERNEL(apsp::count_distances<double, apsp::GivenBins<double>>)
