// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/line_corrections.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/corrections/crystal_groups.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/motion/carried_pose.h"
#include "recon/motion/pose_shares.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/bin_factors.h"

namespace tof {

namespace {

constexpr std::size_t kGrain = 1024;

double voxelVolume(const Lattice& lattice) {
    return lattice.spacing_mm[0] * lattice.spacing_mm[1] * lattice.spacing_mm[2];
}

/// Counts per second of one pair and ps of its time difference, per product of both rates: both orders of
/// both photons within a window are 2 tau wide.
constexpr double kPerPs = 1e-12;

/// Integral over a time bin of a scatter that is smooth over it.
double overBin(const LineFunction::OnLine& line, double low_mm, double high_mm) {
    const double half = 0.5 * (high_mm - low_mm);
    const double middle = 0.5 * (high_mm + low_mm);
    const double gauss = half / std::sqrt(3.0);
    return half * (line.at(middle - gauss) + line.at(middle + gauss));
}

/// Low edge of a time bin, ps.
double edgeOf(const TofBins& tof, int bin) {
    return (bin - 0.5 * tof.count) * tof.width_ps;
}

}  // namespace

std::vector<float> survivalOfBins(const SinogramData& data, const Volume& attenuation,
                                  const ThreadPool& pool) {
    MichelogramSpec plain = data.michelogram->spec();
    plain.tof = {};
    SinogramData lines;
    lines.michelogram = std::make_shared<const Michelogram>(plain);
    lines.lattice = data.lattice;
    lines.mult.assign(lines.michelogram->bins(), 1.0F);
    applyAttenuation(lines, attenuation, pool, [](double) {});
    return std::move(lines.mult);
}

std::vector<float> scatterOfBins(const LineFunction& scatter, const SinogramData& data,
                                 const std::vector<float>& survival, const ThreadPool& pool) {
    const Michelogram& m = *data.michelogram;
    const auto timeBins = static_cast<std::size_t>(m.timeBins());
    const auto radialBins = static_cast<std::size_t>(m.radialBins());
    const double volume = voxelVolume(data.lattice);
    const TofBins& tof = m.spec().tof;
    std::vector<float> add(m.bins(), 0.0F);
    pool.forRange(static_cast<std::size_t>(m.angles()), 1, [&](std::size_t slot, std::size_t) {
        const int angle = m.angleOfSlot(static_cast<int>(slot));
        for (std::size_t plane = 0; plane < m.sinograms().size(); ++plane) {
            for (std::size_t radial = 0; radial < radialBins; ++radial) {
                const std::size_t line = (slot * m.sinograms().size() + plane) * radialBins + radial;
                const float own = data.mult[line * timeBins];
                if (!(own > 0) || !(survival[line] > 0)) {
                    continue;
                }
                const TransverseLine ends = m.line(angle, static_cast<int>(radial));
                const Vec3 one{ends.x1, ends.y1, m.sinograms()[plane].z1_mm};
                const Vec3 two{ends.x2, ends.y2, m.sinograms()[plane].z2_mm};
                const double length = norm(two - one);
                const LineFunction::OnLine on(scatter, 0.5 * (one + two), (1 / length) * (two - one));
                const double factor = volume * static_cast<double>(own / survival[line]);
                float* const bins = add.data() + line * timeBins;
                if (tof.count == 0) {
                    double sum = 0;
                    const double step = scatter.along().step;
                    for (double u = 0.5 * (step - length); u < 0.5 * length; u += step) {
                        sum += step * on.at(u);
                    }
                    bins[0] = static_cast<float>(factor * sum);
                    continue;
                }
                for (int k = 0; k < tof.count; ++k) {
                    bins[k] = static_cast<float>(
                        factor * overBin(on, kMmPerPs * edgeOf(tof, k), kMmPerPs * edgeOf(tof, k + 1)));
                }
            }
        }
    });
    return add;
}

std::vector<float> randomsOfBins(const std::vector<double>& rates, const Scanner& scanner,
                                 const SinogramData& data, double duration_s, const ThreadPool& pool) {
    const Michelogram& m = *data.michelogram;
    const double window_ps = 1e12 * coincidenceWindow(scanner);
    const std::vector<float> products =
        addedUpOverBins(m, scanner, pool, [&](std::uint32_t one, std::uint32_t two) {
            const bool accepted = accepts(scanner, scanner.reference(one), scanner.reference(two));
            return accepted ? rates[one] * rates[two] : 0.0;
        });
    const auto timeBins = static_cast<std::size_t>(m.timeBins());
    const TofBins& tof = m.spec().tof;
    std::vector<float> add(m.bins());
    for (std::size_t k = 0; k < timeBins; ++k) {
        double ps = 2 * window_ps;
        if (tof.count > 0) {
            // Events beyond the outermost edges count in the outermost bins.
            const int bin = static_cast<int>(k);
            const double low = bin == 0 ? -window_ps : std::max(edgeOf(tof, bin), -window_ps);
            const double high = bin == tof.count - 1 ? window_ps : std::min(edgeOf(tof, bin + 1), window_ps);
            ps = std::max(0.0, high - low);
        }
        const auto scale = static_cast<float>(kPerPs * ps * duration_s);
        for (std::size_t line = 0; line < products.size(); ++line) {
            add[line * timeBins + k] = scale * products[line];
        }
    }
    return add;
}

double randomsOfPairs(const std::vector<double>& rates, const Scanner& scanner, const PossibleLines& possible,
                      double duration_s) {
    const CrystalGroups groups = groupsOf(scanner);
    std::vector<double> sums(groups.crystals.size(), 0.0);
    for (std::size_t c = 0; c < rates.size(); ++c) {
        sums[groups.of[c]] += rates[c];
    }
    double all = 0;
    for (std::size_t g = 0; g < sums.size(); ++g) {
        for (std::size_t h = g + 1; h < sums.size(); ++h) {
            if (possible.accepts(groups.places[g], groups.places[h])) {
                all += sums[g] * sums[h];
            }
        }
    }
    return 2 * coincidenceWindow(scanner) * duration_s * all;
}

std::vector<float> efficienciesOfBins(const std::vector<double>& efficiencies, const Scanner& scanner,
                                      const SinogramData& data, const ThreadPool& pool) {
    if (efficiencies.size() != scanner.crystals.size()) {
        throw WrongUse("{} efficiencies are not those of scanner '{}', which has {} crystals",
                       efficiencies.size(), scanner.name, scanner.crystals.size());
    }
    const Michelogram& m = *data.michelogram;
    const PairFactors factors = recordedFactors(scanner, pool);
    const std::vector<float> with =
        addedUpOverBins(m, scanner, pool, [&](std::uint32_t one, std::uint32_t two) {
            return efficiencies[one] * efficiencies[two] * factors.of(one, two);
        });
    const std::vector<float> without = addedUpOverBins(
        m, scanner, pool, [&](std::uint32_t one, std::uint32_t two) { return factors.of(one, two); });
    const auto timeBins = static_cast<std::size_t>(m.timeBins());
    std::vector<float> result(m.bins(), 1.0F);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const float even = without[i / timeBins];
        result[i] = even > 0 ? with[i / timeBins] / even : 1.0F;
    }
    return result;
}

ListExpectations::ListExpectations(const LineData& data, const ThreadPool& pool) : data_(data), pool_(pool) {
    if (!data.possible.scanner || !data.absolute || data.michelogram || data.events->tof.count == 0 ||
        !data.counts.empty()) {
        throw WrongUse(
            "scatter and randoms of lines need list-mode with times of flight between the crystals of a "
            "scanner whose efficiencies are known; bin the list --to lors without rings");
    }
    const PairFactors factors = recordedFactors(scanner(), pool);
    factors_.resize(data.events->pairs.size());
    pool.forRange(factors_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto [one, two] = data.events->pairs[i];
            factors_[i] = static_cast<float>(factors.of(data.crystalOf(one), data.crystalOf(two)));
        }
    });
}

float ListExpectations::factor(std::size_t event) const {
    const std::vector<float>& efficiencies = data_.possible.efficiencies;
    const auto [one, two] = data_.events->pairs[event];
    return efficiencies.empty()
               ? factors_[event]
               : factors_[event] * efficiencies[data_.crystalOf(one)] * efficiencies[data_.crystalOf(two)];
}

std::vector<float> ListExpectations::mult() const {
    std::vector<float> mult(factors_.size(), 1.0F);
    if (data_.attenuation) {
        mult = attenuationOf(*data_.events, *data_.attenuation, pool_);
    }
    const auto perVoxel = static_cast<float>(1 / voxelVolume(data_.lattice));
    for (std::size_t i = 0; i < mult.size(); ++i) {
        mult[i] *= perVoxel * factor(i);
    }
    return mult;
}

std::vector<float> ListExpectations::scatter(const std::vector<PosedScatter>& scatter) const {
    constexpr double kReach_mm = 150;
    std::vector<const LineFunction*> byPose(1, &scatter.front().lines);
    for (const WeighedPose& pose : poses()) {
        byPose.push_back(&std::min_element(scatter.begin(), scatter.end(), [&](const auto& a, const auto& b) {
                              return a.at.pose.distance(pose.pose, kReach_mm) <
                                     b.at.pose.distance(pose.pose, kReach_mm);
                          })->lines);
    }
    const LineEvents& events = *data_.events;
    std::vector<float> add(factors_.size(), 0.0F);
    pool_.forRange(add.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto [c1, c2] = events.pairs[i];
            const Vec3 one = events.points[data_.crystalOf(c1)];
            const Vec3 two = events.points[data_.crystalOf(c2)];
            const LineFunction::OnLine on(*byPose[c1 / data_.crystals()], 0.5 * (one + two),
                                          normalized(two - one));
            const int bin = events.tof.bin(static_cast<double>(events.dt_ps[i]));
            add[i] = static_cast<float>(
                static_cast<double>(factor(i)) *
                overBin(on, kMmPerPs * edgeOf(events.tof, bin), kMmPerPs * edgeOf(events.tof, bin + 1)));
        }
    });
    return add;
}

std::vector<WeighedPose> ListExpectations::poses() const {
    const std::vector<double>& shares = data_.possible.poses;
    const std::span<const Vec3> points = data_.events->points;
    const std::size_t crystals = data_.crystals();
    std::vector<WeighedPose> poses;
    for (std::size_t k = 0; k < shares.size(); ++k) {
        const Pose back =
            poseThatCarries(points.first(crystals), points.subspan((k + 1) * crystals, crystals));
        poses.push_back({back.inverse(), shares[k]});
    }
    return poses;
}

std::vector<float> ListExpectations::randoms(const std::vector<double>& rates, double duration_s) const {
    const LineEvents& events = *data_.events;
    const double window_ps = 1e12 * coincidenceWindow(scanner());
    const int last = events.tof.count - 1;
    std::vector<float> add(factors_.size());
    for (std::size_t i = 0; i < add.size(); ++i) {
        const int bin = events.tof.bin(static_cast<double>(events.dt_ps[i]));
        const double low = bin == 0 ? -window_ps : edgeOf(events.tof, bin);
        const double high = bin == last ? window_ps : edgeOf(events.tof, bin + 1);
        const auto [one, two] = events.pairs[i];
        add[i] = static_cast<float>(kPerPs * (high - low) * duration_s * rates[data_.crystalOf(one)] *
                                    rates[data_.crystalOf(two)]);
    }
    return add;
}

double ListExpectations::allRandoms(const std::vector<double>& rates, double duration_s) const {
    return randomsOfPairs(rates, scanner(), data_.possible, duration_s);
}

EventList ListExpectations::events() const {
    EventList list;
    list.crystals = data_.events->pairs;
    list.dt_ps = data_.events->dt_ps;
    const std::vector<double>& shares = data_.possible.poses;
    std::vector<std::uint32_t> middles;  // of the time of each pose
    double before = 0;
    for (const double share : shares) {
        middles.push_back(static_cast<std::uint32_t>(kMotionOver_ms * (before + 0.5 * share)));
        before += share;
    }
    for (std::size_t i = 0; i < list.crystals.size() && !shares.empty(); ++i) {
        auto& [one, two] = list.crystals[i];
        list.time_ms.push_back(middles[one / data_.crystals() - 1]);
        one = data_.crystalOf(one);
        two = data_.crystalOf(two);
    }
    list.scannerJson = scanner().toJson();
    list.phantom = data_.phantom;
    list.duration_s = data_.duration_s;
    list.decays = data_.decays;
    list.singles = data_.singles;
    return list;
}

}  // namespace tof
