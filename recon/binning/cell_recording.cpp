// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/cell_recording.h"

#include <algorithm>
#include <utility>

#include "recon/base/constants.h"

namespace tof {

namespace {

// Directions: gaps between modules cast shadows a few mm wide, and 2.25 degrees move a line by 18 mm at the
// ring, so azimuth needs many; the response has a kink at tilt 0, which an even number of tilts steps over.
constexpr std::size_t kAzimuthsPerStep = 12;
constexpr double kAzimuthStep_deg = 4.6;
constexpr std::size_t kTiltsPerStep = 4;
constexpr double kTiltStep_deg = 6.8;

/// How many directions cover a cell `width` wide.
std::size_t directions(double width_rad, double step_deg, std::size_t perStep) {
    return perStep * static_cast<std::size_t>(std::ceil(width_rad / (step_deg * kRadPerDeg)));
}

/// The mean distance of the crystals' reference points from the axis.
double meanRadius(const Scanner& scanner) {
    double sum = 0;
    for (std::uint32_t c = 0; c < scanner.crystals.size(); ++c) {
        const Vec3 at = scanner.reference(c);
        sum += std::hypot(at.x, at.y);
    }
    return sum / static_cast<double>(std::max<std::size_t>(scanner.crystals.size(), 1));
}

std::size_t azimuthsOf(const ViewGrid& grid) {
    return directions(kPi / grid.azimuths(), kAzimuthStep_deg, kAzimuthsPerStep);
}

/// Azimuth cells after which the scanner repeats.
std::size_t periodOf(const Detector& detector, const ViewGrid& grid) {
    return detector.period(kPi / grid.azimuths(), static_cast<std::size_t>(grid.azimuths()));
}

MovedLines::Grid movedGrid(const Detector& detector, const ViewGrid& grid) {
    constexpr double kRadialStep_mm = 2;
    const std::size_t period = periodOf(detector, grid);
    MovedLines::Grid lines;
    lines.radial = Samples::covering(detector.innerRadius() - 1, kRadialStep_mm);
    lines.heights = MovedLines::heightsOf(detector.modules());
    lines.directions = azimuthsOf(grid) * period;
    lines.period_rad = kPi / grid.azimuths() * static_cast<double>(period);
    lines.acceptance_rad = grid.acceptance();
    lines.tilts = 2 * directions(grid.acceptance(), kTiltStep_deg, kTiltsPerStep) + 1;
    return lines;
}

/// Share of a tilt that lies in the zone at an edge; tilts are counted from that edge.
float zoneShare(std::size_t tilt, std::size_t tilts) {
    const double zone = CellEdges::kZone * static_cast<double>(tilts);
    return static_cast<float>(std::clamp(zone - static_cast<double>(tilt), 0.0, 1.0));
}

}  // namespace

double movedTableBytes(const Scanner& scanner, const ViewGrid& grid) {
    return MovedLines::bytes(movedGrid(Detector(scanner), grid));
}

CellRecording::CellRecording(const Scanner& scanner, const FaceSpread& faces, const Detector& detector,
                             const ViewGrid& grid, const Samples& radial, const Samples& heights,
                             const ThreadPool& pool, std::vector<WeighedPose> poses)
    : detector_(detector),
      grid_(grid),
      radial_(radial),
      heights_(heights),
      efficiency_(detector, scanner.attenuation_per_mm, recordedShares(scanner, detector, pool),
                  scanner.meanDepth_mm, pool),
      reference_mm_(meanRadius(scanner)),
      axialRange_(detector.commonAxialRange()),
      azimuths_(azimuthsOf(grid)),
      tilts_(directions(2 * grid.acceptance() / grid.tilts(), kTiltStep_deg, kTiltsPerStep)),
      period_(periodOf(detector, grid)),
      edgeRadial_(radial) {
    if (poses.empty()) {
        edges_.emplace(scanner, faces, detector, grid, edgeRadial_, period_, pool);
    } else {
        poses_.emplace(std::move(poses));
        makeMoved(scanner, faces, pool);
    }
}

/// Poses smooth what edges do over some mm: few distances are enough.
void CellRecording::makeMoved(const Scanner& scanner, const FaceSpread& faces, const ThreadPool& pool) {
    constexpr double kEdgeStep_mm = 16;
    const MovedLines::Grid lines = movedGrid(detector_, grid_);
    endsRadial_ = Samples::covering(-lines.radial.first, 0.5 * kEdgeStep_mm);
    ends_.emplace(scanner, faces, detector_, grid_, endsRadial_, period_, pool);
    endStep_ = 2 * std::sin(grid_.acceptance()) / static_cast<double>(lines.tilts - 1);
    moved_.emplace(linesOf(lines, pool));
    edgeRadial_ = Samples::covering(-radial_.first, kEdgeStep_mm);
    const CellEdges::Moved moved{*poses_, [this](Vec3 p, Vec3 d) { return acceptedOf(p, d); }};
    edges_.emplace(scanner, faces, detector_, grid_, edgeRadial_, static_cast<std::size_t>(grid_.azimuths()),
                   pool, &moved);
}

double CellRecording::acceptedAt(double azimuth, double s, double sine) const {
    const double last = std::sin(grid_.acceptance());
    const double near = 1 - (last - std::abs(sine)) / endStep_;
    if (!(near > 0)) {
        return 1;
    }
    const auto cells = static_cast<std::size_t>(grid_.azimuths());
    const auto cell = static_cast<std::size_t>(std::lround(azimuth / kPi * grid_.azimuths()));
    const double turned = cell < cells ? 1 : -1;  // half a turn on, a line is the first cell's turned round
    const bool upper = turned * sine > 0;
    const std::size_t at = endsRadial_.nearest(turned * s);
    const double factor =
        static_cast<double>(ends_->tilt(cell % cells, upper ? static_cast<std::size_t>(grid_.tilts()) - 1 : 0,
                                        upper ? CellEdges::Side::Upper : CellEdges::Side::Lower, at));
    // The factor holds over the edge's zone; rising to the end over one step it must have that integral.
    const double zone =
        last - std::sin(grid_.acceptance() * (1 - 2 * CellEdges::kZone / static_cast<double>(grid_.tilts())));
    return std::max(0.0, 1 + 2 * zone / endStep_ * near * (factor - 1));
}

/// The share of a line through `p` along the unit vector `d`, both in the scanner.
double CellRecording::acceptedOf(Vec3 p, Vec3 d) const {
    d = d.y < 0 || (d.y == 0 && d.x < 0) ? -d : d;
    const double flat = std::hypot(d.x, d.y);
    const bool outside = std::abs(d.z) > std::sin(grid_.acceptance()) || !(flat > 0);
    return outside ? 0 : acceptedAt(std::atan2(d.y, d.x), (p.y * d.x - p.x * d.y) / flat, d.z);
}

MovedLines CellRecording::linesOf(const MovedLines::Grid& lines, const ThreadPool& pool) const {
    const auto fillDirection = [&](double azimuth, double tangent, float* recorded) {
        fillAlong(Heading(azimuth), tangent, lines.radial, lines.heights,
                  atHeights(tangent, lines.radial, lines.heights), recorded);
        const double sine = tangent / std::sqrt(1 + tangent * tangent);
        for (std::size_t s = 0; s < lines.radial.count; ++s) {
            const auto share = static_cast<float>(acceptedAt(azimuth, lines.radial.at(s), sine));
            float* const column = recorded + s * lines.heights.count;
            std::transform(column, column + lines.heights.count, column,
                           [share](float v) { return v * share; });
        }
    };
    return {lines, fillDirection, pool};
}

double CellRecording::tangent(std::size_t view, std::size_t i) const {
    const double theta = grid_.view(view).theta;
    const double half = grid_.acceptance() / grid_.tilts();
    const double low = std::sin(theta - half);
    const double high = std::sin(theta + half);
    const double sine = low + (static_cast<double>(i) + 0.5) / static_cast<double>(tilts_) * (high - low);
    return sine / std::sqrt(1 - sine * sine);
}

double CellRecording::sineStep(std::size_t view) const {
    const double theta = grid_.view(view).theta;
    const double half = grid_.acceptance() / grid_.tilts();
    return (std::sin(theta + half) - std::sin(theta - half)) / static_cast<double>(tilts_);
}

double CellRecording::turn(std::size_t i) const {
    return ((static_cast<double>(i) + 0.5) / static_cast<double>(azimuths_) - 0.5) * kPi / grid_.azimuths();
}

std::size_t CellRecording::firstLike(std::size_t view) const {
    if (moved_) {
        return view;
    }
    const auto azimuths = static_cast<std::size_t>(grid_.azimuths());
    return view / azimuths * azimuths + view % azimuths % period_;
}

void CellRecording::fill(std::size_t view, std::size_t tilt, float* recorded) const {
    const std::size_t first = firstLike(view);
    std::vector<float> plane;
    const std::vector<double> ends =
        moved_ ? std::vector<double>() : atHeights(tangent(first, tilt), radial_, heights_);
    for (std::size_t k = 0; k < azimuths_; ++k, recorded += radial_.count * heights_.count) {
        const Heading heading(grid_.view(first).phi + turn(k));
        if (moved_) {
            moved_->fill(*poses_, {heading.along, heading.radial, tangent(first, tilt), sineStep(first)},
                         tilt * azimuths_ + k, radial_, heights_, plane, recorded);
        } else {
            fillAlong(heading, tangent(first, tilt), radial_, heights_, ends, recorded);
        }
        weighEdges(first, tilt, k, recorded);
    }
}

/// Where on its height a line meets the detectors: away from their axial ends all heights are alike.
enum class CellRecording::Height { Outside, Within, AtAnEnd };

/// How far a line leaves its height until it meets the detectors, and until it is behind them, mm.
struct CellRecording::Rise {
    double near;
    double far;
};

CellRecording::Rise CellRecording::riseOf(double s, double tangent) const {
    const double inner = detector_.innerRadius();
    const double outer = detector_.outerRadius();
    return {std::abs(tangent) * std::sqrt(std::max(0.0, inner * inner - s * s)),
            std::abs(tangent) * std::sqrt(outer * outer - s * s)};
}

CellRecording::Height CellRecording::classify(double z0, const Rise& rise) const {
    if (!axialRange_) {
        return Height::AtAnEnd;
    }
    if (z0 + rise.near > (*axialRange_)[1] || z0 - rise.near < (*axialRange_)[0]) {
        return Height::Outside;
    }
    return z0 + rise.far <= (*axialRange_)[1] && z0 - rise.far >= (*axialRange_)[0] ? Height::Within
                                                                                    : Height::AtAnEnd;
}

std::vector<double> CellRecording::atHeights(double tangent, const Samples& radial,
                                             const Samples& heights) const {
    std::vector<double> found(radial.count * heights.count);
    double* next = found.data();
    for (std::size_t s = 0; s < radial.count; ++s) {
        const double middle =
            tangent * std::sqrt(std::max(0.0, reference_mm_ * reference_mm_ - radial.at(s) * radial.at(s)));
        for (std::size_t z = 0; z < heights.count; ++z) {
            const double z0 = heights.at(z);
            *next++ = efficiency_.atHeight(z0 + middle) * efficiency_.atHeight(z0 - middle);
        }
    }
    return found;
}

/// Fills the lines along one direction, [radial][height].
void CellRecording::fillAlong(const Heading& heading, double tangent, const Samples& radial,
                              const Samples& heights, const std::vector<double>& atHeights,
                              float* recorded) const {
    const double cosine = 1 / std::sqrt(1 + tangent * tangent);
    const Vec3 d{cosine * heading.along.x, cosine * heading.along.y, cosine * tangent};
    for (std::size_t s = 0; s < radial.count; ++s) {
        const Vec3 foot = radial.at(s) * heading.radial;
        const Rise rise = riseOf(radial.at(s), tangent);
        std::optional<double> within;
        for (std::size_t z = 0; z < heights.count; ++z) {
            const double z0 = heights.at(z);
            const Height height = classify(z0, rise);
            double efficiency = 0;
            if (height == Height::AtAnEnd || (height == Height::Within && !within)) {
                efficiency = efficiency_.along({foot.x, foot.y, z0}, d);
            }
            if (height == Height::Within) {
                within = within.value_or(efficiency);
                efficiency = *within;
            }
            const std::size_t at = s * heights.count + z;
            recorded[at] = static_cast<float>(efficiency * atHeights[at]);
        }
    }
}

/// Applies the factors of the cell's edges to the directions next to them.
void CellRecording::weighEdges(std::size_t view, std::size_t tilt, std::size_t azimuth,
                               float* recorded) const {
    using Side = CellEdges::Side;
    const auto cells = static_cast<std::size_t>(grid_.azimuths());
    const std::size_t zone = azimuths_ / static_cast<std::size_t>(std::lround(1 / CellEdges::kZone));
    const std::size_t cell = view % cells;
    const std::size_t interval = view / cells;
    const std::array<float, 2> tiltShare{zoneShare(tilt, tilts_), zoneShare(tilts_ - 1 - tilt, tilts_)};
    for (std::size_t line = 0; line < radial_.count; ++line) {
        const std::size_t s = edgeRadial_.nearest(radial_.at(line));
        float factor = 1;
        if (azimuth < zone) {
            factor *= edges_->azimuth(cell, Side::Lower, s);
        } else if (azimuth >= azimuths_ - zone) {
            factor *= edges_->azimuth(cell, Side::Upper, s);
        }
        factor *= 1 + tiltShare[0] * (edges_->tilt(cell, interval, Side::Lower, s) - 1);
        factor *= 1 + tiltShare[1] * (edges_->tilt(cell, interval, Side::Upper, s) - 1);
        float* column = recorded + line * heights_.count;
        std::transform(column, column + heights_.count, column, [factor](float v) { return v * factor; });
    }
}

}  // namespace tof
