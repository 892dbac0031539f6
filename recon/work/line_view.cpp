// SPDX-License-Identifier: Apache-2.0
// Views of lines of response, declared beside those of histo-images.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/work/data_view.h"

namespace tof {

namespace {

constexpr int kTilts = 9;
constexpr int kAzimuths = 180;

/// Slope of the steepest line through the centre: lines beyond it are in the outermost classes.
double steepest(const LineData& data) {
    double low = 0;
    double high = 0;
    double radius = 0;
    for (const Vec3& p : data.events->points) {
        low = std::min(low, p.z);
        high = std::max(high, p.z);
        radius = std::max(radius, std::hypot(p.x, p.y));
    }
    return radius > 0 ? (high - low) / (2 * radius) : 0;
}

std::size_t tiltClasses(double steepestSlope) {
    return steepestSlope > 0 ? kTilts : 1;
}

/// A line as it passes the axis.
struct Passage {
    double phi = 0;    ///< azimuth, 0 <= phi < pi
    double s_mm = 0;   ///< signed distance along r of that azimuth
    double z_mm = 0;   ///< where it is nearest the axis
    double slope = 0;  ///< dz per mm across, towards phi
};

/// False for a line along the axis, which has no azimuth.
bool passageOf(Vec3 a, Vec3 b, Passage& passage) {
    Vec3 d{b.x - a.x, b.y - a.y, b.z - a.z};
    if (d.y < 0 || (d.y == 0 && d.x < 0)) {
        d = {-d.x, -d.y, -d.z};
    }
    const double across = std::hypot(d.x, d.y);
    if (!(across > 0)) {
        return false;
    }
    const double along = (a.x * d.x + a.y * d.y) / across;
    passage.phi = std::atan2(d.y, d.x);
    passage.s_mm = (a.y * d.x - a.x * d.y) / across;
    passage.slope = d.z / across;
    passage.z_mm = a.z - along * passage.slope;
    return true;
}

std::size_t classOf(double slope, double steepestSlope) {
    const std::size_t classes = tiltClasses(steepestSlope);
    if (classes == 1) {
        return 0;
    }
    const double place = 0.5 * (slope / steepestSlope + 1) * static_cast<double>(classes);
    return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(classes) - 1));
}

/// Calls visit(passage, class, counts) for every line.
template <typename Visit>
void forEachLine(const LineData& data, const Visit& visit) {
    const double slope = steepest(data);
    const LineEvents& events = *data.events;
    Passage passage;
    for (std::size_t i = 0; i < events.pairs.size(); ++i) {
        if (passageOf(events.points[events.pairs[i][0]], events.points[events.pairs[i][1]], passage)) {
            visit(passage, classOf(passage.slope, slope), data.counts.empty() ? 1.0F : data.counts[i]);
        }
    }
}

Lattice viewLattice(const Lattice& image) {
    const double width = image.size[0] * image.spacing_mm[0];
    const double height = image.size[1] * image.spacing_mm[1];
    const double step = image.spacing_mm[0];
    const int beside = static_cast<int>(0.5 * std::max(width, height) / step);
    Lattice lattice = Lattice::centred({2 * beside + 1, kAzimuths, image.size[2]},
                                       {step, height / kAzimuths, image.spacing_mm[2]});
    lattice.origin_mm.z = image.origin_mm.z;
    return lattice;
}

}  // namespace

std::vector<double> lineTilts(const LineData& data) {
    const double slope = steepest(data);
    const std::size_t classes = tiltClasses(slope);
    std::vector<double> degrees;
    for (std::size_t c = 0; c < classes; ++c) {
        const double place = (static_cast<double>(c) + 0.5) / static_cast<double>(classes);
        degrees.push_back(std::atan(slope * (2 * place - 1)) / kRadPerDeg);
    }
    return degrees;
}

Volume lineView(const LineData& data, std::size_t tilt) {
    const std::size_t classes = tiltClasses(steepest(data));
    if (tilt >= classes) {
        throw WrongUse(fmt::format("tilt {}: the lines are sorted into {}", tilt, classes));
    }
    Volume volume(viewLattice(data.lattice), 0.0F);
    const Lattice& lattice = volume.lattice;
    forEachLine(data, [&](const Passage& line, std::size_t itsClass, float counts) {
        if (itsClass != tilt) {
            return;
        }
        const auto x =
            static_cast<int>(std::lround((line.s_mm - lattice.origin_mm.x) / lattice.spacing_mm[0]));
        const int y = std::min(static_cast<int>(line.phi / kPi * kAzimuths), kAzimuths - 1);
        const auto z =
            static_cast<int>(std::lround((line.z_mm - lattice.origin_mm.z) / lattice.spacing_mm[2]));
        if (lattice.contains(x, y, z)) {
            volume.at(x, y, z) += counts;
        }
    });
    volume.units = "events/bin";
    return volume;
}

std::vector<double> lineViewTotals(const LineData& data) {
    std::vector<double> totals(tiltClasses(steepest(data)), 0.0);
    forEachLine(data, [&](const Passage&, std::size_t itsClass, float counts) {
        totals[itsClass] += static_cast<double>(counts);
    });
    return totals;
}

}  // namespace tof
