// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "recon/base/box.h"
#include "recon/phantom/phantom.h"

namespace tof {

/// Integral of a volume along the whole line p + t d, nearest-voxel values times exact lengths (Siddon, Med.
/// Phys. 12 (1985) 252). `d` is a unit vector; the unit is the volume's times mm. Stops early once `limit` is
/// passed. `part`: the t that count.
[[nodiscard]] double lineIntegral(const Volume& volume, Vec3 p, Vec3 d, double limit,
                                  Interval part = Interval());

/// A part of a line p + t d along which attenuation is the same.
struct AttenuationPiece {
    double begin = 0;  ///< t, mm
    double end = 0;
    double mu_per_mm = 0;
};

/// Attenuation of photon pairs in a phantom: exact chords through shapes, lineIntegral through volumes.
/// Immutable; share between threads.
class PairAttenuation {
  public:
    /// Keeps a reference to `phantom`.
    explicit PairAttenuation(const Phantom& phantom);
    explicit PairAttenuation(Phantom&&) = delete;

    /// Integral of mu along the whole line through `p` along the unit vector `d`, both photons' paths
    /// together; at least `limit` when it exceeds that.
    [[nodiscard]] double along(Vec3 p, Vec3 d, double limit) const;
    /// The integral along one photon's path: from `p` onwards along `d`.
    [[nodiscard]] double ahead(Vec3 p, Vec3 d) const;

    /// What lies along the line, piece by piece in ascending order: exact chords through shapes, steps of
    /// half a voxel through volumes. Nothing attenuates between pieces.
    [[nodiscard]] std::vector<AttenuationPiece> pieces(Vec3 p, Vec3 d) const;

    /// The one cylinder that attenuates, when there is no more to it.
    [[nodiscard]] std::optional<PhantomShape> onlyCylinder() const;

  private:
    [[nodiscard]] double over(Interval part, Vec3 p, Vec3 d, double limit) const;

    const Phantom& phantom_;
    std::vector<PhantomShape> shapes_;  ///< those that change the attenuation, in the phantom's order
};

}  // namespace tof
