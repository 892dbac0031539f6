// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "recon/scanner/scanner.h"

namespace tof {

/// Where on their crystals' faces an event's end points are taken to be (docs/model.md section 1).
enum class EndPoints {
    Centre,  ///< at the means of interaction
    Face     ///< those, moved evenly within the crystals' faces
};

/// "centre" or "face", as options and files have it.
[[nodiscard]] const char* nameOf(EndPoints rule);

/// Spreads the end points of events evenly over the front faces of their crystals.
///
/// A list says which crystals recorded a pair, not where in them: left at the centres, events lie on a comb
/// of lines half a pitch apart, which beats with the voxels. The places are numbers of RandomUse::Deposit, a
/// function of (seed, event) alone: the same for any number of threads and however a list is cut. Immutable;
/// share between threads.
class FaceSpread {
  public:
    /// `scanner` is copied from, not kept. Where its crystals' sizes are not known, nothing moves.
    FaceSpread(const Scanner& scanner, EndPoints rule, std::uint64_t seed);

    /// False where every offset is zero.
    [[nodiscard]] bool moves() const { return !faceOf_.empty(); }
    /// What to add to the end points of event number `event` of a list, in the crystals c1 and c2, mm.
    [[nodiscard]] std::array<Vec3, 2> offsets(std::uint64_t event, std::uint32_t c1, std::uint32_t c2) const;
    /// The longest that an offset may be, mm.
    [[nodiscard]] double farthest() const;
    /// An offset within crystal `c`: shares in (0, 1) of its face's transaxial and axial edge.
    [[nodiscard]] Vec3 offset(std::uint32_t c, double transaxial, double axial) const;

  private:
    /// Edges of a front face, mm.
    struct Face {
        Vec3 transaxial;
        Vec3 axial;
    };
    std::vector<Face> faces_;            ///< different ones
    std::vector<std::uint32_t> faceOf_;  ///< [crystal]; empty: nothing moves
    std::uint64_t seed_;
};

}  // namespace tof
