# The library apsp_kernels: all of cpp but the bindings, the emulated GPUs and the tests.
file(GLOB APSP_KERNEL_SOURCES CONFIGURE_DEPENDS cpp/*/*.cpp)
list(FILTER APSP_KERNEL_SOURCES EXCLUDE REGEX "cpp/(tests|bindings|emulated)/")
set(APSP_SIMD_SOURCES ${APSP_KERNEL_SOURCES})
list(FILTER APSP_SIMD_SOURCES INCLUDE REGEX "/kernels_simd\\.cpp$")
list(REMOVE_ITEM APSP_KERNEL_SOURCES ${APSP_SIMD_SOURCES})

# Functions begin at cache lines: elsewhere their speed depends, by up to a tenth, on the order of linking.
function(apsp_compile_kernels target)
  apsp_sanitize(${target})
  target_include_directories(${target} PUBLIC cpp)
  target_compile_options(${target} PRIVATE -Wall -Wextra -fno-math-errno -fno-trapping-math -falign-functions=64 ${ARGN})
  if(MINGW AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # Under Windows, GCC keeps wide vectors on a stack that is aligned to 16 bytes only (its bug 54412).
    target_compile_options(${target} PRIVATE -Wa,-muse-unaligned-vector-move)
  endif()
endfunction()
add_library(apsp_kernels STATIC ${APSP_KERNEL_SOURCES})
apsp_compile_kernels(apsp_kernels)
# Its distances are those of NumPy to the last bit. Precompiled headers have other options.
set_source_files_properties(cpp/places/line_tree.cpp PROPERTIES
  COMPILE_OPTIONS -ffp-contract=off SKIP_PRECOMPILE_HEADERS ON)
target_link_libraries(apsp_kernels PUBLIC Threads::Threads)
apsp_precompile(apsp_kernels apsp_kernels ${APSP_STANDARD_HEADERS})

# Every kernels_simd.cpp is compiled once per instruction set, with APSP_SIMD naming the namespace of that set:
# see cpp/simd/dispatch.hpp. It is entered only after cpp/runtime/isa.hpp has seen the set on the machine.
function(apsp_compile_simd_kernels isa)
  add_library(apsp_${isa} OBJECT ${APSP_SIMD_SOURCES})
  apsp_compile_kernels(apsp_${isa} ${ARGN})
  target_compile_definitions(apsp_${isa} PRIVATE APSP_SIMD=${isa})
  target_sources(apsp_kernels PRIVATE $<TARGET_OBJECTS:apsp_${isa}>)
endfunction()
apsp_compile_simd_kernels(baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(APSP_AVX2 -mavx2 -mfma -mbmi -mbmi2 -mpopcnt -mlzcnt)
  apsp_compile_simd_kernels(avx2 ${APSP_AVX2})
  apsp_compile_simd_kernels(avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl ${APSP_AVX2} -mprefer-vector-width=512)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(apsp_avx512 PRIVATE -Wno-maybe-uninitialized)  # GCC 12 warns about its own intrinsics
  endif()
endif()
