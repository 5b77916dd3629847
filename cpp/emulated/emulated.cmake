# The extension apsp._emulated: the CUDA kernels of this package compiled for this CPU, twice. The namespace
# apsp has another name in each object, since plain and instrumented kernels live in one library:
# cpp/emulated/kernels/register.hpp defines APSP_NAMESPACE.
file(GLOB APSP_EMULATED_KERNELS CONFIGURE_DEPENDS cpp/emulated/kernels/*.cpp)
file(GLOB_RECURSE APSP_CUDA_FILES CONFIGURE_DEPENDS src/apsp/*.cu src/apsp/*.cuh)
list(TRANSFORM APSP_CUDA_FILES REPLACE "/[^/]*$" "" OUTPUT_VARIABLE APSP_KERNEL_FOLDERS)
list(REMOVE_DUPLICATES APSP_KERNEL_FOLDERS)
file(GLOB APSP_EMULATED_SOURCES CONFIGURE_DEPENDS cpp/emulated/*.cpp cpp/emulated/run/*.cpp cpp/emulated/count/*.cpp)

# Variables of a thread of the CPU (shared memory, the place of a thread of the GPU) without a call for each.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-mtls-dialect=gnu2 APSP_HAS_TLS_DESCRIPTORS)

foreach(source ${APSP_EMULATED_KERNELS})
  get_filename_component(stem ${source} NAME_WE)
  set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS "apsp=APSP_NAMESPACE(${stem})")
endforeach()

function(apsp_emulated_objects kind)
  set(target apsp_emulated_${kind})
  add_library(${target} OBJECT ${APSP_EMULATED_KERNELS})
  target_include_directories(${target} PRIVATE cpp/emulated ${APSP_KERNEL_FOLDERS})
  target_compile_options(${target} PRIVATE -O2 -fno-exceptions -fno-math-errno -ffp-contract=off
    -fno-strict-aliasing -w)
  if(kind STREQUAL plain)
    apsp_sanitize(${target})
    target_compile_options(${target} PRIVATE -O1) # compiles in two thirds of the time, and runs as fast
  endif()
  apsp_precompile(${target} ${target} <cuda.hpp>)
  if(APSP_HAS_TLS_DESCRIPTORS)
    target_compile_options(${target} PRIVATE -mtls-dialect=gnu2)
  endif()
  if(kind STREQUAL counted)
    target_compile_definitions(${target} PRIVATE APSP_COUNTED)
    # An access in the source is one of the kernel, as with NVIDIA's compiler: values of other types may be the
    # same memory, and no store or branch is split in two. What that compiler does beyond it (it unrolls loops
    # around atomics) is not repeated: see benchmarks/results/gpu_counts.json.
    target_compile_options(${target} PRIVATE -fsanitize=thread -fsanitize-coverage=trace-pc
      -fno-strict-aliasing -fno-tree-vectorize -fno-unroll-loops)
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
      target_compile_options(${target} PRIVATE -O1 -fno-slp-vectorize
        "SHELL:-mllvm -tsan-instrument-read-before-write=1" "SHELL:-mllvm -tsan-distinguish-volatile=1"
        "SHELL:-mllvm -sanitizer-coverage-prune-blocks=0")
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      target_compile_options(${target} PRIVATE --param=tsan-instrument-func-entry-exit=0 --param=tsan-distinguish-volatile=1
        -fno-tree-loop-distribute-patterns -fno-tree-pre -fno-gcse -fno-ipa-icf
        -fno-thread-jumps -fno-split-paths -fno-tree-sink -fno-tree-dominator-opts -fno-tree-vrp)
    endif()
  endif()
  target_sources(_emulated PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

nanobind_add_module(_emulated NB_STATIC STABLE_ABI FREE_THREADED ${APSP_EMULATED_SOURCES} cpp/bindings/interpreter.cpp
  cpp/runtime/no_fork.cpp)
apsp_sanitize(_emulated)
target_include_directories(_emulated PRIVATE cpp)
target_link_libraries(_emulated PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
target_compile_options(_emulated PRIVATE -Wall -Wextra)
apsp_emulated_objects(plain)
apsp_emulated_objects(counted)
install(TARGETS _emulated LIBRARY DESTINATION apsp)
