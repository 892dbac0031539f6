// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/poisson.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "recon/base/target_clones.h"
#include "recon/simulate/random_stream.h"

namespace tof {

namespace {

constexpr std::size_t kPiece =
    64;  // means are cut into pieces this large, whose exp(-mean) is far from underflow
constexpr std::size_t kMost = 160;    // the largest of a piece: more are less likely than 1e-20
constexpr std::size_t kTogether = 4;  // steps of the search before it is asked who is done
constexpr double kNormal = 1e4;  // beyond, a rounded normal deviate differs by less than 1 % of one sigma

using Some = double __attribute__((vector_size(kClonedVectorBytes)));
using Whole = std::int64_t __attribute__((vector_size(kClonedVectorBytes)));
using Words = std::uint64_t __attribute__((vector_size(kClonedVectorBytes)));
constexpr std::size_t kWidth = kClonedVectorBytes / sizeof(double);
constexpr std::size_t kParts = 2;  // one part's sums wait while the other's are added
constexpr std::size_t kStreams = kParts * kWidth;
using Lanes = std::array<Some, kParts>;
constexpr std::uint64_t kWord = 0xFFFFFFFF;

/// Numbers that a search for a count needs.
struct Tables {
    Tables() {
        for (std::size_t k = 1; k <= kMost; ++k) {
            perCount[k] = 1 / static_cast<double>(k);
        }
        for (std::size_t i = 0; i <= kPiece; ++i) {
            none[i] = std::exp(-(static_cast<double>(i) + 0.5));
        }
    }
    std::array<double, kMost + 1> perCount{};  ///< 1/k
    std::array<double, kPiece + 1> none{};     ///< exp(-(i + 1/2))
};

const Tables& tables() {
    static const Tables theTables;
    return theTables;
}

/// Uniform in (0, 1) of the first 52 bits of a block of kStreams streams one after the other: the rounds of
/// philoxBlock(), every word in 64 bits.
TOF_CLONES void drawUniforms(std::uint64_t key, std::uint64_t firstEvent, std::uint32_t attempt,
                             std::uint32_t block, Lanes& uniform) {
    for (std::size_t part = 0; part < kParts; ++part) {
        const Words event = Words{0, 1, 2, 3} + (firstEvent + part * kWidth);
        Words c0 = Words{} + block;
        Words c1 = Words{} + attempt;
        Words c2 = event & kWord;
        Words c3 = event >> 32U;
        std::uint64_t key0 = key & kWord;
        std::uint64_t key1 = key >> 32U;
        for (int round = 0; round < 10; ++round) {
            const Words p0 = c0 * 0xD2511F53U;
            const Words p1 = c2 * 0xCD9E8D57U;
            c0 = (p1 >> 32U) ^ c1 ^ key0;
            c1 = p1 & kWord;
            c2 = (p0 >> 32U) ^ c3 ^ key1;
            c3 = p0 & kWord;
            key0 = (key0 + 0x9E3779B9U) & kWord;
            key1 = (key1 + 0xBB67AE85U) & kWord;
        }
        const Words bits = (c0 << 20U) + (c1 >> 12U);
        uniform[part] = (__builtin_convertvector(bits, Some) + 0.5) / 4503599627370496.0;
    }
}

/// exp(-mean): from the middle of its whole number by Taylor's series, right to 3e-16.
TOF_CLONES void findNone(const Tables& t, const Lanes& mean, Lanes& none) {
    for (std::size_t part = 0; part < kParts; ++part) {
        Some middle;
        Some off;
        for (std::size_t i = 0; i < kWidth; ++i) {
            const double at = mean[part][i];
            const auto whole = static_cast<std::int32_t>(at);
            middle[i] = t.none[static_cast<std::size_t>(whole)];
            off[i] = static_cast<double>(whole) + 0.5 - at;
        }
        Some sum = 1 + 0 * off;
        for (std::size_t k = 14; k > 0; --k) {
            sum = 1 + sum * (off * t.perCount[k]);
        }
        none[part] = sum * middle;
    }
}

/// Counts of means up to kPiece by inversion: how often the sum of the distribution's terms, `none` the
/// first, lies below the uniform number. All lanes take the same steps until the last is done.
TOF_CLONES void invert(const Tables& t, const Lanes& mean, const Lanes& uniform, const Lanes& none,
                       Lanes& counts) {
    Lanes term = none;
    Lanes sum = none;
    std::array<Whole, kParts> count{};
    bool searching = true;
    for (std::size_t k = 1; k + kTogether <= kMost + 1 && searching; k += kTogether) {
        for (std::size_t step = k; step < k + kTogether; ++step) {
            for (std::size_t part = 0; part < kParts; ++part) {
                count[part] -= uniform[part] > sum[part];  // true is -1
                term[part] *= mean[part] * t.perCount[step];
                sum[part] += term[part];
            }
        }
        const Whole below = (uniform[0] > sum[0]) | (uniform[1] > sum[1]);
        searching = (below[0] | below[1] | below[2] | below[3]) != 0;
    }
    for (std::size_t part = 0; part < kParts; ++part) {
        counts[part] = __builtin_convertvector(count[part], Some);
    }
}

/// Draws for a large mean.
double roundedNormal(double mean, RandomStream& random) {
    return std::max(0.0, std::floor(mean + std::sqrt(mean) * random.normal() + 0.5));
}

/// Means up to kNormal, in pieces; `most` is the largest.
void drawStreams(std::array<double, kStreams> means, double most, std::uint64_t key, std::uint32_t round,
                 std::uint64_t first, std::span<float> counts) {
    std::fill(counts.begin(), counts.end(), 0.0F);
    for (std::uint32_t piece = 0; most > 0; ++piece, most -= kPiece) {
        alignas(kClonedVectorBytes) Lanes mean;
        alignas(kClonedVectorBytes) Lanes uniform;
        alignas(kClonedVectorBytes) Lanes none;
        alignas(kClonedVectorBytes) Lanes found;
        for (std::size_t i = 0; i < kStreams; ++i) {
            mean[i / kWidth][i % kWidth] = std::clamp(means[i], 0.0, 1.0 * kPiece);
            means[i] -= kPiece;
        }
        drawUniforms(key, first, round, piece, uniform);
        findNone(tables(), mean, none);
        invert(tables(), mean, uniform, none, found);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            counts[i] += static_cast<float>(found[i / kWidth][i % kWidth]);
        }
    }
}

}  // namespace

void poissonInto(std::span<const float> expected, double scale, std::uint64_t seed, RandomUse use,
                 std::uint32_t round, const ThreadPool& pool, std::span<float> counts) {
    constexpr std::size_t kChunk = std::size_t{1} << 14U;
    pool.forRange(counts.size(), kChunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t first = begin; first < end; first += kStreams) {
            const std::size_t n = std::min(kStreams, end - first);
            std::array<double, kStreams> means{};
            for (std::size_t i = 0; i < n; ++i) {
                const double mean = scale * static_cast<double>(expected[first + i]);
                means[i] = mean > 0 ? mean : 0.0;  // nor is anything else a mean
            }
            std::array<double, kStreams> small = means;
            std::replace_if(
                small.begin(), small.end(), [](double mean) { return mean > kNormal; }, 0.0);
            drawStreams(small, *std::max_element(small.begin(), small.end()), streamKey(seed, use), round,
                        first, counts.subspan(first, n));
            for (std::size_t i = 0; i < n; ++i) {
                if (means[i] > kNormal) {
                    RandomStream random(seed, use, first + i);
                    random.startAttempt(round);
                    counts[first + i] = static_cast<float>(roundedNormal(means[i], random));
                }
            }
        }
    });
}

std::vector<float> poissonCounts(std::span<const float> expected, double scale, std::uint64_t seed,
                                 const ThreadPool& pool) {
    std::vector<float> counts(expected.size());
    poissonInto(expected, scale, seed, RandomUse::Counts, 0, pool, counts);
    return counts;
}

}  // namespace tof
