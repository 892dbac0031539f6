// SPDX-License-Identifier: Apache-2.0
// What attenuates photons of 30 to 511 keV: linear coefficients by material and energy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "recon/base/hd.h"
#include "recon/physics/real.h"

namespace tof {

/// Rest energy of the electron and energy of an annihilation photon, keV.
inline constexpr double kElectron_keV = 510.99895;
inline constexpr Real kRealElectron_keV = static_cast<Real>(kElectron_keV);

/// Body, phantom and crystal materials with tables; the order of materialNames().
enum class Material : std::uint8_t {
    Water,
    Tissue,
    Lung,
    Bone,
    Pmma,
    Polyethylene,
    LaBr3,
    Bgo,
    Lso,
    Lyso,
};
inline constexpr std::size_t kMaterials = 10;

/// Coefficients of one material at whole keV from 0 to 512; those below 30 keV are those of 30 keV. Plain
/// data, for host and device. Coherent scattering is left out: it changes no energy and hardly a direction.
struct CrossSections {
    static constexpr std::size_t kSize = 513;
    std::array<float, kSize> total_perMm{};   ///< photoelectric + Compton, at the material's own density
    std::array<float, kSize> comptonShare{};  ///< compton share of the total
};

/// Value of a table over whole keV, linear between them; `energy` is 0 to 511.999 keV.
[[nodiscard]] TOF_HD inline Real atEnergy(const float* table, Real energy_keV) {
    const int below = static_cast<int>(energy_keV);
    const Real part = energy_keV - static_cast<Real>(below);
    return (1 - part) * table[below] + part * table[below + 1];
}

[[nodiscard]] const CrossSections& crossSections(Material material);
/// Attenuation at 511 keV, photoelectric + Compton, 1/mm.
[[nodiscard]] double attenuationAt511(Material material);

[[nodiscard]] const std::vector<std::string>& materialNames();
[[nodiscard]] const std::string& nameOf(Material material);
/// Throws WrongUse with the names and what was meant.
[[nodiscard]] Material materialNamed(const std::string& name);

/// The body material of a linear coefficient at 511 keV, where nobody says which it is: lung below 0.0060 per
/// mm, bone above 0.0125, else water. Only the course with energy comes from it; the coefficient itself
/// stays.
[[nodiscard]] TOF_HD inline Material bodyMaterial(double mu_perMm) {
    return mu_perMm < 0.0060 ? Material::Lung : mu_perMm > 0.0125 ? Material::Bone : Material::Water;
}

}  // namespace tof
