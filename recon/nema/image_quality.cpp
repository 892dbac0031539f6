// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/image_quality.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/metrics/roi.h"

namespace tof {

namespace {

constexpr std::size_t kPlaces = 12;
constexpr std::array<double, 5> kSlices_mm{-20, -10, 0, 10, 20};
constexpr double kClearance_mm = 15;
constexpr double kStep_mm = 4;  ///< between places that are looked at

/// What the phantom consists of, for this test.
struct Parts {
    std::vector<PhantomShape> spheres;  ///< by diameter
    double background = 0;              ///< activity
    const PhantomShape* lung = nullptr;
    double reach_mm = 0;  ///< how far the phantom goes from its origin
};

double activityAt(const Phantom& phantom, Vec3 p) {
    double activity = 0;
    for (const PhantomShape& shape : phantom.shapes) {
        if (shape.contains(p)) {
            activity = shape.activity;
        }
    }
    return activity;
}

Parts partsOf(const Phantom& phantom) {
    Parts parts;
    for (const PhantomShape& shape : phantom.shapes) {
        const Vec3 half = shape.halfExtent();
        parts.reach_mm =
            std::max({parts.reach_mm, std::abs(shape.centre.x) + half.x, std::abs(shape.centre.y) + half.y});
        if (shape.role == "sphere") {
            parts.spheres.push_back(shape);
        } else if (shape.role == "background") {
            parts.background = shape.activity;
        } else if (shape.kind == PhantomShape::Kind::Cylinder && shape.activity == 0) {
            parts.lung = &shape;
        }
    }
    if (parts.spheres.empty() || !(parts.background > 0)) {
        throw BadInput(
            "phantom '{}' has no shapes of role sphere, or none of role background; take nema-iq-2018",
            phantom.name);
    }
    std::sort(parts.spheres.begin(), parts.spheres.end(),
              [](const PhantomShape& a, const PhantomShape& b) { return a.radius_mm < b.radius_mm; });
    for (const PhantomShape& sphere : parts.spheres) {
        if (std::abs(sphere.centre.z - parts.spheres.front().centre.z) > 1) {
            throw BadInput("phantom '{}': the spheres' centres do not lie in one slice", phantom.name);
        }
        if (sphere.activity == parts.background) {
            throw BadInput("phantom '{}': sphere '{}' has the background's activity, so it has no contrast",
                           phantom.name, sphere.name);
        }
    }
    return parts;
}

/// Whether all within a distance of a place, in every slice of the test, is background.
bool isEven(const Phantom& phantom, const Parts& parts, Vec3 place, double distance_mm) {
    constexpr int kAngles = 24;
    for (const double slice : kSlices_mm) {
        for (double r = distance_mm; r > 0; r -= kStep_mm) {
            for (int i = 0; i < kAngles; ++i) {
                const double angle = 2 * kPi * i / kAngles;
                const Vec3 p{place.x + r * std::cos(angle), place.y + r * std::sin(angle), place.z + slice};
                if (activityAt(phantom, p) != parts.background) {
                    return false;
                }
            }
        }
    }
    return true;
}

double distanceOf(Vec3 a, Vec3 b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

/// Up to twelve places, each the farthest from those before and at least `apart_mm` from them; the first is
/// the farthest from the axis.
std::vector<Vec3> spread(const std::vector<Vec3>& allowed, double apart_mm) {
    std::vector<Vec3> chosen;
    std::vector<double> distance;
    distance.reserve(allowed.size());
    for (const Vec3& place : allowed) {
        distance.push_back(std::hypot(place.x, place.y));
    }
    while (chosen.size() < kPlaces && !allowed.empty()) {
        const auto at =
            static_cast<std::size_t>(std::max_element(distance.begin(), distance.end()) - distance.begin());
        if (!chosen.empty() && distance[at] < apart_mm) {
            break;
        }
        if (chosen.empty()) {
            std::fill(distance.begin(), distance.end(), std::numeric_limits<double>::infinity());
        }
        chosen.push_back(allowed[at]);
        for (std::size_t i = 0; i < allowed.size(); ++i) {
            distance[i] = std::min(distance[i], distanceOf(allowed[i], allowed[at]));
        }
    }
    return chosen;
}

/// Twelve places, with as much room about them as there is, 15 mm at most.
std::vector<Vec3> placesFor(const Phantom& phantom, const Parts& parts, double& clearance_mm) {
    const double radius = parts.spheres.back().radius_mm;
    for (clearance_mm = kClearance_mm; clearance_mm >= 0; clearance_mm -= 1) {
        std::vector<Vec3> allowed;
        for (double y = -parts.reach_mm; y <= parts.reach_mm; y += kStep_mm) {
            for (double x = -parts.reach_mm; x <= parts.reach_mm; x += kStep_mm) {
                const Vec3 place{x, y, parts.spheres.front().centre.z};
                if (isEven(phantom, parts, place, radius + clearance_mm)) {
                    allowed.push_back(place);
                }
            }
        }
        // Circles may overlap by half: fifteen millimetres from all else leave no room for twelve apart.
        std::vector<Vec3> chosen = spread(allowed, radius);
        if (chosen.size() == kPlaces) {
            return chosen;
        }
    }
    throw BadInput("phantom '{}' has no room for twelve circles of {:g} mm beside its spheres", phantom.name,
                   2 * radius);
}

RoiStatistics circle(const Volume& image, Vec3 centre, double radius_mm) {
    Roi roi;
    roi.shape = Roi::Shape::Circle;
    roi.centre = centre;
    roi.radius_mm = radius_mm;
    const RoiStatistics found = roiStatistics(roi, image);
    if (found.outsideFraction > 0 || !(found.weight > 0)) {
        throw BadInput(
            "the image does not hold the phantom: a circle of {:g} mm about ({:.0f}, {:.0f}, {:.0f}) mm lies "
            "outside; "
            "say where its spheres' middle is with --centre",
            2 * radius_mm, centre.x, centre.y, centre.z);
    }
    return found;
}

/// Largest value within a sphere grown by a voxel, and the mean of what exceeds half of it there, the
/// background taken off (A50); where nothing does, as of a cold sphere, the largest twice.
std::array<double, 2> highest(const Volume& image, Vec3 centre, double radius_mm, double background) {
    const Lattice& lattice = image.lattice;
    const double reach = radius_mm + *std::max_element(lattice.spacing_mm.begin(), lattice.spacing_mm.end());
    std::vector<double> near;
    lattice.forEachVoxel([&](int x, int y, int z) {
        if (norm(lattice.centre(x, y, z) - centre) <= reach) {
            near.push_back(static_cast<double>(image.at(x, y, z)));
        }
    });
    if (near.empty()) {
        return {0, 0};
    }
    const double largest = *std::max_element(near.begin(), near.end());
    double sum = 0;
    double count = 0;
    for (const double value : near) {
        if (value >= 0.5 * (largest + background)) {
            sum += value;
            count += 1;
        }
    }
    return {count > 0 ? sum / count : largest, largest};
}

void measureLung(const Volume& image, const PhantomShape& lung, Vec3 moved, ImageQuality& quality) {
    constexpr double kRadius_mm = 15;
    constexpr double kEnd_mm = 10;  // slices nearer to an end hold what is beside it
    const Lattice& lattice = image.lattice;
    for (int z = 0; z < lattice.size[2]; ++z) {
        const double at = lattice.centre(0, 0, z).z;
        const Vec3 centre = lung.centre + moved;
        if (std::abs(at - centre.z) < lung.size_mm.z / 2 - kEnd_mm) {
            quality.lung.push_back(100 * circle(image, {centre.x, centre.y, at}, kRadius_mm).mean /
                                   quality.background);
        }
    }
    quality.lungMean = std::accumulate(quality.lung.begin(), quality.lung.end(), 0.0) /
                       static_cast<double>(std::max<std::size_t>(quality.lung.size(), 1));
}

}  // namespace

ImageQuality imageQuality(const Volume& image, const Phantom& phantom, Vec3 moved) {
    const Parts parts = partsOf(phantom);
    ImageQuality quality;
    const std::vector<Vec3> places = placesFor(phantom, parts, quality.clearance_mm);
    for (const PhantomShape& sphere : parts.spheres) {
        std::vector<double> means;
        for (const Vec3& place : places) {
            for (const double slice : kSlices_mm) {
                means.push_back(circle(image, place + moved + Vec3{0, 0, slice}, sphere.radius_mm).mean);
            }
        }
        const double mean =
            std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(means.size());
        if (!(mean > 0)) {
            throw BadInput("the image has a mean of {:g} in the background's circles; it must be above 0",
                           mean);
        }
        double squares = 0;
        for (const double one : means) {
            squares += (one - mean) * (one - mean);
        }
        const double ratio = sphere.activity / parts.background;
        const double inside = circle(image, sphere.centre + moved, sphere.radius_mm).mean;
        const auto [above, largest] = highest(image, sphere.centre + moved, sphere.radius_mm, mean);
        const double sd = std::sqrt(squares / static_cast<double>(means.size() - 1));
        quality.spheres.push_back({sphere.name, 2 * sphere.radius_mm, 100 * (inside / mean - 1) / (ratio - 1),
                                   100 * sd / mean, above / (ratio * mean), largest / (ratio * mean)});
        quality.background = mean;  // the last is that of the largest
    }
    if (parts.lung != nullptr) {
        measureLung(image, *parts.lung, moved, quality);
    }
    return quality;
}

double nemaScanActivity_MBq(const Phantom& phantom) {
    constexpr double kBackground_MBqPerMl = 5.3e-3;
    constexpr double kVoxel_mm = 4;
    Phantom torso = phantom;
    double relative_mm3 = 0;
    // Voxels are far wider than the line, so it is taken by its volume.
    std::erase_if(torso.shapes, [&](const PhantomShape& shape) {
        const bool line = shape.kind == PhantomShape::Kind::Cylinder && 2 * shape.radius_mm < kVoxel_mm;
        relative_mm3 += line ? shape.activity * shape.volume_mm3() : 0;
        return line;
    });
    const Volume emission =
        torso.emissionOn(Lattice::centred({80, 80, 80}, {kVoxel_mm, kVoxel_mm, kVoxel_mm}));
    relative_mm3 +=
        std::accumulate(emission.data.begin(), emission.data.end(), 0.0) * kVoxel_mm * kVoxel_mm * kVoxel_mm;
    return kBackground_MBqPerMl * relative_mm3 / 1000;
}

const std::vector<EarlLimits>& earlLimits() {
    static const std::vector<EarlLimits> kLimits{
        {10, {0.27, 0.43}, {0.34, 0.57}}, {13, {0.44, 0.60}, {0.59, 0.85}}, {17, {0.57, 0.73}, {0.73, 1.01}},
        {22, {0.63, 0.78}, {0.83, 1.09}}, {28, {0.72, 0.85}, {0.91, 1.13}}, {37, {0.76, 0.89}, {0.95, 1.16}}};
    return kLimits;
}

}  // namespace tof
