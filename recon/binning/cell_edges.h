// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/base/samples.h"
#include "recon/base/view.h"
#include "recon/binning/face_spread.h"
#include "recon/motion/pose_shares.h"
#include "recon/scanner/detector.h"

namespace tof {

/// How crystals of finite size move the edges of angular cells.
///
/// An event is sorted by the line between its end points, a pair flies along another: a cell gets pairs from
/// beyond its edges and loses some within. With end points at the centres of crystals in rows, as many as fit
/// between the edges are what counts, a few per cent more or less than the cell's width; with end points
/// spread over the crystals' faces only the modules' gaps are left to be seen. The edges of the acceptance
/// are different: pairs are accepted by the line between the crystals' reference points either way. Here
/// lines near every edge are followed through the crystals; the factor of an edge is (recorded pairs sorted
/// into the cell)/(recorded pairs flying in it), over a zone of one sixth of the cell's width on both sides.
/// Where something moves, cells are those of the reference pose: lines are followed where the poses carry
/// them, and are sorted after they were moved back. Immutable; share between threads.
class CellEdges {
  public:
    enum class Side { Lower = 0, Upper = 1 };
    /// The zone's width as a share of the cell's.
    static constexpr double kZone = 1.0 / 6;

    /// Poses that lines are followed in, and the share of a line through `p` along the unit vector `d`, both
    /// in the scanner, that is expected to be accepted there.
    struct Moved {
        const PoseShares& poses;
        std::function<double(Vec3 p, Vec3 d)> accepted;
    };

    /// Factors for lines at the distances `radial` from the axis, of events whose end points `faces` spreads.
    /// `period`: azimuth cells after which the scanner repeats, in [1, grid.azimuths()]; at the most where it
    /// does not, or where something moves. `moved`: null where nothing does.
    CellEdges(const Scanner& scanner, const FaceSpread& faces, const Detector& detector, const ViewGrid& grid,
              const Samples& radial, std::size_t period, const ThreadPool& pool,
              const Moved* moved = nullptr);

    /// Factor at an azimuth cell's edge for the radial sample `s`.
    [[nodiscard]] float azimuth(std::size_t cell, Side side, std::size_t s) const {
        return azimuth_[(cell % period_ * 2 + static_cast<std::size_t>(side)) * radial_.count + s];
    }
    /// Factor at a tilt interval's edge, in the azimuth cell given.
    [[nodiscard]] float tilt(std::size_t azimuthCell, std::size_t interval, Side side, std::size_t s) const {
        return tilt_[((azimuthCell % period_ * static_cast<std::size_t>(grid_.tilts()) + interval) * 2 +
                      static_cast<std::size_t>(side)) *
                         radial_.count +
                     s];
    }

  private:
    /// A line recorded by crystals: the direction between its end points and that between the crystals'
    /// reference points, how likely the model takes it to be, and how likely it is sorted.
    struct Recorded {
        Vec3 direction;
        Vec3 reference;
        double flew = 0;
        double sorted = 0;
    };
    /// What happens on both sides of an edge, as sums of probabilities.
    struct Balance {
        double flewBelow = 0;
        double flewAbove = 0;
        double sortedBelow = 0;
        double sortedAbove = 0;
    };

    [[nodiscard]] Recorded record(Vec3 p, Vec3 d, std::size_t sample) const;
    [[nodiscard]] Recorded recordMoved(Vec3 p, Vec3 d, std::size_t sample) const;
    [[nodiscard]] Balance balanceAtAzimuth(std::size_t cell, double edge, double s) const;
    enum class Edge { Inner, Outer };  ///< between two cells, or where the acceptance ends
    [[nodiscard]] Balance balanceAtTilt(double azimuth, double edge, Edge kind, std::size_t radial) const;
    /// Factors below and above an edge at the radial sample `s`; that of a tilt is not smoothed yet.
    [[nodiscard]] std::array<float, 2> atAzimuth(std::size_t cell, std::size_t s) const;
    [[nodiscard]] std::array<float, 2> atTilt(std::size_t azimuthCell, std::size_t edge, std::size_t s) const;
    void fillAzimuth(std::size_t cell, const std::array<float, 2>* ratios);
    void fillTilt(std::size_t azimuthCell, std::size_t edge, const std::array<float, 2>* ratios);

    const Scanner& scanner_;
    const FaceSpread& faces_;
    const Detector& detector_;
    const ViewGrid& grid_;
    Samples radial_;
    std::size_t period_;
    std::array<double, 2> pitch_;  ///< pitch of the crystals: lines are spread over one of them
    double attenuation_per_mm_;
    const Moved* moved_;  ///< null where nothing moves; not used after construction
    std::vector<float> azimuth_;
    std::vector<float> tilt_;
};

}  // namespace tof
