// SPDX-License-Identifier: Apache-2.0
// What photons fly through before they reach the crystals, and how they are followed there. The view is plain
// data and the arithmetic inline: host and device use the same.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "recon/base/hd.h"
#include "recon/base/vec3.h"
#include "recon/phantom/phantom.h"
#include "recon/physics/compton.h"
#include "recon/physics/materials.h"

namespace tof {

/// A photon on its way.
struct Photon {
    Vec3 at;         ///< mm
    Vec3 direction;  ///< unit vector
    double energy_keV = kElectron_keV;
    double path_mm = 0;          ///< flown so far
    std::uint32_t scatters = 0;  ///< in the phantom
};

/// What became of a photon in the phantom.
enum class PhantomFate : std::uint8_t {
    Escaped,   ///< left it, scattered or not
    Absorbed,  ///< photoelectric
    Faded      ///< scattered below the energy that is still of use
};

/// A solid of the phantom as photons see it.
struct MediumSolid {
    enum class Kind : std::int32_t { Cylinder, Sphere, Box } kind = Kind::Sphere;
    std::int32_t material = 0;  ///< index of Material
    Vec3 centre;
    double radius2 = 0;
    Vec3 half;
    double scale = 1;  ///< coefficient over that of the material's table

    [[nodiscard]] TOF_HD bool contains(Vec3 p) const {
        const Vec3 d = p - centre;
        switch (kind) {
            case Kind::Sphere: return dot(d, d) <= radius2;
            case Kind::Cylinder: return d.x * d.x + d.y * d.y <= radius2 && std::fabs(d.z) <= half.z;
            case Kind::Box:
                return std::fabs(d.x) <= half.x && std::fabs(d.y) <= half.y && std::fabs(d.z) <= half.z;
        }
        return false;
    }
};

/// The phantom as photons see it: solids, later ones first, or voxels. Pointers into tables that somebody
/// else owns.
struct MediumView {
    const MediumSolid* solids = nullptr;
    std::int32_t solidCount = 0;
    const float* voxelMu = nullptr;  ///< 1/mm at 511 keV, [z][y][x]; null: solids
    std::array<std::int32_t, 3> voxels{0, 0, 0};
    Vec3 perSpacing;  ///< 1/mm
    Vec3 low;         ///< of the box around all of it, mm
    Vec3 high;
    const CrossSections* tables = nullptr;    ///< by Material
    const float* majorant = nullptr;          ///< largest total coefficient anywhere, by whole keV
    std::array<double, kMaterials> per511{};  ///< 1/(coefficient at 511 keV) of the tables

    struct Stuff {
        std::int32_t material = -1;  ///< -1: nothing
        double scale = 0;
    };
    [[nodiscard]] TOF_HD Stuff at(Vec3 p) const {
        if (voxelMu != nullptr) {
            const auto x = static_cast<std::int32_t>((p.x - low.x) * perSpacing.x);
            const auto y = static_cast<std::int32_t>((p.y - low.y) * perSpacing.y);
            const auto z = static_cast<std::int32_t>((p.z - low.z) * perSpacing.z);
            if (x < 0 || y < 0 || z < 0 || x >= voxels[0] || y >= voxels[1] || z >= voxels[2]) {
                return {};
            }
            const std::size_t index = (static_cast<std::size_t>(z) * static_cast<std::size_t>(voxels[1]) +
                                       static_cast<std::size_t>(y)) *
                                          static_cast<std::size_t>(voxels[0]) +
                                      static_cast<std::size_t>(x);
            const auto mu = static_cast<double>(voxelMu[index]);
            if (!(mu > 0)) {
                return {};
            }
            const auto material = static_cast<std::int32_t>(bodyMaterial(mu));
            return {material, mu * per511[static_cast<std::size_t>(material)]};
        }
        for (std::int32_t i = 0; i < solidCount; ++i) {
            if (solids[i].contains(p)) {
                return {solids[i].scale > 0 ? solids[i].material : -1, solids[i].scale};
            }
        }
        return {};
    }
};

/// Follows a photon until it leaves the phantom or is lost there. Steps by the largest coefficient anywhere
/// and keeps those at which something really happens (Woodcock et al., ANL-7050, 1965): exact for any
/// arrangement. Photons that a scatter leaves with less than `least_keV` are lost; without `scatter` every
/// interaction is.
template <class Random>
[[nodiscard]] TOF_HD PhantomFate followInPhantom(const MediumView& medium, Photon& photon, bool scatter,
                                                 const ComptonCut& cut, Random& random) {
    while (true) {
        // Way into and out of the box, from where the photon is.
        double enter = 0;
        double leave = 1e30;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double speed = photon.direction[axis];
            if (speed == 0) {
                if (photon.at[axis] < medium.low[axis] || photon.at[axis] > medium.high[axis]) {
                    return PhantomFate::Escaped;
                }
                continue;
            }
            const double a = (medium.low[axis] - photon.at[axis]) / speed;
            const double b = (medium.high[axis] - photon.at[axis]) / speed;
            enter = std::fmax(enter, std::fmin(a, b));
            leave = std::fmin(leave, std::fmax(a, b));
        }
        if (!(enter < leave)) {
            return PhantomFate::Escaped;
        }
        const double largest = atEnergy(medium.majorant, photon.energy_keV);
        if (!(largest > 0)) {
            return PhantomFate::Escaped;
        }
        double t = enter;
        MediumView::Stuff stuff;
        double coefficient = 0;
        while (true) {
            t -= std::log(random.uniform()) / largest;
            if (t >= leave) {
                return PhantomFate::Escaped;
            }
            stuff = medium.at(photon.at + t * photon.direction);
            if (stuff.material < 0) {
                continue;
            }
            coefficient =
                stuff.scale * atEnergy(medium.tables[stuff.material].total_perMm.data(), photon.energy_keV);
            if (random.uniform() * largest < coefficient) {
                break;
            }
        }
        photon.at = photon.at + t * photon.direction;
        photon.path_mm += t;
        const double compton = atEnergy(medium.tables[stuff.material].comptonShare.data(), photon.energy_keV);
        if (!scatter || random.uniform() >= compton) {
            return PhantomFate::Absorbed;
        }
        ComptonScatter after;
        ++photon.scatters;
        if (!drawUsefulCompton(photon.energy_keV, cut, random, after)) {
            return PhantomFate::Faded;
        }
        photon.energy_keV = after.energy_keV;
        photon.direction = turned(photon.direction, after.cosine, 2 * kPi * random.uniform());
    }
}

/// Tables behind a MediumView, made from a phantom. Keeps a reference to the phantom's voxels.
class PhantomMedium {
  public:
    explicit PhantomMedium(const Phantom& phantom);
    explicit PhantomMedium(Phantom&&) = delete;
    PhantomMedium(const PhantomMedium&) = delete;
    PhantomMedium& operator=(const PhantomMedium&) = delete;

    [[nodiscard]] const MediumView& view() const { return view_; }

  private:
    void takeSolids(const Phantom& phantom);
    void takeVoxels(const Volume& attenuation);
    void makeMajorant(const std::array<double, kMaterials>& largestScale);

    MediumView view_;
    std::vector<MediumSolid> solids_;
    std::vector<CrossSections> tables_;
    std::vector<float> majorant_;
};

}  // namespace tof
