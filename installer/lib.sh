# shellcheck shell=bash
# What the installer's commands share. Sourced, after `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build="$root/build/release"
started=$SECONDS
# Checkouts in different folders share what the compiler cache knows.
export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=true
# Sources that take a precompiled header, too: it is looked at itself, and nothing here says when it was compiled.
export CCACHE_SLOPPINESS=pch_defines,time_macros

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

# Parts that build/release has besides what everybody uses: OFF leaves out experiments, published strategies, measuring and the
# Python package, and with them the tests, which look into all of these.
wings=ON

# Which devices get machine code: this machine's, or `all` that a package is for (cmake/TofscopeCuda.cmake lists them).
devices=here

# Configures build/release once (CMake looks after itself later) and builds the given targets, or everything. A folder that was
# configured without wings is configured again for who needs them.
build_release() {
    local home="" flags=("-DTOFSCOPE_EXPERIMENTS=$wings" "-DTOFSCOPE_PUBLISHED=$wings" "-DTOFSCOPE_MEASURE=$wings"
        "-DTOFSCOPE_TESTS=$wings" "-DTOFSCOPE_PYTHON=$wings")
    local code=()
    [ "$devices" = all ] || code=("-DCMAKE_CUDA_ARCHITECTURES=$(cuda_architecture)")
    if [ -f "$build/CMakeCache.txt" ]; then
        home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
    fi
    if [ "$home" != "$root" ] || [ ! -f "$build/build.ninja" ]; then
        rm -rf "$build"
        say "configuring $build"
        (cd "$root" && cmake --preset release -B "$build" "${code[@]}" "${flags[@]}")
    elif [ "$wings" = ON ] && grep -q '^TOFSCOPE_EXPERIMENTS:BOOL=OFF' "$build/CMakeCache.txt"; then
        (cd "$root" && cmake --preset release -B "$build" "${flags[@]}")
    fi
    say "building (the first time takes some minutes)"
    local TIMEFORMAT='== built in %0R s: %0U s of processor time, and %0S s for the system'
    time cmake --build "$build" -j "$(jobs)" ${1:+--target "$@"}
}

# An NVIDIA GPU without a display: Qt draws off screen, its surfaces and VTK's through EGL on the device. The driver's
# libEGL must be found by glvnd, which looks in the folder of JSON files below; some machines mount the driver without one, for
# which a file is written to the given folder.
gpu_display() {
    local folder=$1
    local vendor=/usr/local/nvidia/share/glvnd/egl_vendor.d/10_nvidia.json library
    if [ -e "$vendor" ]; then
        export __EGL_VENDOR_LIBRARY_FILENAMES="$vendor"
        return
    fi
    vendor="$folder/egl_nvidia.json"
    library=$(ldconfig -p | awk '/libEGL_nvidia.so.0/ {print $NF; exit}')
    if [ -z "$library" ]; then
        library=$(find /usr/local/nvidia /usr/lib -name 'libEGL_nvidia.so.0' 2>/dev/null | head -n 1)
    fi
    [ -n "$library" ] || { echo "no libEGL_nvidia.so.0 here: the driver has no graphics" >&2; exit 4; }
    printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s"}}\n' "$library" >"$vendor"
    export __EGL_VENDOR_LIBRARY_FILENAMES="$vendor"
}

# Where windows that are measured draw: with "$1" on the GPU, which is named, else on a display or off screen, with $2 for what
# belongs to a display otherwise. Sets `renderer`; the GPU's ends where there is none.
draw_somewhere() {
    renderer=auto
    if [ -z "$1" ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
        return
    fi
    mkdir -p "$2"
    chmod 700 "$2"
    export QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR="$2"
    if [ -n "$1" ]; then
        nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
        gpu_display "$2"
        # shellcheck disable=SC2034 # read by who sources this
        renderer=opengl
    fi
}

# The list that measurements are of, made once: $1 the command line's program, $2 the file.
make_list() {
    [ -e "$2" ] || "$1" simulate --scanner labr3-ideal --phantom spheres --events 2000000 --seed 1 "$2"
}
