// SPDX-License-Identifier: Apache-2.0
// Events as lines in the coordinates of sinograms.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "recon/binning/face_spread.h"
#include "recon/data/events.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// A line whose direction has the angle phi about the axis. It passes the axis at s * (-sin phi, cos phi).
struct EventLine {
    double angle_rad = 0;  ///< phi
    double s_mm = 0;
    double z_mm = 0;  ///< height of the middle between both crystals
    double tilt =
        0;  ///< tangent of the tilt: how much the line rises along its direction per mm across the axis
};

/// The line of the other direction: phi + pi.
[[nodiscard]] EventLine reversed(const EventLine& line);

/// Makes lines of events: between their crystals' reference points, seen along z with both spread over the
/// crystals' faces, as bins half a pitch apart and straight lines between them would spread it. Heights are
/// not spread. Not thread-safe.
class EventLines {
  public:
    /// `scanner` is copied from, not kept.
    explicit EventLines(const Scanner& scanner);

    /// Calls `take` for every event; angles are in [0, pi).
    void forEach(const EventList& events, const std::function<void(const EventLine&)>& take);

  private:
    std::vector<Vec3> points_;  ///< reference point of every crystal
    FaceSpread spread_;
    std::uint64_t seen_ = 0;  ///< events so far, which number their places on faces
};

}  // namespace tof
