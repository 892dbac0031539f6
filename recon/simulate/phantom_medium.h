// SPDX-License-Identifier: Apache-2.0
// What photons fly through before they reach the crystals, and how they are followed there. The view is plain
// data and the arithmetic inline: host and device use the same.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "recon/base/hd.h"
#include "recon/base/lesser.h"
#include "recon/base/vec3.h"
#include "recon/phantom/phantom.h"
#include "recon/physics/compton.h"
#include "recon/physics/materials.h"

namespace tof {

/// A photon on its way.
struct Photon {
    Real3 at;         ///< mm
    Real3 direction;  ///< unit vector
    Real energy_keV = kRealElectron_keV;
    Real path_mm = 0;            ///< flown so far
    std::uint32_t scatters = 0;  ///< in the phantom
};

/// A solid of the phantom as photons see it.
struct MediumSolid {
    enum class Kind : std::int32_t { Cylinder, Sphere, Box } kind = Kind::Sphere;
    std::int32_t material = 0;  ///< index of Material
    Real3 centre;
    Real radius2 = 0;
    Real3 half;
    Real scale = 1;  ///< coefficient over that of the material's table

    [[nodiscard]] TOF_HD bool contains(const Real3& p) const {
        const Real3 d = p - centre;
        switch (kind) {
            case Kind::Sphere: return dot(d, d) <= radius2;
            case Kind::Cylinder: return d.x * d.x + d.y * d.y <= radius2 && std::fabs(d.z) <= half.z;
            case Kind::Box:
                return std::fabs(d.x) <= half.x && std::fabs(d.y) <= half.y && std::fabs(d.z) <= half.z;
        }
        return false;
    }
};

/// Part of a straight way, from where it begins.
struct WayThrough {
    Real enter = 0;
    Real leave = 0;  ///< not above `enter`: there is none
};

/// Part of the way from `p` along the unit vector `d` that lies within a solid.
[[nodiscard]] TOF_HD inline WayThrough wayThrough(const MediumSolid& solid, const Real3& p, const Real3& d) {
    const Real3 from = p - solid.centre;
    WayThrough way{0, 1e30F};
    if (solid.kind != MediumSolid::Kind::Box) {
        const bool round = solid.kind == MediumSolid::Kind::Sphere;
        const Real a = round ? Real{1} : d.x * d.x + d.y * d.y;
        const Real b = round ? dot(from, d) : from.x * d.x + from.y * d.y;
        const Real c = (round ? dot(from, from) : from.x * from.x + from.y * from.y) - solid.radius2;
        const Real reach2 = b * b - a * c;
        constexpr Real kAlongAxis = 1e-12F;
        if (a < kAlongAxis) {
            if (c > 0) {
                return {};
            }
        } else if (reach2 <= 0) {
            return {};
        } else {
            const Real reach = std::sqrt(reach2);
            way.enter = greater(way.enter, (-b - reach) / a);
            way.leave = (-b + reach) / a;
        }
        if (round) {
            return way;
        }
    }
    for (std::size_t axis = solid.kind == MediumSolid::Kind::Box ? 0 : 2; axis < 3; ++axis) {
        if (d[axis] == 0) {
            if (std::fabs(from[axis]) > solid.half[axis]) {
                return {};
            }
            continue;
        }
        const Real inverse = 1 / d[axis];
        const Real middle = -from[axis] * inverse;
        const Real half = std::fabs(solid.half[axis] * inverse);
        way.enter = greater(way.enter, middle - half);
        way.leave = lesser(way.leave, middle + half);
    }
    return way;
}

/// A hollow cylinder around the phantom, of one material: what a scanner is made of besides crystals.
struct MediumTube {
    MediumSolid outer;      ///< a cylinder on the scanner's axis
    Real innerRadius2 = 0;  ///< nothing lies within it
};

/// The phantom as photons see it: solids, later ones first, or voxels; and tubes around it. Pointers into
/// tables that somebody else owns.
struct MediumView {
    static constexpr std::int32_t kMostTubes = 6;
    const MediumSolid* solids = nullptr;
    std::int32_t solidCount = 0;
    const float* voxelMu = nullptr;  ///< 1/mm at 511 keV, [z][y][x]; null: solids
    std::array<std::int32_t, 3> voxels{0, 0, 0};
    Real3 perSpacing;                       ///< 1/mm
    Real3 low;                              ///< first corner of the voxels, mm
    MediumSolid hull;                       ///< nothing attenuates outside of it
    bool uniform = false;                   ///< the hull is all there is, of one material
    const CrossSections* tables = nullptr;  ///< by Material
    const float* majorant = nullptr;        ///< largest total coefficient anywhere, by whole keV
    std::array<Real, kMaterials> per511{};  ///< 1/(coefficient at 511 keV) of the tables
    std::array<MediumTube, kMostTubes> tubes{};
    std::int32_t tubeCount = 0;

    struct Stuff {
        std::int32_t material = -1;  ///< -1: nothing
        Real scale = 0;
    };
    [[nodiscard]] TOF_HD Stuff at(const Real3& p) const {
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
            const Real mu = voxelMu[index];
            if (!(mu > 0)) {
                return {};
            }
            const auto material = static_cast<std::int32_t>(bodyMaterial(static_cast<double>(mu)));
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

/// What a Compton interaction does to a photon.
enum class Compton : std::uint8_t {
    Absorbs,  ///< it ends where it interacts: no scatter is simulated
    Turns     ///< it goes on in another direction with less energy
};

/// What is known of a photon before it flies.
enum class PhotonAim : std::uint8_t {
    Crystals,  ///< it meets crystals if nothing stops it
    Elsewhere  ///< a scatter has to send it there, and it was drawn already that one leaves enough energy
};

/// How a flight from one interaction to the next ended.
enum class FlightEnd : std::uint8_t { Escaped, Absorbed, Faded, Scattered };

/// Where a photon interacts next, along its way, and with what.
struct NextInteraction {
    static constexpr Real kNever = 1e30F;
    Real at = kNever;  ///< mm
    MediumView::Stuff stuff;
};

/// The next interaction with the phantom. Steps by the largest coefficient anywhere and keeps those at which
/// something really happens (Woodcock et al., ANL-7050, 1965): exact for any arrangement.
template <class Random>
[[nodiscard]] TOF_HD NextInteraction nextInPhantom(const MediumView& medium, const Photon& photon,
                                                   Random& random) {
    const WayThrough way = wayThrough(medium.hull, photon.at, photon.direction);
    if (!(way.enter < way.leave)) {
        return {};
    }
    const Real largest = atEnergy(medium.majorant, photon.energy_keV);
    if (!(largest > 0)) {
        return {};
    }
    Real t = way.enter;
    MediumView::Stuff stuff{medium.hull.material, medium.hull.scale};
    while (true) {
        ready(random, 2);
        t += minusLog(drawReal(random)) / largest;
        if (t >= way.leave) {
            return {};
        }
        if (medium.uniform) {
            return {t, stuff};
        }
        stuff = medium.at(photon.at + t * photon.direction);
        if (stuff.material < 0) {
            continue;
        }
        const Real coefficient =
            stuff.scale * atEnergy(medium.tables[stuff.material].total_perMm.data(), photon.energy_keV);
        if (drawReal(random) * largest < coefficient) {
            return {t, stuff};
        }
    }
}

/// The nearer one of an interaction and those with the tubes. What is uniform needs no steps, so a thin tube
/// of lead costs as much as one of plastic. Each tube draws for itself: the first of several independent
/// exponential ways is that of the sum of their coefficients.
template <class Random>
[[nodiscard]] TOF_HD NextInteraction nearerInTubes(const MediumView& medium, const Photon& photon,
                                                   NextInteraction next, Random& random) {
    for (std::int32_t i = 0; i < medium.tubeCount; ++i) {
        const MediumTube& tube = medium.tubes[static_cast<std::size_t>(i)];
        const WayThrough way = wayThrough(tube.outer, photon.at, photon.direction);
        if (!(way.enter < way.leave)) {
            continue;
        }
        MediumSolid bore = tube.outer;
        bore.radius2 = tube.innerRadius2;
        const WayThrough hole = wayThrough(bore, photon.at, photon.direction);
        const bool hollow = hole.enter < hole.leave;
        const Real before = hollow ? hole.enter - way.enter : way.leave - way.enter;
        const Real behind = hollow ? way.leave - hole.leave : Real{0};
        if (!(before + behind > 0)) {
            continue;
        }
        ready(random, 1);
        const Real mu = tube.outer.scale *
                        atEnergy(medium.tables[tube.outer.material].total_perMm.data(), photon.energy_keV);
        const Real through = minusLog(drawReal(random)) / mu;
        if (through < before + behind) {
            const Real at = through < before ? way.enter + through : hole.leave + through - before;
            if (at < next.at) {
                next = {at, {tube.outer.material, tube.outer.scale}};
            }
        }
    }
    return next;
}

/// Flies a photon to its next interaction in the phantom or in what is around it: the material there, or -1
/// when it has left both.
template <class Random>
[[nodiscard]] TOF_HD std::int32_t reachInteraction(const MediumView& medium, Photon& photon, Random& random) {
    const NextInteraction next = nearerInTubes(medium, photon, nextInPhantom(medium, photon, random), random);
    if (!(next.at < NextInteraction::kNever)) {
        return -1;
    }
    photon.at = photon.at + next.at * photon.direction;
    photon.path_mm += next.at;
    return next.stuff.material;
}

/// What happens to a photon that interacts in a material. Photons that a scatter leaves with less than the
/// cut's energy have faded, unless they head elsewhere.
template <class Random>
[[nodiscard]] TOF_HD FlightEnd interact(const MediumView& medium, std::int32_t material, Photon& photon,
                                        Compton compton, PhotonAim heading, const ComptonCut& cut,
                                        Random& random) {
    const Real comptonShare = atEnergy(medium.tables[material].comptonShare.data(), photon.energy_keV);
    if (compton == Compton::Absorbs || drawReal(random) >= comptonShare) {
        return FlightEnd::Absorbed;
    }
    ++photon.scatters;
    if (heading == PhotonAim::Crystals && !drawUse(photon.energy_keV, cut, random)) {
        return FlightEnd::Faded;
    }
    const ComptonScatter after = drawOneOfUse(photon.energy_keV, cut, random);
    photon.energy_keV = after.energy_keV;
    photon.direction = turned(photon.direction, after.turn, drawReal(random));
    return FlightEnd::Scattered;
}

/// Flies a photon to its next interaction in the phantom and through it, or out of the phantom.
template <class Random>
[[nodiscard]] TOF_HD FlightEnd flyInPhantom(const MediumView& medium, Photon& photon, Compton compton,
                                            PhotonAim heading, const ComptonCut& cut, Random& random) {
    const std::int32_t material = reachInteraction(medium, photon, random);
    return material < 0 ? FlightEnd::Escaped
                        : interact(medium, material, photon, compton, heading, cut, random);
}

/// Tables behind a MediumView, made from a phantom. Keeps a reference to the phantom's voxels.
class PhantomMedium {
  public:
    explicit PhantomMedium(const Phantom& phantom);
    /// With tubes around the phantom, at most MediumView::kMostTubes.
    PhantomMedium(const Phantom& phantom, const std::vector<MediumTube>& tubes);
    explicit PhantomMedium(Phantom&&) = delete;
    PhantomMedium(const PhantomMedium&) = delete;
    PhantomMedium& operator=(const PhantomMedium&) = delete;

    [[nodiscard]] const MediumView& view() const { return view_; }

  private:
    void takeSolids(const Phantom& phantom);
    void takeVoxels(const Volume& attenuation);
    void dropSolidsWithinTheirLike();
    void findHull();
    void makeMajorant(const std::array<double, kMaterials>& largestScale);

    MediumView view_;
    std::vector<MediumSolid> solids_;
    std::vector<CrossSections> tables_;
    std::vector<float> majorant_;
};

}  // namespace tof
