// SPDX-License-Identifier: Apache-2.0
#include "recon/physics/materials.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "recon/base/built_in.h"
#include "recon/base/error.h"
#include "recon/base/suggestion.h"
#include "recon/physics/material_data.h"

namespace tof {

namespace {

using material_data::kEnergies;
using material_data::kEnergy_keV;
using material_data::kRows;
static_assert(kRows.size() == kMaterials);

/// Straight between the nodes when both are logarithms.
double interpolated(const std::array<double, kEnergies>& values, double energy) {
    const double e = std::clamp(energy, kEnergy_keV.front(), kEnergy_keV.back());
    const auto above = std::upper_bound(kEnergy_keV.begin() + 1, kEnergy_keV.end() - 1, e);
    const auto i = static_cast<std::size_t>(above - kEnergy_keV.begin());
    const double part = std::log(e / kEnergy_keV[i - 1]) / std::log(kEnergy_keV[i] / kEnergy_keV[i - 1]);
    return values[i - 1] * std::pow(values[i] / values[i - 1], part);
}

std::array<CrossSections, kMaterials> makeTables() {
    constexpr double kPerMmOfPerCm = 0.1;
    std::array<CrossSections, kMaterials> tables{};
    for (std::size_t m = 0; m < kMaterials; ++m) {
        for (std::size_t keV = 0; keV < CrossSections::kSize; ++keV) {
            const auto energy = static_cast<double>(keV);
            const double photo = interpolated(kRows[m].photo, energy);
            const double compton = interpolated(kRows[m].compton, energy);
            tables[m].total_perMm[keV] =
                static_cast<float>((photo + compton) * kRows[m].density * kPerMmOfPerCm);
            tables[m].comptonShare[keV] = static_cast<float>(compton / (photo + compton));
        }
    }
    return tables;
}

}  // namespace

const CrossSections& crossSections(Material material) {
    static const std::array<CrossSections, kMaterials> kTables = makeTables();
    return kTables[static_cast<std::size_t>(material)];
}

double attenuationAt511(Material material) {
    return static_cast<double>(atEnergy(crossSections(material).total_perMm.data(), kRealElectron_keV));
}

const std::vector<std::string>& materialNames() {
    static const std::vector<std::string> kNames = namesOf(kRows, &material_data::Row::name);
    return kNames;
}

const std::string& nameOf(Material material) {
    return materialNames()[static_cast<std::size_t>(material)];
}

Material materialNamed(const std::string& name) {
    const auto& names = materialNames();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        throw WrongUse("no material '{}'{}; known: {}", name, suggestion(name, names),
                       fmt::join(names, ", "));
    }
    return static_cast<Material>(found - names.begin());
}

}  // namespace tof
