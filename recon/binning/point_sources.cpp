// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/point_sources.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/interaction_points.h"

namespace tof {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18U;
constexpr std::size_t kChunksPerRound = 16;  // bounds the histograms that wait to be added

/// The most likely point of an event and the direction of its line.
class Placer {
  public:
    Placer(const EventList& events, const Scanner& scanner, const ThreadPool& pool,
           const EndPointRule& endPoints)
        : events_(events),
          references_(referencePoints(scanner)),
          interactions_(scanner, pool),
          spread_(scanner, endPoints.rule, endPoints.seed),
          acceptance_(scanner.acceptance_rad > 0 ? std::sin(scanner.acceptance_rad) : 1) {}

    void addTo(PointOffsets& offsets, std::size_t event) const {
        const auto [c1, c2] = events_.crystals[event];
        if (c1 >= references_.size() || c2 >= references_.size()) {
            throw BadInput(
                "event {} names crystal {}, but the scanner has {}; the list belongs to another scanner",
                event, std::max(c1, c2), references_.size());
        }
        const Vec3 between = references_[c2] - references_[c1];
        const double length = norm(between);
        if (!(length > 0) || std::abs(between.z) > acceptance_ * length) {
            return;
        }
        const auto moved = spread_.offsets(event, c1, c2);
        const Vec3 line = between + moved[1] - moved[0];
        const double towards2 = kMmPerPs * static_cast<double>(events_.dt_ps[event]);
        const Vec3 middle =
            0.5 * (interactions_.at(c1, -between) + moved[0] + interactions_.at(c2, between) + moved[1]);
        offsets.add(middle + (towards2 / norm(line)) * line, line);
    }

  private:
    const EventList& events_;
    std::vector<Vec3> references_;
    InteractionPoints interactions_;
    FaceSpread spread_;
    double acceptance_;  ///< sine of the largest tilt
};

}  // namespace

std::vector<Vec3> pointSources(const Phantom& phantom, const std::string& source) {
    std::vector<Vec3> points;
    for (const PhantomShape& shape : phantom.shapes) {
        if (shape.kind == PhantomShape::Kind::Point && shape.activity > 0) {
            points.push_back(shape.centre);
        }
    }
    if (points.empty()) {
        throw BadInput("{}: phantom '{}' has no point sources; say where they are with --points", source,
                       phantom.name);
    }
    return points;
}

void requireInside(const std::vector<Vec3>& sources, const Scanner& scanner) {
    double low = 0;
    double high = 0;
    for (const Crystal& crystal : scanner.crystals) {
        low = std::min(low, crystal.front.z);
        high = std::max(high, crystal.front.z);
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const Vec3 p = sources[i];
        const bool wide = scanner.fovRadius_mm > 0 && std::hypot(p.x, p.y) > scanner.fovRadius_mm;
        if (wide || p.z < low || p.z > high) {
            throw BadInput(
                "point source {} at ({:g}, {:g}, {:g}) mm lies outside the field of view of scanner '{}'; "
                "correct --points",
                i + 1, p.x, p.y, p.z, scanner.name);
        }
    }
}

PointOffsets collectOffsets(const EventList& events, const Scanner& scanner, const std::vector<Vec3>& sources,
                            const PointMeasureSettings& settings, const ThreadPool& pool,
                            const std::function<void(double)>& progress, const EndPointRule& endPoints) {
    if (events.dt_ps.empty() && events.size() > 0) {
        throw BadInput(
            "the list has no times of flight, so the width along the line cannot be measured; take list-mode "
            "with times");
    }
    PointOffsets total(sources, settings);
    const PointOffsets empty = total;
    const Placer placer(events, scanner, pool, endPoints);
    constexpr std::size_t kRound = kChunk * kChunksPerRound;
    for (std::size_t begin = 0; begin < events.size(); begin += kRound) {
        const std::size_t count = std::min(events.size() - begin, kRound);
        std::vector<PointOffsets> parts((count + kChunk - 1) / kChunk, empty);
        pool.forRange(count, kChunk, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                placer.addTo(parts[from / kChunk], begin + i);
            }
        });
        for (const PointOffsets& part : parts) {
            total.add(part);
        }
        if (progress) {
            progress(static_cast<double>(begin + count) / static_cast<double>(events.size()));
        }
    }
    return total;
}

}  // namespace tof
