// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/scatter_sums.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>

#include "recon/base/target_clones.h"

namespace tof {

namespace {

constexpr std::size_t kPairsTogether = 256;
constexpr std::uint32_t kDetectorsTogether = 32;  ///< whose rays from a point stay in the cache

/// Samples of a ray from `begin` on; nothing lies on the others.
struct Stretch {
    std::int32_t begin = 0;
    std::int32_t end = 0;
};

std::vector<Stretch> filledStretches(const ScatterProblem& problem) {
    const auto samples = static_cast<std::size_t>(problem.tables.samples);
    std::vector<Stretch> all(problem.rays.size());
    for (std::size_t ray = 0; ray < all.size(); ++ray) {
        const float* const first = problem.activity.data() + ray * samples;
        const float* const last = first + samples;
        const auto filled = [](float value) { return value != 0; };
        const auto begin = std::find_if(first, last, filled);
        const auto end =
            std::find_if(std::make_reverse_iterator(last), std::make_reverse_iterator(begin), filled);
        all[ray] = {static_cast<std::int32_t>(begin - first), static_cast<std::int32_t>(end.base() - first)};
    }
    return all;
}

/// out[k] += low * from[k], out[k + 1] += high * from[k]; of at least one sample.
TOF_CLONES void addTwice(const float* __restrict from, std::int32_t count, float low, float high,
                         float* __restrict out) {
    out[0] += low * from[0];
    for (std::int32_t k = 1; k < count; ++k) {
        out[k] += low * from[k] + high * from[k - 1];
    }
    out[count] += high * from[count - 1];
}

/// Pairs in an order in which those beside each other have rays in common.
std::vector<std::size_t> nearPairs(const std::vector<ScatterPair>& pairs) {
    std::vector<std::size_t> order(pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return pairs[a].two / kDetectorsTogether < pairs[b].two / kDetectorsTogether;
    });
    return order;
}

/// Sums of a few pairs: what comes from the activity on their second rays by place, and from that on their
/// first, which lies the other way round, by place from the last.
class PairSums {
  public:
    PairSums(const ScatterProblem& problem, const std::vector<Stretch>& stretches, std::size_t count)
        : problem_(problem),
          stretches_(stretches),
          places_(problem.places),
          up_(count * static_cast<std::size_t>(places_), 0.0F),
          down_(up_.size(), 0.0F) {}

    /// Adds what a point brings to the pair `ends`, whose sums are row `pair`.
    void add(const ScatterPair& ends, std::size_t point, std::size_t pair) {
        const std::size_t one = point * problem_.detectors + ends.one;
        const std::size_t two = point * problem_.detectors + ends.two;
        const ScatterRay& toOne = problem_.rays[one];
        const ScatterRay& toTwo = problem_.rays[two];
        const ScatterWeights weights = scatterWeights(problem_.tables, toOne, toTwo,
                                                      problem_.strengths[point], ends.distance, ends.direct);
        if (!(weights.one + weights.two > 0)) {
            return;
        }
        const ScatterShift shift = scatterShift(problem_.tables, toOne, toTwo, problem_.first_mm);
        const auto w1 = static_cast<float>(weights.one);
        const auto w2 = static_cast<float>(weights.two);
        // Sample k of the first ray lies at shift.down - k and the place behind, the last but one of which is
        // the first from the end.
        const std::int32_t before = places_ - 2 - shift.down;
        addSamples(one, before, shift.downShare * w1, (1 - shift.downShare) * w1, row(down_, pair));
        addSamples(two, shift.up, (1 - shift.upShare) * w2, shift.upShare * w2, row(up_, pair));
    }

    void writeTo(float* out, std::size_t pair) {
        const float* const up = row(up_, pair);
        const float* const down = row(down_, pair);
        for (std::int32_t k = 0; k < places_; ++k) {
            out[k] = up[k] + down[places_ - 1 - k];
        }
    }

  private:
    [[nodiscard]] float* row(std::vector<float>& sums, std::size_t pair) const {
        return sums.data() + pair * static_cast<std::size_t>(places_);
    }

    /// Samples of a ray from place `shift` on, as far as they and their next place are within the places.
    void addSamples(std::size_t ray, std::int32_t shift, float low, float high, float* out) const {
        const std::int32_t begin = std::max(stretches_[ray].begin, -shift);
        const std::int32_t end = std::min(stretches_[ray].end, places_ - 1 - shift);
        if (begin < end) {
            const auto samples = static_cast<std::size_t>(problem_.tables.samples);
            addTwice(problem_.activity.data() + ray * samples + begin, end - begin, low, high,
                     out + shift + begin);
        }
    }

    const ScatterProblem& problem_;
    const std::vector<Stretch>& stretches_;
    std::int32_t places_;
    std::vector<float> up_;
    std::vector<float> down_;
};

}  // namespace

void addUpScatter(const ScatterProblem& problem, ScatterSums& sums, const ThreadPool& pool,
                  const std::function<void(double)>& progress) {
    const std::size_t pairs = problem.pairs.size();
    const auto places = static_cast<std::size_t>(problem.places);
    sums.values.assign(pairs * places, 0.0F);
    const std::vector<Stretch> stretches = filledStretches(problem);
    const std::vector<std::size_t> order = nearPairs(problem.pairs);
    const auto perBatch = static_cast<std::size_t>(std::max(pool.threads(), 1)) * 4 * kPairsTogether;
    for (std::size_t first = 0; first < pairs; first += perBatch) {
        const std::size_t n = std::min(perBatch, pairs - first);
        pool.forRange(n, kPairsTogether, [&](std::size_t begin, std::size_t end) {
            const std::span own(order.data() + first + begin, end - begin);
            PairSums some(problem, stretches, own.size());
            for (std::size_t p = 0; p < problem.strengths.size(); ++p) {
                for (std::size_t i = 0; i < own.size(); ++i) {
                    some.add(problem.pairs[own[i]], p, i);
                }
            }
            for (std::size_t i = 0; i < own.size(); ++i) {
                some.writeTo(sums.values.data() + own[i] * places, i);
            }
        });
        if (progress) {
            progress(static_cast<double>(first + n) / static_cast<double>(pairs));
        }
    }
}

}  // namespace tof
