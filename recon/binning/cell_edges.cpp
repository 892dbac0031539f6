// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/cell_edges.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/binning/detector_response.h"

namespace tof {

namespace {

constexpr int kAzimuthSamples = 48;  ///< directions across both zones of an azimuth edge
constexpr int kRadialSamples = 4;    ///< lines per radial sample and direction
constexpr int kTiltSamples = 96;     ///< lines across both zones of a tilt edge
constexpr std::size_t kSmooth =
    2;  ///< tilt factors are averaged over so many radial neighbours on both sides

/// Low-discrepancy sequence in (0, 1): fractional parts of multiples of an irrational number.
double spread(std::size_t index, double irrational) {
    const double v = (static_cast<double>(index) + 0.5) * irrational;
    return v - std::floor(v);
}

// Powers of the plastic number's inverse and friends: independent directions of one additive recurrence.
constexpr double kFirst = 0.8191725133961645;
constexpr double kSecond = 0.6710436067037893;
constexpr double kThird = 0.5497004779019703;
constexpr double kFourth = 0.7548776662466927;
constexpr double kFifth = 0.6180339887498949;
// Fractional parts of the roots of 2, 3, 5, 7: places on the crystals' faces, transaxial and axial.
constexpr std::array<std::array<double, 2>, 2> kFaces{
    {{0.4142135623730951, 0.7320508075688772}, {0.2360679774997898, 0.6457513110645907}}};

float ratio(double sorted, double flew) {
    // Where nothing flies nothing is lost. Hardly anything flies in the shadow of a gap: bound what that can
    // do.
    return flew > 0 ? static_cast<float>(std::clamp(sorted / flew, 0.0, 3.0)) : 1.0F;
}

std::vector<float> smoothed(const float* values, std::size_t n) {
    std::vector<float> result(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t from = i - std::min(i, kSmooth);
        const std::size_t to = std::min(n, i + kSmooth + 1);
        float sum = 0;
        for (std::size_t k = from; k < to; ++k) {
            sum += values[k];
        }
        result[i] = sum / static_cast<float>(to - from);
    }
    return result;
}

}  // namespace

CellEdges::CellEdges(const Scanner& scanner, const FaceSpread& faces, const Detector& detector,
                     const ViewGrid& grid, const Samples& radial, std::size_t period, const ThreadPool& pool,
                     const Moved* moved)
    : scanner_(scanner),
      faces_(faces),
      detector_(detector),
      grid_(grid),
      radial_(radial),
      period_(period),
      pitch_(detector.modules().front().pitch),
      attenuation_per_mm_(effectiveAttenuation(scanner.attenuation_per_mm)),
      moved_(moved) {
    azimuth_.assign(period * 2 * radial.count, 1.0F);
    tilt_.assign(period * static_cast<std::size_t>(grid.tilts()) * 2 * radial.count, 1.0F);
    const auto tiltEdges = static_cast<std::size_t>(grid.tilts()) + 1;
    const std::size_t edges = period * (1 + tiltEdges);
    std::vector<std::array<float, 2>> ratios(edges * radial.count);  // below and above, [edge][radial]
    constexpr std::size_t kLines = 16;
    const std::size_t parts = (radial.count + kLines - 1) / kLines;
    pool.forRange(edges * parts, 1, [&](std::size_t task, std::size_t) {
        const std::size_t edge = task / parts;
        const std::size_t first = task % parts * kLines;
        for (std::size_t s = first; s < std::min(radial.count, first + kLines); ++s) {
            ratios[edge * radial.count + s] =
                edge < period ? atAzimuth(edge, s) : atTilt(edge % period, edge / period - 1, s);
        }
    });
    for (std::size_t edge = 0; edge < edges; ++edge) {
        const std::array<float, 2>* const values = ratios.data() + edge * radial.count;
        if (edge < period) {
            fillAzimuth(edge, values);
        } else {
            fillTilt(edge % period, edge / period - 1, values);
        }
    }
    moved_ = nullptr;
}

/// Follows a line of the reference pose in one of the poses.
CellEdges::Recorded CellEdges::recordMoved(Vec3 p, Vec3 d, std::size_t sample) const {
    const PoseShares& poses = moved_->poses;
    const Pose& pose = poses.poses()[poses.at(spread(sample, kFifth))].pose;
    const Vec3 there = pose.moved(p);
    const Vec3 along = pose.turned(d);
    Recorded result = record(there, along, sample);
    result.flew *= moved_->accepted(there, along);
    result.sorted *= grid_.accepts(result.reference) ? 1 : 0;
    const Pose back = pose.inverse();
    result.direction = back.turned(result.direction);
    result.reference = back.turned(result.reference);
    return result;
}

CellEdges::Recorded CellEdges::record(Vec3 p, Vec3 d, std::size_t sample) const {
    Recorded result;
    std::array<Vec3, 2> ends{};
    std::array<Vec3, 2> references{};
    double probability = 1;
    for (std::size_t end = 0; end < 2; ++end) {
        const Vec3 away = end == 0 ? d : -d;
        Passages passed;
        detector_.passages(p, away, passed);
        const double interacts = -std::expm1(-attenuation_per_mm_ * Detector::material(passed, p, away));
        const double share = spread(sample, end == 0 ? kFirst : kSecond) * interacts;
        const auto hit = interacts > 0
                             ? Detector::follow(passed, p, away, -std::log1p(-share) / attenuation_per_mm_)
                             : std::nullopt;
        if (!hit) {
            return {};
        }
        references[end] = scanner_.reference(hit->crystal);
        ends[end] = references[end] + faces_.offset(hit->crystal, spread(sample, kFaces[end][0]),
                                                    spread(sample, kFaces[end][1]));
        probability *= interacts;
    }
    result.direction = ends[0] - ends[1];
    result.reference = references[0] - references[1];
    result.flew = probability;
    result.sorted = probability;
    return result;
}

CellEdges::Balance CellEdges::balanceAtAzimuth(std::size_t cell, double edge, double s) const {
    const double zone = kZone * kPi / grid_.azimuths();
    const auto azimuths = static_cast<std::size_t>(grid_.azimuths());
    Balance balance;
    for (int i = 0; i < kAzimuthSamples; ++i) {
        const double offset = (2 * (i + 0.5) / kAzimuthSamples - 1) * zone;
        const Vec3 d{std::cos(edge + offset), std::sin(edge + offset), 0};
        const Vec3 r{-d.y, d.x, 0};
        for (int k = 0; k < kRadialSamples; ++k) {
            const auto sample = static_cast<std::size_t>(i) * static_cast<std::size_t>(kRadialSamples) +
                                static_cast<std::size_t>(k);
            const double at = s + ((k + spread(sample, kThird)) / kRadialSamples - 0.5) * pitch_[0];
            const Vec3 p{at * r.x, at * r.y, (spread(sample, kFourth) - 0.5) * pitch_[1]};
            const Recorded line = moved_ != nullptr ? recordMoved(p, d, sample) : record(p, d, sample);
            (offset < 0 ? balance.flewBelow : balance.flewAbove) += line.flew;
            // Lines between mirrored crystals may lie on the edge exactly: events are sorted by the same
            // function, and either crystal may come first.
            const double sense = sample % 2 == 0 ? 1 : -1;
            const auto sorted = grid_.cell({sense * line.direction.x, sense * line.direction.y, 0});
            const bool below = sorted->index % azimuths == cell;
            (below ? balance.sortedBelow : balance.sortedAbove) += line.sorted;
        }
    }
    return balance;
}

CellEdges::Balance CellEdges::balanceAtTilt(double azimuth, double edge, Edge kind,
                                            std::size_t radial) const {
    const double s = radial_.at(radial);
    const double zone = kZone * 2 * grid_.acceptance() / grid_.tilts();
    const double tanEdge = std::tan(edge);
    Balance balance;
    for (int i = 0; i < kTiltSamples; ++i) {
        // Neighbours are averaged later: each radial sample continues the sequence where the last one
        // stopped.
        const std::size_t sample = radial * kTiltSamples + static_cast<std::size_t>(i);
        const double offset = (2 * (i + 0.5) / kTiltSamples - 1) * zone;
        const double phi = azimuth + (spread(sample, kThird) - 0.5) * kPi / grid_.azimuths();
        const double cosine = std::cos(edge + offset);
        const Vec3 d{cosine * std::cos(phi), cosine * std::sin(phi), std::sin(edge + offset)};
        const Vec3 r{-std::sin(phi), std::cos(phi), 0};
        const Vec3 p{s * r.x, s * r.y, (spread(sample, kFourth) - 0.5) * pitch_[1]};
        const Recorded line = moved_ != nullptr ? recordMoved(p, d, sample) : record(p, d, sample);
        (offset < 0 ? balance.flewBelow : balance.flewAbove) += line.flew;
        const Vec3 sorted = kind == Edge::Outer ? line.reference : line.direction;
        const bool below = sorted.z < tanEdge * std::hypot(sorted.x, sorted.y);
        (below ? balance.sortedBelow : balance.sortedAbove) += line.sorted;
    }
    return balance;
}

std::array<float, 2> CellEdges::atAzimuth(std::size_t cell, std::size_t s) const {
    if (grid_.azimuths() == 1) {  // one cell holds every azimuth
        return {1, 1};
    }
    const double edge = (static_cast<double>(cell) + 0.5) * kPi / grid_.azimuths();
    const Balance balance = balanceAtAzimuth(cell, edge, radial_.at(s));
    return {ratio(balance.sortedBelow, balance.flewBelow), ratio(balance.sortedAbove, balance.flewAbove)};
}

void CellEdges::fillAzimuth(std::size_t cell, const std::array<float, 2>* ratios) {
    const auto azimuths = static_cast<std::size_t>(grid_.azimuths());
    if (azimuths == 1) {
        return;
    }
    // The upper edge of a cell is the lower one of the next. The last of a period comes before one like the
    // first; of half a turn it is the first itself, turned round.
    const std::size_t next = (cell + 1) % period_;
    const bool turned = cell + 1 == azimuths;
    for (std::size_t s = 0; s < radial_.count; ++s) {
        const std::size_t mirrored = turned ? radial_.count - 1 - s : s;
        azimuth_[(cell * 2 + 1) * radial_.count + s] = ratios[s][0];
        azimuth_[next * 2 * radial_.count + mirrored] = ratios[s][1];
    }
}

std::array<float, 2> CellEdges::atTilt(std::size_t azimuthCell, std::size_t edge, std::size_t s) const {
    const auto tilts = static_cast<std::size_t>(grid_.tilts());
    const double azimuth = static_cast<double>(azimuthCell) * kPi / grid_.azimuths();
    const double at = grid_.acceptance() * (2.0 * static_cast<double>(edge) / static_cast<double>(tilts) - 1);
    const Balance balance =
        balanceAtTilt(azimuth, at, edge == 0 || edge == tilts ? Edge::Outer : Edge::Inner, s);
    return {ratio(balance.sortedBelow, balance.flewBelow), ratio(balance.sortedAbove, balance.flewAbove)};
}

void CellEdges::fillTilt(std::size_t azimuthCell, std::size_t edge, const std::array<float, 2>* ratios) {
    const auto tilts = static_cast<std::size_t>(grid_.tilts());
    const auto put = [&](std::size_t which, std::size_t interval, Side side) {
        std::vector<float> values(radial_.count);
        std::transform(ratios, ratios + radial_.count, values.begin(),
                       [which](const std::array<float, 2>& both) { return both[which]; });
        const auto smooth = smoothed(values.data(), values.size());
        std::copy(smooth.begin(), smooth.end(),
                  tilt_.begin() + static_cast<std::ptrdiff_t>(((azimuthCell * tilts + interval) * 2 +
                                                               static_cast<std::size_t>(side)) *
                                                              radial_.count));
    };
    if (edge > 0) {
        put(0, edge - 1, Side::Upper);
    }
    if (edge < tilts) {
        put(1, edge, Side::Lower);
    }
}

}  // namespace tof
