// SPDX-License-Identifier: Apache-2.0
// Paper 000, Figs. 9 and 10: contrast recovery against noise for every kernel, and images at matched noise.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "recon/experiment/ha_crc.h"
#include "recon/experiment/papers.h"

namespace tof {

namespace {

constexpr const char* kFig9Paper = "paper 000, section 6.2 and Fig. 9";

struct MeanSd {
    double mean = kMissing;
    double sd = kMissing;
};

/// The CRC of one curve less that of another at a noise, over replicates of the same counts.
MeanSd differenceOver(const CrcCurve& one, const CrcCurve& other, double level) {
    const std::size_t n = std::min(one.replicates.size(), other.replicates.size());
    if (n < 2) {
        return {};
    }
    double sum = 0;
    double squares = 0;
    for (std::size_t r = 0; r < n; ++r) {
        const double d = differenceOfReplicate(one, other, r, level);
        sum += d;
        squares += d * d;
    }
    const double count = static_cast<double>(n);
    return {sum / count, std::sqrt(std::max(0.0, (squares - sum * sum / count) / (count - 1)))};
}

/// Where a kernel comes apart from another when the same counts are reconstructed further; empty where one of
/// them was not.
std::string furtherOn(const CrcCurves& all, const std::string& kernel, const std::string& over) {
    const auto find = [&](const std::string& name) {
        return std::find_if(all.further.begin(), all.further.end(),
                            [&](const CrcCurve& curve) { return curve.kernel == name; });
    };
    const auto one = find(kernel);
    const auto other = find(over);
    if (one == all.further.end() || other == all.further.end()) {
        return {};
    }
    const std::vector<Figures>& ones = one->run.figures;
    const std::vector<Figures>& others = other->run.figures;
    const auto apartAt = [&](const Figures& f) {
        const double level = std::min(f.noise, ones.back().noise);
        const double above = crcAt(ones, level) - crcAt(others, level);
        return std::tuple(level, above, differenceOver(*one, *other, level).sd);
    };
    const auto apart = std::find_if(others.begin(), others.end(), [&](const Figures& f) {
        const auto [level, above, sd] = apartAt(f);
        return f.noise >= ones.front().noise && above >= 3 * sd;
    });
    const auto [level, above, sd] = apartAt(others.back());
    return fmt::format(
        "; with updates {:g} times as strong the same counts have {} 3 SD above {} {}, and at {:.1f} % noise "
        "and a CRC of {:.2f} it is {:.4f} above with an SD of {:.4f}, their overshoots {:.3f} and {:.3f}",
        kFurther, kernel, over,
        apart != others.end()
            ? fmt::format("from {:.1f} % noise and a CRC of {:.2f} on", 100 * apart->noise, apart->crc)
            : std::string("nowhere"),
        100 * level, crcAt(others, level), above, sd, overshootAt(ones, level), overshootAt(others, level));
}

/// A kernel's CRC beside that of invariant at the last noise that every curve reaches: by at least 3 SD of
/// the replicates' difference where there are replicates; of data without noise the sign says all.
Check order(const CrcCurves& all, const char* kernel, Limit side) {
    const bool isAbove = side.relation == Relation::Above;
    Check check{fmt::format("CRC of {} less that of invariant", kernel), std::move(side), kMissing,
                kFig9Paper};
    const CrcCurve* const one = all.find(kernel);
    const CrcCurve* const invariant = all.find("invariant");
    const double level = all.lastLevel;
    if (one == nullptr || invariant == nullptr) {
        check.remark = "a curve is missing";
        return check;
    }
    if (all.noiseFree || one->replicates.empty()) {
        check.value = all.crc(one->run.figures, level) - all.crc(invariant->run.figures, level);
        return check;
    }
    const double found = all.crc(one->run.figures, level) - all.crc(invariant->run.figures, level);
    const MeanSd d = differenceOver(*one, *invariant, level);
    check.name += fmt::format(", at {:.1f} % noise", 100 * level);
    constexpr const char* kUnit = "SD of the replicates' difference";
    static_cast<Limit&>(check) = isAbove ? atLeast(3, kUnit) : atMost(-3, kUnit);
    check.value = found / d.sd;
    check.remark = fmt::format(
        "{:.4f} in the scan; {:.4f} with an SD of {:.4f} over {} replicates; CRC is {:.2f} there and {:.2f} "
        "in the "
        "truth: the further from converged, the closer are kernels{}",
        found, d.mean, d.sd, one->replicates.size(), all.crc(invariant->run.figures, level),
        invariant->run.figures.back().trueCrc,
        check.verdict() == Verdict::Failed ? furtherOn(all, kernel, "invariant") : "");
    return check;
}

/// Compares overshoots at a noise level.
Check overshootOrder(const CrcCurves& all, const char* kernel, const char* over, double level) {
    Check check{fmt::format("overshoot of {} less that of {}", kernel, over), above(0), kMissing, kFig9Paper};
    const CrcCurve* const a = all.find(kernel);
    const CrcCurve* const b = all.find(over);
    if (a != nullptr && b != nullptr) {
        const double one = all.overshoot(a->run.figures, level);
        const double other = all.overshoot(b->run.figures, level);
        check.value = one - other;
        check.name += all.noiseFree ? "" : fmt::format(", at {:.1f} % noise", 100 * level);
        check.remark = fmt::format("{:.3f} and {:.3f} of the true value{}{}", one, other,
                                   std::max(one, other) < 1 ? "; below 1 nothing overshoots yet" : "",
                                   check.verdict() == Verdict::Failed ? furtherOn(all, kernel, over) : "");
    }
    return check;
}

/// Largest difference of CRC between both ways of the invariant kernel, over the iterations.
Check fourierAndSpace(const CrcCurves& all) {
    Check check{"largest |Fourier - space| of CRC", atMost(0.02), kMissing, kFig9Paper};
    const CrcCurve* const fourier = all.find("invariant", CrcWay::Fourier);
    const CrcCurve* const space = all.find("invariant");
    if (fourier == nullptr || space == nullptr) {
        check.missing = all.missing.empty() ? "a curve is missing" : all.missing.front();
        return check;
    }
    check.value = 0;
    for (std::size_t i = 0; i < space->run.figures.size(); ++i) {
        check.value =
            std::max(check.value, std::abs(space->run.figures[i].crc - fourier->run.figures[i].crc));
    }
    return check;
}

void addRows(ExperimentReport& report, const std::vector<CrcCurve>& curves) {
    report.data.columns = {"run", "iteration", "crc", "crc_sd", "noise", "overshoot", "crc_sd_of_replicates"};
    for (const CrcCurve& curve : curves) {
        for (std::size_t i = 0; i < curve.run.figures.size(); ++i) {
            const Figures& f = curve.run.figures[i];
            double sum = 0;
            double squares = 0;
            for (const std::vector<Figures>& replicate : curve.replicates) {  // each as long as the run
                sum += replicate[i].crc;
                squares += replicate[i].crc * replicate[i].crc;
            }
            const double n = static_cast<double>(curve.replicates.size());
            report.data.rows.push_back(
                {std::string(curve.label), static_cast<double>(f.iteration), f.crc, f.crcSd, f.noise,
                 f.overshoot,
                 n > 1 ? std::sqrt(std::max(0.0, (squares - sum * sum / n) / (n - 1))) : kMissing});
        }
    }
}

}  // namespace

ExperimentReport runHaFig9(const ExperimentContext& context) {
    const auto all = crcCurves(context);
    ExperimentReport report;
    report.conditions = all->conditions;
    report.notes = all->missing;
    report.seeds = all->seeds;
    addRows(report, all->curves);
    addRows(report, all->further);
    LineChart chart{all->noiseFree ? "iteration" : "noise, % of the mean in a 50 mm circle", "CRC, %", {}};
    for (const CrcCurve& curve : all->curves) {
        chart.lines.push_back({curve.label});
        for (const Figures& f : curve.run.figures) {
            chart.lines.back().add(all->noiseFree ? f.iteration : 100 * f.noise, 100 * f.crc);
        }
        report.comparisons.push_back({fmt::format("{}: CRC", curve.label), "%", "",
                                      100 * all->crc(curve.run.figures, all->level),
                                      all->noiseFree ? "after the last iteration"
                                                     : fmt::format("at {:.1f} % noise", 100 * all->level)});
        report.images.push_back({curve.label, curve.run.image});
    }
    report.pictures.push_back({"curves.svg",
                               all->noiseFree
                                   ? "Contrast recovery against the iteration; without noise there is "
                                     "no other axis."
                                   : "Contrast recovery against noise, one point per iteration.",
                               std::move(chart)});
    if (!all->further.empty()) {
        LineChart further{"noise, % of the mean in a 50 mm circle", "CRC, %", {}};
        for (const CrcCurve& curve : all->further) {
            further.lines.push_back({curve.label});
            for (const Figures& f : curve.run.figures) {
                further.lines.back().add(100 * f.noise, 100 * f.crc);
            }
        }
        report.pictures.push_back(
            {"further.svg",
             fmt::format("The same counts with updates {:g} times as strong: where kernels come apart.",
                         kFurther),
             std::move(further)});
    }
    report.checks = {fourierAndSpace(*all), order(*all, "variant1", below(0)),
                     order(*all, "variant2", above(0)), order(*all, "variant3", above(0))};
    Check plateau{"CRC of invariant after the last iteration over that of the true activity", atMost(1.05),
                  kMissing, "paper 000, Fig. 9: the curve converges"};
    if (const CrcCurve* const invariant = all->find("invariant")) {
        const Figures& last = invariant->run.figures.back();
        plateau.value = last.crc / last.trueCrc;
        plateau.remark = fmt::format("{:.3f} over {:.3f}", last.crc, last.trueCrc);
        if (!all->noiseFree) {
            report.checks.push_back({"iteration at which invariant passes 8 % noise", within(22, 2),
                                     crossing(invariant->run.figures, 0.08), "paper 000, Fig. 10"});
        }
    }
    report.checks.push_back(plateau);
    report.checks.push_back(overshootOrder(*all, "variant2", "variant3", all->lastLevel));
    report.checks.push_back(overshootOrder(*all, "variant3", "invariant", all->lastLevel));
    return report;
}

ExperimentReport runHaFig10(const ExperimentContext& context) {
    const auto all = crcCurves(context);
    ExperimentReport report;
    report.conditions = all->conditions;
    report.notes = all->missing;
    report.seeds = all->seeds;
    report.data.columns = {"run", "iteration", "noise", "crc", "overshoot"};
    std::vector<SlicePicture> row;
    std::string columns;
    for (const CrcCurve& curve : all->curves) {
        columns += fmt::format("{}{}", columns.empty() ? "" : "; ", curve.label);
        const std::size_t i = all->matched(curve.run.figures);
        const Figures& f = curve.run.figures[i];
        report.data.rows.push_back(
            {std::string(curve.label), static_cast<double>(f.iteration), f.noise, f.crc, f.overshoot});
        report.comparisons.push_back({fmt::format("{}: iteration", curve.label), "",
                                      fmt::format("{} (at 8 % noise)", curve.paperIteration),
                                      static_cast<double>(f.iteration),
                                      all->noiseFree ? "the last: there is no noise to match"
                                                     : fmt::format("at {:.1f} % noise", 100 * f.noise)});
        const auto slice = std::make_shared<const Volume>(curve.run.slices[i]);
        // Black is four times the mean inside the cylinder, so that neither noise nor spheres set it.
        double sum = 0;
        double voxels = 0;
        slice->lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 place = slice->lattice.centre(x, y, z);
            if (std::hypot(place.x, place.y) < 150) {
                sum += static_cast<double>(slice->at(x, y, z));
                voxels += 1;
            }
        });
        row.push_back({slice,
                       Plane::Transverse,
                       slice->lattice.centre(0, 0, 0),
                       {0, 4 * sum / voxels, Palette::InverseGrey},
                       context.pick(1, 3, 2)});
        report.images.push_back({curve.label, curve.run.image});
    }
    report.pictures.push_back(
        {"matched.png",
         fmt::format("The slice of the spheres; black is four times the mean. Columns: {}.", columns),
         SliceMosaic{std::move(row)}});
    report.checks = {overshootOrder(*all, "variant2", "variant3", all->level),
                     overshootOrder(*all, "variant3", "invariant", all->level),
                     overshootOrder(*all, "variant2", "variant1", all->level)};
    return report;
}

}  // namespace tof
