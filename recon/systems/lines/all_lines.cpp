// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/all_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "recon/base/cropped_volume.h"
#include "recon/base/large_array.h"
#include "recon/sources/line_histogram.h"
#include "recon/systems/lines/bin_factors.h"
#include "recon/systems/lines/line_table.h"
#include "recon/systems/lines/line_walk.h"

namespace tof {

namespace {

constexpr std::size_t kGrain = 4096;
constexpr std::size_t kLinesAtATime = std::size_t{1} << 18U;  ///< between two words of progress
constexpr std::size_t kMostPairs = std::size_t{1} << 25U;

/// Where the points of a pose of a list begin that has `crystals` of them; poses are counted from 0.
std::uint32_t firstOfPose(std::size_t pose, std::uint32_t crystals) {
    return static_cast<std::uint32_t>(pose + 1) * crystals;
}

/// Lines and what each stands for.
struct Weighed {
    std::vector<std::array<std::uint32_t, 2>> pairs;
    std::vector<float> mult;

    void add(std::uint32_t one, std::uint32_t two, double stands) {
        pairs.push_back({one, two});
        mult.push_back(static_cast<float>(stands));
    }
};

/// What `found` finds of [0, n), in chunks of `grain` by all threads, in the order of these.
Weighed gathered(const ThreadPool& pool, std::size_t n, std::size_t grain,
                 const std::function<void(std::size_t begin, std::size_t end, Weighed& out)>& found) {
    std::vector<Weighed> chunks((n + grain - 1) / grain);
    pool.forRange(n, grain,
                  [&](std::size_t begin, std::size_t end) { found(begin, end, chunks[begin / grain]); });
    std::vector<std::size_t> firsts(chunks.size() + 1);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        firsts[i + 1] = firsts[i] + chunks[i].pairs.size();
    }
    Weighed all;
    const std::size_t room = listedSize(firsts.back()) - firsts.back();
    growTo(all.pairs, firsts.back(), room, pool);
    growTo(all.mult, firsts.back(), room, pool);
    pool.forRange(chunks.size(), 1, [&](std::size_t i, std::size_t) {
        const auto first = static_cast<std::ptrdiff_t>(firsts[i]);
        std::copy(chunks[i].pairs.begin(), chunks[i].pairs.end(), all.pairs.begin() + first);
        std::copy(chunks[i].mult.begin(), chunks[i].mult.end(), all.mult.begin() + first);
    });
    return all;
}

/// Every accepted pair of crystals, in every pose where something moved.
Weighed acceptedPairs(const std::vector<Vec3>& points, const LineData& list, const ThreadPool& pool) {
    const PossibleLines& possible = list.possible;
    const auto count = static_cast<std::uint32_t>(list.crystals());
    constexpr std::size_t kRows = 16;
    return gathered(pool, count, kRows, [&](std::size_t begin, std::size_t end, Weighed& out) {
        for (auto one = static_cast<std::uint32_t>(begin); one < end; ++one) {
            for (std::uint32_t two = one + 1; two < count; ++two) {
                if (!possible.accepts(points[one], points[two])) {
                    continue;
                }
                if (possible.poses.empty()) {
                    out.add(one, two, 1);
                }
                for (std::size_t pose = 0; pose < possible.poses.size(); ++pose) {
                    if (possible.poses[pose] > 0) {  // else it is another frame's
                        const std::uint32_t first = firstOfPose(pose, count);
                        out.add(first + one, first + two, possible.poses[pose]);
                    }
                }
            }
        }
    });
}

/// Where each of the shares ends that lie side by side on [0, 1).
std::vector<double> endsOf(const std::vector<double>& shares) {
    std::vector<double> ends(shares.size());
    std::partial_sum(shares.begin(), shares.end(), ends.begin());
    return ends;
}

/// Accepted ones among kMostPairs ordered pairs that fill the square of all evenly: an additive recurrence
/// with the powers of the plastic number (M. Roberts, 2018), whose discrepancy is far below that of random
/// draws. Where something moved, each is in one pose, drawn by its share of the time.
Weighed sampledPairs(const std::vector<Vec3>& points, const LineData& list, const ThreadPool& pool) {
    const PossibleLines& possible = list.possible;
    const auto crystals = static_cast<std::uint32_t>(list.crystals());
    const auto count = static_cast<double>(crystals);
    const double stands = 0.5 * count * count / static_cast<double>(kMostPairs);
    const std::vector<double> ends = endsOf(possible.poses);
    const auto term = [](std::size_t i, double step) {
        const double sum = 0.5 + static_cast<double>(i + 1) * step;
        return sum - std::floor(sum);
    };
    return gathered(pool, kMostPairs, kLinesAtATime, [&](std::size_t begin, std::size_t end, Weighed& out) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto c1 = static_cast<std::uint32_t>(term(i, 0.7548776662466927) * count);
            const auto c2 = static_cast<std::uint32_t>(term(i, 0.5698402909980532) * count);
            if (c1 == c2 || !possible.accepts(points[c1], points[c2])) {
                continue;
            }
            std::uint32_t first = 0;
            if (!ends.empty()) {
                const double time = term(i, 0.6180339887498949);
                const auto pose = std::upper_bound(ends.begin(), ends.end(), time) - ends.begin();
                first = firstOfPose(std::min(static_cast<std::size_t>(pose), ends.size() - 1), crystals);
            }
            out.add(first + c1, first + c2, stands);
        }
    });
}

/// Sinograms of single pairs of crystals are kept for sensitivities up to this many bins, 0.5 GB.
constexpr std::size_t kMostBinsOfPairs = std::size_t{1} << 27U;

/// The pairs of crystals that the bins of `spec` add up, each in a bin of its own.
MichelogramSpec pairByPair(MichelogramSpec spec) {
    std::vector<RingSegment> single;
    for (const RingSegment& segment : spec.segments) {
        for (int difference = segment.minDifference; difference <= segment.maxDifference; ++difference) {
            single.push_back({difference, difference});
        }
    }
    spec.segments = single;
    spec.mashing = 1;
    spec.anglesPerPart = defaultAnglesPerPart(spec.scanner.crystalsPerRing / 2);
    return spec;
}

/// True when events have lines between crystals, not mean lines of bins.
bool liesOnPairs(const LineEvents& events, const RingScanner& scanner) {
    const auto same = [](const Vec3& a, const Vec3& b) { return norm(a - b) == 0; };
    const std::vector<Vec3> crystals = ringPoints(scanner);
    return std::equal(events.points.begin(), events.points.end(), crystals.begin(), crystals.end(), same);
}

/// Every value times factor(index).
template <typename Factor>
void multiply(std::vector<float>& values, const Factor& factor, const ThreadPool& pool) {
    pool.forRange(values.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            values[i] *= factor(i);
        }
    });
}

double voxelVolume(const Lattice& lattice) {
    return lattice.spacing_mm[0] * lattice.spacing_mm[1] * lattice.spacing_mm[2];
}

/// What `mult` of pairs is multiplied with where their factors' sum is `sum`.
double unitOf(const Scanner& scanner, const Lattice& lattice, double sum, double pairs) {
    if (knowsEfficiencies(scanner)) {
        return 1 / voxelVolume(lattice);
    }
    return sum > 0 ? pairs / sum : 0.0;
}

/// Multiplies mult of lines between the crystals of a list's scanner with what each pair expects.
void weighLines(const LineEvents& lines, const LineData& list, const ThreadPool& pool,
                std::vector<float>& mult) {
    const Scanner& scanner = *list.possible.scanner;
    const PairFactors factors = recordedFactors(scanner, pool, list.possible.efficiencies);
    const double sum = pool.sumRange(mult.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        double some = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const auto [one, two] = lines.pairs[i];
            const auto expected = static_cast<float>(factors.of(list.crystalOf(one), list.crystalOf(two)));
            mult[i] *= expected;
            some += static_cast<double>(expected);
        }
        return some;
    });
    const auto unit =
        static_cast<float>(unitOf(scanner, list.lattice, sum, static_cast<double>(mult.size())));
    multiply(
        mult, [unit](std::size_t) { return unit; }, pool);
}

/// All pairs of crystals of a list, or evenly drawn ones where they are too many.
Weighed possiblePairs(const LineData& list, const ThreadPool& pool) {
    const std::vector<Vec3>& points = list.events->points;
    const double all = 0.5 * std::pow(static_cast<double>(list.crystals()), 2) *
                       static_cast<double>(std::max<std::size_t>(list.possible.poses.size(), 1));
    return all <= static_cast<double>(kMostPairs) ? acceptedPairs(points, list, pool)
                                                  : sampledPairs(points, list, pool);
}

LineModel modelOf(const Lattice& lattice) {
    LineModel model;
    model.lattice = lattice;
    return model;
}

/// What is left of photons along lines through matter, 1/mm.
class Survival {
  public:
    explicit Survival(const Volume& mu) {
        const std::optional<Volume> matter = cropped(mu);
        if (!matter) {
            return;
        }
        walk_.emplace(modelOf(matter->lattice), rayTof({}));
        padded_.resize(walk_->paddedSize());
        const auto width = static_cast<std::size_t>(matter->lattice.size[0]);
        for (std::size_t row = 0; row < walk_->rows(); ++row) {
            std::copy_n(matter->data.data() + row * width, width, padded_.data() + walk_->rowStart(row));
        }
    }

    [[nodiscard]] float along(Vec3 one, Vec3 two) const {
        return walk_ ? std::exp(-walk_->project({one, two, 0}, padded_.data())) : 1.0F;
    }

  private:
    std::optional<LineWalk> walk_;  ///< none: there is no matter
    std::vector<float> padded_;
};

/// Multiplies mult of all bins or pairs of `lines` with what the matter that a list names lets through.
void attenuate(std::vector<float>& mult,
               std::variant<std::shared_ptr<const Michelogram>, std::shared_ptr<const LineEvents>> lines,
               const Volume& mu, const ThreadPool& pool, const LineIntegrals& integrals) {
    if (const std::optional<Volume> matter = cropped(mu)) {
        LineModel model = modelOf(matter->lattice);
        model.lines = std::move(lines);
        const std::vector<float> along = integrals(model, *matter);
        multiply(
            mult, [&](std::size_t i) { return std::exp(-along[i]); }, pool);
    }
}

AllLines allPairs(const LineData& list, const ThreadPool& pool, const LineIntegrals& integrals) {
    LineEvents lines;
    lines.points = list.events->points;
    std::vector<float> mult = list.possible.mult;
    if (!list.possible.pairs.empty()) {
        lines.pairs = list.possible.pairs;
        mult.resize(lines.pairs.size(), 1.0F);
    } else {
        Weighed found = possiblePairs(list, pool);
        lines.pairs = std::move(found.pairs);
        mult = std::move(found.mult);
        if (list.possible.scanner) {
            weighLines(lines, list, pool, mult);
        }
    }
    const auto parted =
        std::make_shared<LineHistogram>(lineHistogramAsListed(std::move(lines), std::move(mult)));
    if (list.possible.mult.empty() && list.attenuation) {
        if (integrals) {
            attenuate(parted->mult, parted->lines, *list.attenuation, pool, integrals);
        } else {
            const std::vector<float> factors = attenuationOf(*parted->lines, *list.attenuation, pool);
            multiply(
                parted->mult, [&](std::size_t i) { return factors[i]; }, pool);
        }
    }
    return {parted->lines, partsOf(std::shared_ptr<const LineHistogram>(parted))};
}

}  // namespace

void weighPairs(SinogramData& data, const Scanner& scanner, const ThreadPool& pool,
                const std::vector<float>& efficiencies) {
    const Michelogram& m = *data.michelogram;
    const auto timeBins = static_cast<std::size_t>(m.timeBins());
    const BinFactors bins = factorsOfBins(m, scanner, pool, efficiencies);
    const double sum = std::accumulate(bins.factors.begin(), bins.factors.end(), 0.0);
    const auto unit = static_cast<float>(unitOf(scanner, data.lattice, sum, bins.pairs));
    data.mult.resize(m.bins());
    for (std::size_t i = 0; i < data.mult.size(); ++i) {
        data.mult[i] = unit * bins.factors[i / timeBins];
    }
    data.absolute = knowsEfficiencies(scanner);
}

void applyAttenuation(SinogramData& data, const Volume& mu, const ThreadPool& pool,
                      const std::function<void(double)>& progress) {
    MichelogramSpec plain = data.michelogram->spec();
    plain.tof = {};
    const auto timeBins = static_cast<std::size_t>(data.michelogram->timeBins());
    LineModel model;
    model.lattice = mu.lattice;
    model.lines = std::make_shared<const Michelogram>(plain);
    const LineTable lines(model);
    const Survival survival(mu);
    if (data.mult.empty()) {
        data.mult.assign(data.counts.size(), 1.0F);
    }
    for (std::size_t part = 0; part < lines.parts(); ++part) {
        progress(static_cast<double>(part) / static_cast<double>(lines.parts()));
        const std::size_t size = lines.partSize(part);
        float* const mult = data.mult.data() + part * size * timeBins;
        pool.forRange(size, kGrain, [&](std::size_t begin, std::size_t end) {
            lines.forEachRay(part, begin, end, [&](Vec3 one, Vec3 two, int, std::size_t line) {
                const float factor = survival.along(one, two);
                for (std::size_t k = 0; k < timeBins; ++k) {
                    mult[line * timeBins + k] *= factor;
                }
            });
        });
    }
    progress(1.0);
}

AllLines allLines(const LineData& list, const ThreadPool& pool, const LineIntegrals& integrals) {
    if (!list.michelogram) {
        return allPairs(list, pool, integrals);
    }
    MichelogramSpec spec = list.michelogram->spec();
    spec.tof = {};
    if (list.possible.mult.empty() && liesOnPairs(*list.events, spec.scanner)) {
        const Michelogram apart(pairByPair(spec));
        spec = apart.bins() <= kMostBinsOfPairs ? apart.spec() : spec;
    }
    auto data = std::make_shared<SinogramData>();
    data->lattice = list.lattice;
    data->michelogram = std::make_shared<const Michelogram>(spec);
    if (!list.possible.mult.empty()) {
        data->mult = list.possible.mult;
    } else if (list.possible.scanner) {
        weighPairs(*data, *list.possible.scanner, pool, list.possible.efficiencies);
    } else {
        data->mult = pairMultiplicity(*data->michelogram);
    }
    if (list.possible.mult.empty() && list.attenuation) {
        if (integrals) {
            attenuate(data->mult, data->michelogram, *list.attenuation, pool, integrals);
        } else {
            applyAttenuation(*data, *list.attenuation, pool, [](double) {});
        }
    }
    return {data->michelogram, partsOf(std::shared_ptr<const SinogramData>(data))};
}

std::vector<float> attenuationOf(const LineEvents& lines, const Volume& mu, const ThreadPool& pool,
                                 const std::function<void(double)>& progress) {
    const Survival survival(mu);
    std::vector<float> factors = largeArray<float>(lines.pairs.size(), pool);
    for (std::size_t done = 0; done < factors.size(); done += kLinesAtATime) {
        const std::size_t count = std::min(kLinesAtATime, factors.size() - done);
        pool.forRange(count, kGrain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = done + begin; i < done + end; ++i) {
                const auto [c1, c2] = lines.pairs[i];
                factors[i] = survival.along(lines.points[c1], lines.points[c2]);
            }
        });
        if (progress) {
            progress(static_cast<double>(done + count) / static_cast<double>(factors.size()));
        }
    }
    return factors;
}

}  // namespace tof
