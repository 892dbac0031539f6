// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "recon/base/box.h"
#include "recon/phantom/attenuation.h"
#include "recon/phantom/phantom.h"

namespace tof {

/// The phantom's activity in place of its attenuation: whatever finds pieces of one finds those of the other.
[[nodiscard]] Phantom activityAsAttenuation(const Phantom& phantom);

/// The box around all that emits, points included. Throws WrongUse where nothing does.
[[nodiscard]] Box emittingBox(const Phantom& phantom);

/// A part of a line p + t d with the same activity all along.
struct SurvivingPiece {
    double begin = 0;  ///< t, mm
    double end = 0;
    float activity = 0;  ///< times the share of pairs that survive; may be negative in a difference
};

/// What survives of a phantom's activity along lines, or of what one phantom has more than another.
/// Immutable; share between threads.
class SurvivingActivity {
  public:
    explicit SurvivingActivity(const Phantom& phantom);
    /// `phantom` without `less`, which has some of its solids and nothing else.
    SurvivingActivity(const Phantom& phantom, const Phantom& less);

    /// Holds every line along which something is found: its places across, and along it those of what is
    /// found.
    [[nodiscard]] const Box& across() const { return across_; }
    [[nodiscard]] const Box& along() const { return along_; }

    /// The pieces of the whole line through `p` along the unit vector `d`, in ascending order; points are
    /// none of it.
    [[nodiscard]] std::vector<SurvivingPiece> pieces(Vec3 p, Vec3 d) const;

    /// A source without extent.
    struct Point {
        Vec3 at;
        double activity = 0;
    };
    [[nodiscard]] const std::vector<Point>& points() const { return points_; }
    /// The share of the pairs on a line that survive.
    [[nodiscard]] double survivalOf(Vec3 p, Vec3 d) const { return whole_.survivalOf(p, d); }

  private:
    /// A phantom's activity and attenuation; they refer to what is kept with them.
    struct Object {
        explicit Object(const Phantom& phantom)
            : emitting(activityAsAttenuation(phantom)),
              attenuating(phantom),
              activity(emitting),
              attenuation(attenuating) {}
        Object(const Object&) = delete;
        Object& operator=(const Object&) = delete;
        [[nodiscard]] double survivalOf(Vec3 p, Vec3 d) const;
        [[nodiscard]] std::vector<SurvivingPiece> pieces(Vec3 p, Vec3 d) const;

        Phantom emitting;
        Phantom attenuating;
        PairAttenuation activity;
        PairAttenuation attenuation;
    };

    Object whole_;
    std::optional<Object> less_;
    Phantom added_;  ///< the solids that only the whole has, each to be met
    std::optional<PairAttenuation> adds_;
    std::vector<Point> points_;
    Box across_;
    Box along_;
};

}  // namespace tof
