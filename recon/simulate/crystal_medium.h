// SPDX-License-Identifier: Apache-2.0
// Photons in crystals: where they interact, what they leave where, what is read out of it. Views are plain
// data and the arithmetic inline: host and device use the same.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/hd.h"
#include "recon/base/lesser.h"
#include "recon/base/vec3.h"
#include "recon/physics/compton.h"
#include "recon/physics/materials.h"
#include "recon/scanner/detector.h"
#include "recon/simulate/phantom_medium.h"

namespace tof {

/// Below this energy what is left of a photon stays where it is, keV: its way is shorter than a crystal.
inline constexpr Real kLeastInCrystal_keV = 30;

/// A module as photons see it; axes as of DetectorModule.
struct CrystalModule {
    Real3 centre;
    Real3 transaxial;
    Real3 axial;
    Real3 outward;
    std::array<std::int32_t, 2> count{1, 1};
    std::array<Real, 2> pitch{0, 0};
    std::array<Real, 2> perPitch{0, 0};
    std::array<Real, 3> crystal{0, 0, 0};
    std::array<Real, 2> low{0, 0};            ///< lower edge of the first cell
    std::array<std::int32_t, 2> block{1, 1};  ///< crystals whose energies are added
    std::array<Real, 2> perBlock{1, 1};
    std::int32_t blocksAcross = 1;
    std::uint32_t firstId = 0;     ///< in CrystalView::ids
    std::uint32_t firstGroup = 0;  ///< groups are numbered through all modules

    [[nodiscard]] TOF_HD std::uint32_t group(std::int32_t column, std::int32_t row) const {
        const auto place = [&](std::int32_t at, std::size_t k) {  // cheaper than a division
            return static_cast<std::int32_t>((static_cast<Real>(at) + Real{0.5}) * perBlock[k]);
        };
        return firstGroup + static_cast<std::uint32_t>(place(row, 1) * blocksAcross + place(column, 0));
    }
};

struct CrystalPlace {
    std::int32_t module = -1;  ///< -1: no crystal there
    std::int32_t column = 0;
    std::int32_t row = 0;
};

/// A photon's way among the crystals.
struct CrystalWay {
    Real reach = 0;            ///< how far it may fly, mm; 0: it is through
    std::int32_t module = -1;  ///< in which it was last, -1: in none yet
    CrystalPlace place;        ///< where it scatters
};

/// All crystals as photons see them. Pointers into tables that somebody else owns.
struct CrystalView {
    const CrystalModule* modules = nullptr;
    const std::uint32_t* ids = nullptr;       ///< crystal numbers, [module][row][column]
    const std::uint32_t* binStart = nullptr;  ///< modules near a direction and height
    const std::uint32_t* binModules = nullptr;
    std::int32_t azimuthBins = 1;
    std::int32_t zBins = 1;
    Real zLow = 0;
    Real zHigh = 0;
    Real perZStep = 0;
    Real inner = 0;  ///< nothing lies within this distance of the axis
    Real outer = 0;  ///< nor beyond this one
    const CrossSections* material = nullptr;

    /// Even in y/(|x| + |y|), which grows with the azimuth and costs no trigonometry.
    [[nodiscard]] TOF_HD std::int32_t azimuthBin(Real x, Real y) const {
        const Real ratio = y / (std::fabs(x) + std::fabs(y));
        const Real quarters = x >= 0 ? (ratio >= 0 ? ratio : 4 + ratio) : 2 - ratio;
        const auto bin = static_cast<std::int32_t>(quarters * Real{0.25} * static_cast<Real>(azimuthBins));
        return bin < azimuthBins ? bin : azimuthBins - 1;
    }

    [[nodiscard]] TOF_HD std::int32_t zBin(Real z) const {
        const auto bin = static_cast<std::int32_t>((z - zLow) * perZStep);
        return bin < 0 ? 0 : bin < zBins ? bin : zBins - 1;
    }

    /// Whether a place lies within a module, gaps between its crystals included; `found` is then the crystal
    /// or none.
    [[nodiscard]] TOF_HD bool findIn(std::int32_t number, const Real3& p, CrystalPlace& found) const {
        const CrystalModule& module = modules[number];
        const Real3 q = p - module.centre;
        const Real depth = dot(q, module.outward);
        const Real across = (dot(q, module.transaxial) - module.low[0]) * module.perPitch[0];
        const Real along = (dot(q, module.axial) - module.low[1]) * module.perPitch[1];
        if (depth < 0 || depth > module.crystal[2] || across < 0 || along < 0 ||
            across >= static_cast<Real>(module.count[0]) || along >= static_cast<Real>(module.count[1])) {
            return false;
        }
        const auto column = static_cast<std::int32_t>(across);
        const auto row = static_cast<std::int32_t>(along);
        // From the middle of the cell; the crystal lies there, gaps around it.
        constexpr Real kHalf = 0.5;
        const bool inside =
            std::fabs(across - static_cast<Real>(column) - kHalf) * module.pitch[0] <=
                kHalf * module.crystal[0] &&
            std::fabs(along - static_cast<Real>(row) - kHalf) * module.pitch[1] <= kHalf * module.crystal[1];
        found = {inside ? number : -1, column, row};
        return true;
    }

    /// `near`: the module that is looked in first, -1: none; then the one in which `p` lies.
    [[nodiscard]] TOF_HD CrystalPlace find(const Real3& p, std::int32_t& near) const {
        CrystalPlace found;
        if (near >= 0 && findIn(near, p, found)) {
            return found;
        }
        const std::int32_t bin = azimuthBin(p.x, p.y) * zBins + zBin(p.z);
        for (std::uint32_t i = binStart[bin]; i < binStart[bin + 1]; ++i) {
            near = static_cast<std::int32_t>(binModules[i]);
            if (findIn(near, p, found)) {
                return found;
            }
        }
        return {};
    }
};

/// What one photon left in the crystals whose energies are added.
struct GroupDeposit {
    std::uint32_t group = 0;
    std::int32_t module = 0;
    Real energy_keV = 0;
    Real column = 0;  ///< sums over deposits, weighted by energy
    Real row = 0;
    Real largest_keV = 0;
    std::array<std::int32_t, 2> first{0, 0};  ///< column, row of its first interaction
    std::array<std::int32_t, 2> most{0, 0};   ///< place of its largest deposit
    Real path_mm = 0;                         ///< flown until its first interaction
};

/// All that one photon left. What it leaves in a fifth group is not looked at.
struct CrystalDeposits {
    static constexpr std::int32_t kGroups = 4;
    GroupDeposit front;  ///< holds the first interaction; apart, so that a device keeps it in registers
    std::array<GroupDeposit, kGroups - 1> others;
    std::int32_t count = 0;

    [[nodiscard]] TOF_HD const GroupDeposit& operator[](std::int32_t i) const {
        return i == 0 ? front : others[static_cast<std::size_t>(i - 1)];
    }

    TOF_HD void add(const CrystalView& view, CrystalPlace place, Real energy_keV, Real path_mm) {
        const std::uint32_t group = view.modules[place.module].group(place.column, place.row);
        if (count == 0 || front.group == group) {
            if (count == 0) {
                begin(front, group, place, path_mm);
            }
            add(front, place, energy_keV);
            count = count > 1 ? count : 1;
            return;
        }
        std::int32_t i = 1;
        while (i < count && others[static_cast<std::size_t>(i - 1)].group != group) {
            ++i;
        }
        if (i < kGroups) {
            GroupDeposit& into = others[static_cast<std::size_t>(i - 1)];
            if (i == count) {
                begin(into, group, place, path_mm);
            }
            add(into, place, energy_keV);
            count = i < count ? count : i + 1;
        }
    }

  private:
    static TOF_HD void begin(GroupDeposit& into, std::uint32_t group, CrystalPlace place, Real path_mm) {
        into = GroupDeposit{};
        into.group = group;
        into.module = place.module;
        into.first = {place.column, place.row};
        into.path_mm = path_mm;
    }
    static TOF_HD void add(GroupDeposit& into, CrystalPlace place, Real energy_keV) {
        into.energy_keV += energy_keV;
        into.column += energy_keV * static_cast<Real>(place.column);
        into.row += energy_keV * static_cast<Real>(place.row);
        if (energy_keV > into.largest_keV) {
            into.largest_keV = energy_keV;
            into.most = {place.column, place.row};
        }
    }
};

/// Moves a photon to where crystals may begin: out of the empty inside, or to the end face it flies to.
/// Returns how far it may fly there; 0 when it meets no crystals any more.
[[nodiscard]] TOF_HD inline Real enterCrystals(const CrystalView& view, Photon& photon) {
    const Real3& d = photon.direction;
    Real advance = 0;
    if (photon.at.z < view.zLow || photon.at.z > view.zHigh) {
        const Real face = photon.at.z < view.zLow ? view.zLow : view.zHigh;
        advance = d.z != 0 ? (face - photon.at.z) / d.z : Real{-1};
        if (advance < 0) {
            return 0;
        }
    }
    Real3 at = photon.at + advance * d;
    constexpr Real kAlongAxis = 1e-12F;
    const Real a = d.x * d.x + d.y * d.y;
    if (at.x * at.x + at.y * at.y < view.inner * view.inner) {
        if (a < kAlongAxis) {
            return 0;
        }
        const Real b = at.x * d.x + at.y * d.y;
        const Real c = at.x * at.x + at.y * at.y - view.inner * view.inner;
        const Real out = (-b + std::sqrt(b * b - a * c)) / a;
        advance += out;
        at = at + out * d;
        if (at.z < view.zLow || at.z > view.zHigh) {
            return 0;
        }
    }
    const Real b = at.x * d.x + at.y * d.y;
    const Real c = at.x * at.x + at.y * at.y - view.outer * view.outer;
    const Real reach2 = b * b - a * c;
    if (reach2 <= 0) {
        return 0;
    }
    Real leave = a > kAlongAxis ? (-b + std::sqrt(reach2)) / a : 1e30F;
    if (leave <= 0) {
        return 0;
    }
    if (d.z != 0) {
        leave = lesser(leave, ((d.z > 0 ? view.zHigh : view.zLow) - at.z) / d.z);
    }
    photon.at = at;
    photon.path_mm += advance;
    return leave;
}

/// Whether a photon meets crystals if nothing stops it.
[[nodiscard]] TOF_HD inline bool headsForCrystals(const CrystalView& view, const Photon& photon) {
    Photon ahead = photon;
    return enterCrystals(view, ahead) > 0;
}

/// How a photon's way among the crystals goes on: it flies, it is through (absorbed or gone), or a scatter
/// has yet to be drawn.
enum class CrystalStep : std::uint8_t { Flies, Through, Scatters };

/// One step of a photon among the crystals, to where it may interact. Where Compton turns it scatters at the
/// way's place, else all of it stays where it interacts first. It flies through what it has left of
/// the phantom unhindered.
template <class Random>
[[nodiscard]] TOF_HD CrystalStep advanceInCrystals(const CrystalView& view, Photon& photon, CrystalWay& way,
                                                   Compton compton, Random& random,
                                                   CrystalDeposits& deposits) {
    ready(random, 2);
    const Real mu = atEnergy(view.material->total_perMm.data(), photon.energy_keV);
    const Real step = minusLog(drawReal(random)) / mu;
    if (step >= way.reach) {
        return CrystalStep::Through;
    }
    photon.at = photon.at + step * photon.direction;
    photon.path_mm += step;
    way.reach -= step;
    if (photon.at.x * photon.at.x + photon.at.y * photon.at.y < view.inner * view.inner) {
        way.reach = enterCrystals(view, photon);
        return way.reach > 0 ? CrystalStep::Flies : CrystalStep::Through;
    }
    way.place = view.find(photon.at, way.module);
    if (way.place.module < 0) {
        return CrystalStep::Flies;
    }
    if (compton == Compton::Absorbs ||
        drawReal(random) >= atEnergy(view.material->comptonShare.data(), photon.energy_keV)) {
        deposits.add(view, way.place, photon.energy_keV, photon.path_mm);
        return CrystalStep::Through;
    }
    return CrystalStep::Scatters;
}

/// A scatter in the crystal at `place`; the photon may be scattered any number of times, leave and come back
/// through another module. Returns how far it may fly afterwards, 0 where it is through.
template <class Random>
[[nodiscard]] TOF_HD Real scatterInCrystals(const CrystalView& view, CrystalPlace place,
                                            const ComptonScatter& after, Photon& photon, Random& random,
                                            CrystalDeposits& deposits) {
    const bool goesOn = after.energy_keV >= kLeastInCrystal_keV;
    deposits.add(view, place, goesOn ? photon.energy_keV - after.energy_keV : photon.energy_keV,
                 photon.path_mm);
    if (!goesOn) {
        return 0;
    }
    photon.energy_keV = after.energy_keV;
    photon.direction = turned(photon.direction, after.turn, drawReal(random));
    return enterCrystals(view, photon);
}

/// A step of a photon among the crystals with what it does there.
template <class Random>
TOF_HD void stepInCrystals(const CrystalView& view, Photon& photon, CrystalWay& way, Compton compton,
                           Random& random, CrystalDeposits& deposits) {
    switch (advanceInCrystals(view, photon, way, compton, random, deposits)) {
        case CrystalStep::Flies: return;
        case CrystalStep::Through: way.reach = 0; return;
        case CrystalStep::Scatters:
            way.reach = scatterInCrystals(view, way.place, drawCompton(photon.energy_keV, random), photon,
                                          random, deposits);
    }
}

/// Follows a photon that has left the phantom through the crystals.
template <class Random>
TOF_HD void followInCrystals(const CrystalView& view, Photon& photon, Compton compton, Random& random,
                             CrystalDeposits& deposits) {
    deposits.count = 0;
    CrystalWay way;
    way.reach = enterCrystals(view, photon);
    while (way.reach > 0) {
        stepInCrystals(view, photon, way, compton, random, deposits);
    }
}

/// How singles are read out; Detection in the form that the arithmetic wants.
struct Readout {
    Real sigmaOf511 = 0;  ///< sigma of the energy at 511 keV, keV; 0: exact
    Real low_keV = 0;
    Real high_keV = 1e9F;
    Real efficiency = 1;
    Detection::Position position = Detection::Position::First;
    Real positionSigma_mm = 0;
    Real trigger_keV = -1e9F;  ///< least measured energy that makes a block busy
    bool everyBlock = false;   ///< each block that is busy is read out, whatever its energy

    /// Whether an energy lies within the window.
    [[nodiscard]] TOF_HD bool holds(Real energy_keV) const {
        return energy_keV >= low_keV && energy_keV <= high_keV;
    }
};

/// A photon as the scanner sees it.
struct Single {
    std::uint32_t crystal = 0;
    std::uint32_t group = 0;
    Real energy_keV = 0;      ///< measured
    Real path_mm = 0;         ///< from the annihilation to the first interaction
    bool unrecorded = false;  ///< lost whatever its energy; known where every block is read out
};

/// Standard normal, by Box and Muller's transform.
template <class Random>
[[nodiscard]] TOF_HD Real drawNormal(Random& random) {
    const Real radius = std::sqrt(2 * minusLog(drawReal(random)));
    return radius * sineCosine(drawReal(random)).cosine;
}

/// A place along one axis of a block, in crystals from its first: blurred, mirrored at the block's ends.
/// Mirrored, because crystals are told apart on a map of an even irradiation: blur alone makes no crystal
/// count more.
[[nodiscard]] TOF_HD inline std::int32_t mirrored(Real place, std::int32_t first, std::int32_t count) {
    const Real whole = static_cast<Real>(count);
    const Real period = 2 * whole;
    Real x = place + Real{0.5} - static_cast<Real>(first);
    x -= period * std::floor(x / period);
    x = x < whole ? x : period - x;
    const auto cell = static_cast<std::int32_t>(x);
    return first + (cell < count ? cell : count - 1);
}

/// Reads out a block. False when its energy lies outside the window or it goes unrecorded; `single` has its
/// group, energy and path in any case, its crystal then only where every block is read out.
template <class Random>
[[nodiscard]] TOF_HD bool readBlock(const CrystalView& view, const Readout& readout, const GroupDeposit& most,
                                    Random& random, Single& single) {
    ready(random, 3);
    single.group = most.group;
    single.path_mm = most.path_mm;
    single.energy_keV = most.energy_keV;
    if (readout.sigmaOf511 > 0) {
        single.energy_keV +=
            readout.sigmaOf511 * std::sqrt(most.energy_keV / kRealElectron_keV) * drawNormal(random);
    }
    const bool inWindow = readout.holds(single.energy_keV);
    if (!inWindow && !readout.everyBlock) {
        return false;
    }
    single.unrecorded = readout.efficiency < 1 && drawReal(random) >= readout.efficiency;
    if (single.unrecorded && !readout.everyBlock) {
        return false;
    }
    const CrystalModule& module = view.modules[most.module];
    std::array<Real, 2> place{static_cast<Real>(most.first[0]), static_cast<Real>(most.first[1])};
    if (readout.position == Detection::Position::Largest) {
        place = {static_cast<Real>(most.most[0]), static_cast<Real>(most.most[1])};
    } else if (readout.position == Detection::Position::Centroid) {
        place = {most.column / most.energy_keV, most.row / most.energy_keV};
    }
    std::array<std::int32_t, 2> cell{};
    for (std::size_t k = 0; k < 2; ++k) {
        if (readout.positionSigma_mm > 0) {
            ready(random, 2);
            place[k] += readout.positionSigma_mm / module.pitch[k] * drawNormal(random);
        }
        const std::int32_t first = most.first[k] / module.block[k] * module.block[k];
        const std::int32_t left = module.count[k] - first;
        cell[k] = mirrored(place[k], first, module.block[k] < left ? module.block[k] : left);
    }
    single.crystal =
        view.ids[module.firstId + static_cast<std::uint32_t>(cell[1] * module.count[0] + cell[0])];
    return inWindow && !single.unrecorded;
}

/// What was left in the block with the most energy.
[[nodiscard]] TOF_HD inline GroupDeposit largestOf(const CrystalDeposits& deposits) {
    GroupDeposit most = deposits.front;
    for (std::int32_t i = 1; i < deposits.count; ++i) {
        const GroupDeposit& other = deposits.others[static_cast<std::size_t>(i - 1)];
        if (other.energy_keV > most.energy_keV) {
            most = other;
        }
    }
    return most;
}

/// Reads out what a photon left: the block with the most energy, as readBlock() does. False where nothing was
/// left.
template <class Random>
[[nodiscard]] TOF_HD bool readOut(const CrystalView& view, const Readout& readout,
                                  const CrystalDeposits& deposits, Random& random, Single& single) {
    return deposits.count > 0 && readBlock(view, readout, largestOf(deposits), random, single);
}

/// Tables behind a CrystalView, made from a scanner that has `detection`.
class CrystalMedium {
  public:
    CrystalMedium(const Scanner& scanner, const Detector& detector);
    CrystalMedium(const CrystalMedium&) = delete;
    CrystalMedium& operator=(const CrystalMedium&) = delete;

    [[nodiscard]] const CrystalView& view() const { return view_; }
    [[nodiscard]] std::uint32_t groups() const { return groups_; }
    [[nodiscard]] std::size_t moduleCount() const { return modules_.size(); }
    [[nodiscard]] std::size_t idCount() const { return ids_.size(); }

  private:
    void binModules(const std::vector<DetectorModule>& modules);

    CrystalView view_;
    CrossSections material_;
    std::vector<CrystalModule> modules_;
    std::vector<std::uint32_t> ids_;
    std::vector<std::uint32_t> binStart_;
    std::vector<std::uint32_t> binModules_;
    std::uint32_t groups_ = 0;
};

}  // namespace tof
