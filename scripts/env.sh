# Sourced by the other scripts: a virtual environment in .venv with the package built from this checkout.
# Needs Python 3.11 or newer and a C++20 compiler; everything else comes from PyPI. use_env EXTRA... installs the extras.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# With ccache, a wheel takes most objects from the build of the package in .venv. Paths below the checkout are compared
# relative to the folder of the build, so a copy of the sources below it has the same objects. Precompiled headers are
# compared by their bytes.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_DIR="$PWD/build/ccache" CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros
fi

outer_path=$PATH

find_python() {
  for name in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
    if command -v "$name" >/dev/null && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
  echo "apsp needs Python 3.11 or newer: install it, or set PYTHON to its path" >&2
  exit 1
}

# The checksum of all that the extensions are built from.
compiled_sources() {
  cat pyproject.toml CMakeLists.txt $(find cpp -type f | sort) $(find src -name '*.cu' -o -name '*.cuh' | sort) | cksum
}

use_env() {
  if [ ! -x .venv/bin/python ]; then
    echo "making .venv (once)" >&2
    local python
    python=$(find_python)
    "$python" -m venv .venv || { echo "the venv module is missing: on Debian, apt-get install python3-venv" >&2; exit 1; }
  fi
  if ! command -v "${CXX:-c++}" >/dev/null && ! command -v g++ >/dev/null && ! command -v clang++ >/dev/null; then
    echo "a C++20 compiler is needed: on Debian, apt-get install g++" >&2
    exit 1
  fi
  # Build again only when the C++ sources or the build files have changed; extras that are new need no build.
  set -- . "$@"
  local sources wanted extra missing=() installing= pip=(.venv/bin/python -m pip install --quiet --disable-pip-version-check)
  sources=$(compiled_sources)
  wanted=$(cksum <pyproject.toml)
  for extra in "$@"; do [ "$(cat ".venv/extra-$extra" 2>/dev/null)" = "$wanted" ] || missing+=("$extra"); done
  if [ ${#missing[@]} -gt 0 ]; then
    # One process installs while others build the package. Modules are compiled afterwards, but for those of tests and
    # those that few or none import, an eighth of all lines: they are compiled when one does.
    echo "installing what the package needs, for: ${missing[*]}" >&2
    .venv/bin/python scripts/requirements.py "${missing[@]}" >.venv/requirements
    "${pip[@]}" --no-compile -r .venv/requirements &
    installing=$!
  fi
  if [ "$(cat .venv/built 2>/dev/null)" != "$sources" ]; then
    echo "building apsp (a minute or two)" >&2
    # What builds is in .venv: an environment of pip's own has another path every time, and with it all objects are made again.
    .venv/bin/python scripts/requirements.py build >.venv/build-requirements
    "${pip[@]}" -r .venv/build-requirements
    "${pip[@]}" --no-deps --no-build-isolation -e .
    echo "$sources" >.venv/built
  fi
  if [ -n "$installing" ]; then
    wait "$installing"
    .venv/bin/python -m compileall -qq -j 0 -x '/(tests?|moto|mypyc?|fontTools|narwhals|pygments/lexers)/' .venv/lib/python3*/site-packages || true
  fi
  for extra in "$@"; do echo "$wanted" >".venv/extra-$extra"; done
  export PATH="$PWD/.venv/bin:$PATH"
  # The tests start a thousand processes that import the package. Its modules are compiled once, whatever the caller
  # prefers, and here: a process on a full disk could leave the half of one.
  unset PYTHONDONTWRITEBYTECODE
  python -m compileall -q -x '/test_[^/]*$' src tests  # pytest compiles those itself, with its asserts
}

# A second environment, build/sanitized-env: the extensions built with the address and undefined-behaviour sanitizers and
# the assertions of the standard library; every other package is that of .venv.
# `sanitized COMMAND...` runs a program in it.
use_sanitized_env() {
  local folder=build/sanitized-env site sources
  use_env dev
  sanitizing=1
  export PATH="$PWD/$folder/bin:$PATH"
  sources=$(compiled_sources)
  [ "$(cat $folder/built 2>/dev/null)" != "$sources" ] || return 0
  echo "building apsp with sanitizers (some minutes)" >&2
  .venv/bin/python -m pip install --quiet --disable-pip-version-check cmake ninja
  .venv/bin/python -m venv --without-pip $folder
  site=$(python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
  .venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))' >"$site/packages.pth"
  # With the CMake that has built the package, so that the objects which are not instrumented are the same for ccache.
  PATH=$outer_path .venv/bin/python -m pip --python $folder/bin/python install --quiet --disable-pip-version-check --no-deps --force-reinstall \
    -C build-dir=build/sanitized -C cmake.define.APSP_SANITIZE=address,undefined -e .
  echo "$sources" >$folder/built
}

# The libraries of the sanitizers come before all others of the process. Leaks are not reported: the interpreter and
# its packages have many of their own. Nor are uses of variables of functions that have returned: the compiler may place
# vectors of 64 bytes wrongly in memory that is kept for this (GCC, bug 110027), and the process ends.
sanitized() {
  local compiler=${CXX:-c++}
  LD_PRELOAD="$($compiler -print-file-name=libasan.so) $($compiler -print-file-name=libstdc++.so)" \
    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=0 UBSAN_OPTIONS=print_stacktrace=1 "$@"
}
