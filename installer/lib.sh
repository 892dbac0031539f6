# shellcheck shell=bash
# What the installer's commands share. Sourced, after `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build="$root/build/release"
started=$SECONDS

say() { printf '== %s\n' "$*"; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# "3 min 07 s"
duration() { printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); }

# Compiler processes at a time: as many as there are cores, with about 1.5 GiB of memory for each.
jobs() {
    local cores gib
    cores=$(nproc)
    gib=$(awk '/^MemAvailable/ { printf "%d", $2 / 1572864 }' /proc/meminfo)
    [ "$gib" -ge 1 ] || gib=1
    printf '%d' $((cores < gib ? cores : gib))
}

# Device code for this machine's device alone, or for one architecture where there is none: six take minutes.
cuda_architecture() {
    if command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
        printf 'native'
    else
        printf '90-virtual'
    fi
}

# Configures build/release once (CMake looks after itself later) and builds the given targets, or everything.
build_release() {
    local home=""
    if [ -f "$build/CMakeCache.txt" ]; then
        home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
    fi
    if [ "$home" != "$root" ] || [ ! -f "$build/build.ninja" ]; then
        rm -rf "$build"
        say "configuring $build"
        (cd "$root" && cmake --preset release -DCMAKE_CUDA_ARCHITECTURES="$(cuda_architecture)")
    fi
    say "building (the first time takes some minutes)"
    cmake --build "$build" -j "$(jobs)" ${1:+--target "$@"}
}
