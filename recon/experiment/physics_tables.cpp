// SPDX-License-Identifier: Apache-2.0
// What the Monte Carlo draws beside what formulas and papers say: docs/measurements/simulation.md, "What was
// asked for".
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "recon/experiment/papers.h"
#include "recon/physics/compton.h"
#include "recon/physics/materials.h"
#include "recon/physics/positron.h"
#include "recon/simulate/random_stream.h"

namespace tof {

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kErrors = 4.5;  ///< standard errors that a draw may be off
constexpr const char* kFormula = "Klein and Nishina's formula, integrated by another program";

/// A figure and its limit, as a row and a check.
void tell(ExperimentReport& report, const std::string& what, const Limit& limit, double value,
          const std::string& source) {
    report.comparisons.push_back({what, limit.unit, fmt::format("{:g}", limit.bound), value, source});
    report.data.rows.push_back({what, limit.bound, value});
    report.checks.emplace_back(what, limit, value, source);
}

/// First scatters of 511 keV, drawn.
void scatters(const ExperimentContext& context, ExperimentReport& report) {
    constexpr std::array<std::array<double, 2>, 4> kShares{
        {{480, 0.1024}, {450, 0.1955}, {425, 0.2686}, {375, 0.4035}}};
    constexpr double kMean_keV = 335.0;
    constexpr double kSpread_keV = 511.0 / 3;  // an energy's standard deviation is below it
    const int draws = context.pick(20'000, 400'000, 20'000'000);
    std::array<double, kShares.size()> above{};
    double sum = 0;
    for (int i = 0; i < draws; ++i) {
        RandomStream random(kSeed, RandomUse::Photons, static_cast<std::uint64_t>(i));
        const auto energy = static_cast<double>(drawCompton(kRealElectron_keV, random).energy_keV);
        sum += energy;
        for (std::size_t k = 0; k < above.size(); ++k) {
            above[k] += energy > kShares[k][0] ? 1 : 0;
        }
    }
    tell(report, "Mean energy after a scatter of 511 keV",
         within(kMean_keV, 0.05 + kErrors * kSpread_keV / std::sqrt(draws), "keV"), sum / draws, kFormula);
    for (std::size_t k = 0; k < above.size(); ++k) {
        const auto [threshold, share] = kShares[k];
        tell(report, fmt::format("Share of first scatters above {:g} keV", threshold),
             within(share, 1e-4 + kErrors * std::sqrt(share * (1 - share) / draws)), above[k] / draws,
             kFormula);
    }
}

/// How often the first interaction in a crystal is photoelectric at 511 keV.
void crystals(ExperimentReport& report) {
    struct Row {
        const char* name;
        Material material;
        double low;
        double high;
    };
    for (const Row& row : {Row{"LaBr3", Material::LaBr3, 0.13, 0.16}, Row{"BGO", Material::Bgo, 0.40, 0.44},
                           Row{"LSO", Material::Lso, 0.31, 0.35}}) {
        const double compton =
            static_cast<double>(atEnergy(crossSections(row.material).comptonShare.data(), kRealElectron_keV));
        tell(report, fmt::format("Photoelectric share of first interactions in {}", row.name),
             within(0.5 * (row.low + row.high), 0.5 * (row.high - row.low)), 1 - compton, "EPDL97");
    }
}

void ranges(const ExperimentContext& context, ExperimentReport& report) {
    const int draws = context.pick(20'000, 200'000, 2'000'000);
    for (const auto& [isotope, mean] : {std::pair{"F-18", 0.6}, std::pair{"Ga-68", 2.9}}) {
        const PositronRange& range = isotopeNamed(isotope).range;
        double sum = 0;
        for (int i = 0; i < draws; ++i) {
            RandomStream random(kSeed, RandomUse::Events, static_cast<std::uint64_t>(i));
            sum += norm(drawRange(range, random));
        }
        tell(report, fmt::format("Mean range of {} in water", isotope), within(mean, 0.1 * mean, "mm"),
             sum / draws, "published means: Levin and Hoffman, Phys. Med. Biol. 44 (1999) 781");
    }
}

}  // namespace

ExperimentReport runPhysics(const ExperimentContext& context) {
    ExperimentReport report;
    report.conditions =
        fmt::format("{} scatters and {} positrons of each isotope", context.pick(20'000, 400'000, 20'000'000),
                    context.pick(20'000, 200'000, 2'000'000));
    report.seeds = {kSeed};
    report.data.columns = {"figure", "expected", "drawn"};
    context.progress("scatters", 0);
    scatters(context, report);
    crystals(report);
    context.progress("positrons", 0.8);
    ranges(context, report);
    return report;
}

}  // namespace tof
