// SPDX-License-Identifier: Apache-2.0
// From a decay to what the crystals say of its two photons.
#pragma once

#include <cstdint>
#include <vector>

#include "recon/base/hd.h"
#include "recon/physics/positron.h"
#include "recon/simulate/crystal_medium.h"
#include "recon/simulate/emission.h"
#include "recon/simulate/phantom_medium.h"
#include "recon/simulate/physics.h"

namespace tof {

/// Everything that decides about the photons of a decay; plain data, for host and device.
struct PairPhysics {
    MediumView medium;
    CrystalView crystals;
    Readout readout;
    PositronRange range;
    bool moves = false;  ///< annihilations away from their nucleus
    bool acollinear = false;
    Compton compton = Compton::Absorbs;         ///< in the phantom
    Compton crystalCompton = Compton::Absorbs;  ///< in the crystals
    ComptonCut cut;  ///< photons in the phantom with less cannot reach the window any more
};

/// Lines of response that a scanner takes. Points into a table that somebody else owns.
struct LineAcceptance {
    const Vec3* points = nullptr;  ///< reference points of the crystals
    double sinAcceptance2 = 0;
    double fovRadius2 = 0;

    /// Whether the line between two crystals' reference points lies within acceptance and field of view.
    [[nodiscard]] TOF_HD bool accepts(std::uint32_t crystal1, std::uint32_t crystal2) const {
        const Vec3& a = points[crystal1];
        const Vec3 line = points[crystal2] - a;
        const double across2 = line.x * line.x + line.y * line.y;
        const double moment = a.x * line.y - a.y * line.x;
        return line.z * line.z <= sinAcceptance2 * (across2 + line.z * line.z) &&
               moment * moment <= fovRadius2 * across2 && across2 > 0;
    }
};

/// What became of one photon.
enum class PhotonFate : std::uint8_t { Recorded, Attenuated, Missed, OutsideWindow };

/// The first photon of a decay at `nucleus`, before it flies. `Parts` is a PairPhysics or part of it.
template <class Parts, class Random>
[[nodiscard]] TOF_HD Photon drawFirst(const Parts& physics, const Real3& nucleus, Random& random) {
    Photon photon;
    photon.at = physics.moves ? nucleus + drawRange(physics.range, random) : nucleus;
    photon.direction = drawUnit(random);
    return photon;
}

/// The second one, of a first that has not flown yet.
template <class Parts, class Random>
[[nodiscard]] TOF_HD Photon drawSecond(const Parts& physics, const Photon& first, Random& random) {
    Photon photon = first;
    photon.direction = physics.acollinear ? drawOpposite(first.direction, random) : -first.direction;
    return photon;
}

/// What a photon that went into the crystals left there, read out.
template <class Random>
[[nodiscard]] TOF_HD PhotonFate fateOf(const PairPhysics& physics, const CrystalDeposits& deposits,
                                       Random& random, Single& single) {
    if (deposits.count == 0) {
        return PhotonFate::Missed;
    }
    return readOut(physics.crystals, physics.readout, deposits, random, single) ? PhotonFate::Recorded
                                                                                : PhotonFate::OutsideWindow;
}

/// A photon that has left the phantom.
template <class Random>
[[nodiscard]] TOF_HD PhotonFate detect(const PairPhysics& physics, Photon& photon, Random& random,
                                       CrystalDeposits& deposits, Single& single) {
    followInCrystals(physics.crystals, photon, physics.crystalCompton, random, deposits);
    return fateOf(physics, deposits, random, single);
}
template <class Random>
[[nodiscard]] TOF_HD PhotonFate detect(const PairPhysics& physics, Photon& photon, Random& random,
                                       Single& single) {
    CrystalDeposits deposits;
    return detect(physics, photon, random, deposits, single);
}

/// Whether there is hope for a photon that does not head for crystals: a scatter would have to send it there
/// and leave it enough energy. The latter is drawn before it flies, so that most need not.
template <class Random>
[[nodiscard]] TOF_HD bool mayBeTurned(Compton compton, const ComptonCut& cut, const Photon& photon,
                                      Random& random) {
    ready(random, 1);
    return compton == Compton::Turns && drawUse(photon.energy_keV, cut, random);
}

/// A photon from where it was made to its single; `deposits` are those of one that was detected.
template <class Random>
[[nodiscard]] TOF_HD PhotonFate follow(const PairPhysics& physics, Photon& photon, Random& random,
                                       CrystalDeposits& deposits, Single& single) {
    while (true) {
        const bool heads = headsForCrystals(physics.crystals, photon);
        if (!heads && !mayBeTurned(physics.compton, physics.cut, photon, random)) {
            return PhotonFate::Missed;
        }
        switch (flyInPhantom(physics.medium, photon, physics.compton,
                             heads ? PhotonAim::Crystals : PhotonAim::Elsewhere, physics.cut, random)) {
            case FlightEnd::Escaped:
                return heads ? detect(physics, photon, random, deposits, single) : PhotonFate::Missed;
            case FlightEnd::Absorbed:
            case FlightEnd::Faded: return PhotonFate::Attenuated;
            case FlightEnd::Scattered: break;
        }
    }
}

template <class Random>
[[nodiscard]] TOF_HD PhotonFate follow(const PairPhysics& physics, Photon& photon, Random& random,
                                       Single& single) {
    CrystalDeposits deposits;
    return follow(physics, photon, random, deposits, single);
}

/// How a scanner reads out with that much of the physics.
[[nodiscard]] Readout readoutOf(const Detection& detection, const Physics& physics);

/// A scanner, a phantom and the physics between them, as tables. Immutable; share between threads. Keeps
/// references to both.
class PairModel {
  public:
    /// Throws WrongUse where the scanner has no `detection` or the phantom emits nothing, and what the pool's
    /// heed throws.
    PairModel(const Scanner& scanner, const Phantom& phantom, const Physics& physics, const ThreadPool& pool);

    [[nodiscard]] const PairPhysics& physics() const { return pair_; }
    [[nodiscard]] const EmissionSampler& emission() const { return emission_; }
    [[nodiscard]] std::uint32_t groups() const { return crystals_.groups(); }
    [[nodiscard]] std::uint32_t crystalCount() const { return static_cast<std::uint32_t>(points_.size()); }
    [[nodiscard]] const CrystalMedium& crystals() const { return crystals_; }
    [[nodiscard]] const PhantomMedium& medium() const { return medium_; }
    [[nodiscard]] const LineAcceptance& lines() const { return lines_; }
    [[nodiscard]] bool accepts(std::uint32_t crystal1, std::uint32_t crystal2) const {
        return lines_.accepts(crystal1, crystal2);
    }

  private:
    Detector detector_;
    EmissionSampler emission_;
    PhantomMedium medium_;
    CrystalMedium crystals_;
    std::vector<Vec3> points_;
    LineAcceptance lines_;
    PairPhysics pair_;
};

}  // namespace tof
