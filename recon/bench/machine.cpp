// SPDX-License-Identifier: Apache-2.0
#include "recon/bench/machine.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "recon/bench/simd/fma_peak.h"
#include "recon/bench/stopwatch.h"

namespace tof {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTries = 5;
constexpr long kRepetitions = 400'000;                      // a few milliseconds
constexpr std::size_t kCopyFloats = std::size_t{1} << 26U;  // 256 MiB

double multiplyAddLoop(InstructionSet set, float* sink) {
#if defined(__x86_64__)
    if (set == InstructionSet::Avx512) {
        return avx512::multiplyAddLoop(kRepetitions, sink);
    }
    if (set == InstructionSet::Avx2) {
        return avx2::multiplyAddLoop(kRepetitions, sink);
    }
#endif
    static_cast<void>(set);
    return baseline::multiplyAddLoop(kRepetitions, sink);
}

}  // namespace

double measureMultiplyAddPeak(const ThreadPool& pool, InstructionSet set) {
    const auto threads = static_cast<std::size_t>(pool.threads());
    std::vector<float> sinks(threads * 32, 0.0F);  // a cache line or two apart
    std::vector<double> counts(threads, 0.0);
    double best = 0;
    for (int i = 0; i < kTries; ++i) {
        const auto start = Clock::now();
        pool.forRange(threads, 1, [&](std::size_t begin, std::size_t) {
            counts[begin] = multiplyAddLoop(set, &sinks[begin * 32]);
        });
        const double seconds = secondsSince(start);
        double count = 0;
        for (const double c : counts) {
            count += c;
        }
        best = std::max(best, count / seconds);
    }
    return best;
}

double measureCopyBandwidth(const ThreadPool& pool) {
    std::vector<float> from(kCopyFloats, 1.0F);
    std::vector<float> to(kCopyFloats, 0.0F);
    double best = 0;
    for (int i = 0; i < kTries; ++i) {
        const auto start = Clock::now();
        pool.forRange(kCopyFloats, kCopyFloats / 64, [&](std::size_t begin, std::size_t end) {
            std::memcpy(to.data() + begin, from.data() + begin, (end - begin) * sizeof(float));
        });
        best = std::max(best, 2.0 * kCopyFloats * sizeof(float) / secondsSince(start));
    }
    return best;
}

}  // namespace tof
