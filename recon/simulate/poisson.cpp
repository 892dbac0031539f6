// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/poisson.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "recon/base/target_clones.h"
#include "recon/simulate/random_stream.h"

namespace tof {

namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kPiece =
    64;  // means are cut into pieces this large, whose exp(-mean) is far from underflow
constexpr std::size_t kMost = 160;    // the largest of a piece: more are less likely than 1e-20
constexpr std::size_t kTogether = 4;  // steps of the search before it is asked who is done
constexpr double kNormal = 1e4;  // beyond, a rounded normal deviate differs by less than 1 % of one sigma

using Lanes = std::array<double, kLanes>;

/// Parts of the lanes, as large as the largest registers.
constexpr std::size_t kWidth = 8;
constexpr std::size_t kParts = kLanes / kWidth;
using Some = double __attribute__((vector_size(kWidth * sizeof(double))));
using Whole = std::int64_t __attribute__((vector_size(kWidth * sizeof(std::int64_t))));
using Words = std::uint64_t __attribute__((vector_size(kWidth * sizeof(std::uint64_t))));
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

/// Uniform in (0, 1) of the first 52 bits of a block of kLanes streams one after the other: the rounds of
/// philoxBlock(), every word in 64 bits.
TOF_CLONES void drawUniforms(std::uint64_t key, std::uint64_t firstEvent, std::uint32_t attempt,
                             std::uint32_t block, Lanes& uniform) {
    for (std::size_t part = 0; part < kParts; ++part) {
        Words c0{};
        Words c1{};
        Words c2{};
        Words c3{};
        for (std::size_t i = 0; i < kWidth; ++i) {
            const std::uint64_t event = firstEvent + part * kWidth + i;
            c2[i] = event & kWord;
            c3[i] = event >> 32U;
        }
        c0 += block;
        c1 += attempt;
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
        const Some fine = (__builtin_convertvector(bits, Some) + 0.5) / 4503599627370496.0;
        std::memcpy(uniform.data() + part * kWidth, &fine, sizeof fine);
    }
}

/// exp(-mean): from the middle of its whole number by Taylor's series, right to 3e-16.
TOF_CLONES void findNone(const Tables& t, const Lanes& mean, Lanes& none) {
    for (std::size_t part = 0; part < kParts; ++part) {
        Some middle;
        Some off;
        for (std::size_t i = 0; i < kWidth; ++i) {
            const double at = mean[part * kWidth + i];
            const auto whole = static_cast<std::int32_t>(at);
            middle[i] = t.none[static_cast<std::size_t>(whole)];
            off[i] = static_cast<double>(whole) + 0.5 - at;
        }
        Some sum = 1 + 0 * off;
        for (std::size_t k = 14; k > 0; --k) {
            sum = 1 + sum * (off * t.perCount[k]);
        }
        sum *= middle;
        std::memcpy(none.data() + part * kWidth, &sum, sizeof sum);
    }
}

/// Counts of means up to kPiece by inversion: how often the sum of the distribution's terms, `none` the
/// first, lies below the uniform number. All lanes take the same steps until the last is done.
TOF_CLONES void invert(const Tables& t, const Lanes& means, const Lanes& uniforms, const Lanes& none,
                       Lanes& counts) {
    std::array<Some, kParts> mean;
    std::array<Some, kParts> uniform;
    std::array<Some, kParts> term;
    std::array<Some, kParts> sum;
    std::array<Whole, kParts> count{};
    std::memcpy(&mean, &means, sizeof mean);
    std::memcpy(&uniform, &uniforms, sizeof uniform);
    std::memcpy(&term, &none, sizeof term);
    sum = term;
    bool searching = true;
    for (std::size_t k = 1; k + kTogether <= kMost + 1 && searching; k += kTogether) {
        Whole below{};
        for (std::size_t part = 0; part < kParts; ++part) {
            Whole before = count[part];
            for (std::size_t step = k; step < k + kTogether; ++step) {
                before = count[part];
                count[part] -= uniform[part] > sum[part];  // true is -1
                term[part] *= mean[part] * t.perCount[step];
                sum[part] += term[part];
            }
            below |= count[part] - before;
        }
        std::int64_t any = 0;
        for (std::size_t i = 0; i < kWidth; ++i) {
            any |= below[i];
        }
        searching = any != 0;
    }
    for (std::size_t part = 0; part < kParts; ++part) {
        for (std::size_t i = 0; i < kWidth; ++i) {
            counts[part * kWidth + i] = static_cast<double>(count[part][i]);
        }
    }
}

/// Draws for a large mean.
double roundedNormal(double mean, RandomStream& random) {
    return std::max(0.0, std::floor(mean + std::sqrt(mean) * random.normal() + 0.5));
}

/// Means up to kNormal, in pieces; `most` is the largest.
void drawLanes(Lanes means, double most, std::uint64_t key, std::uint32_t round, std::uint64_t first,
               std::span<float> counts) {
    std::fill(counts.begin(), counts.end(), 0.0F);
    for (std::uint32_t piece = 0; most > 0; ++piece, most -= kPiece) {
        Lanes mean;
        Lanes uniform;
        Lanes none;
        Lanes found;
        for (std::size_t i = 0; i < kLanes; ++i) {
            mean[i] = std::clamp(means[i], 0.0, 1.0 * kPiece);
            means[i] -= kPiece;
        }
        drawUniforms(key, first, round, piece, uniform);
        findNone(tables(), mean, none);
        invert(tables(), mean, uniform, none, found);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            counts[i] += static_cast<float>(found[i]);
        }
    }
}

}  // namespace

void poissonInto(std::span<const float> expected, double scale, std::uint64_t seed, RandomUse use,
                 std::uint32_t round, const ThreadPool& pool, std::span<float> counts) {
    constexpr std::size_t kChunk = std::size_t{1} << 14U;
    pool.forRange(counts.size(), kChunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t first = begin; first < end; first += kLanes) {
            const std::size_t n = std::min(kLanes, end - first);
            Lanes means{};
            for (std::size_t i = 0; i < n; ++i) {
                const double mean = scale * static_cast<double>(expected[first + i]);
                means[i] = mean > 0 ? mean : 0.0;  // nor is anything else a mean
            }
            Lanes small = means;
            std::replace_if(
                small.begin(), small.end(), [](double mean) { return mean > kNormal; }, 0.0);
            drawLanes(small, *std::max_element(small.begin(), small.end()), streamKey(seed, use), round,
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
