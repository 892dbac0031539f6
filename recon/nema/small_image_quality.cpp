// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/small_image_quality.h"

#include <algorithm>
#include <cmath>

#include "recon/base/error.h"

namespace tof {

namespace {

/// Voxels whose centre lies within a cylinder along z; throws where there are none or some lie outside.
std::vector<VoxelIndex> voxelsWithin(const Lattice& lattice, Vec3 centre, double radius_mm,
                                     double length_mm) {
    const Vec3 half{radius_mm, radius_mm, length_mm / 2};
    for (const Vec3& corner : {centre - half, centre + half}) {
        if (!lattice.contains(lattice.voxelAt(corner))) {
            throw BadInput(
                "the image does not hold the phantom: ({:.1f}, {:.1f}, {:.1f}) mm lies outside; say where "
                "its "
                "middle is with --centre",
                corner.x, corner.y, corner.z);
        }
    }
    const VoxelIndex low = lattice.voxelAt(centre - half);
    const VoxelIndex high = lattice.voxelAt(centre + half);
    std::vector<VoxelIndex> voxels;
    for (int z = low[2]; z <= high[2]; ++z) {
        for (int y = low[1]; y <= high[1]; ++y) {
            for (int x = low[0]; x <= high[0]; ++x) {
                const Vec3 d = lattice.centre(x, y, z) - centre;
                if (std::hypot(d.x, d.y) <= radius_mm && std::abs(d.z) <= length_mm / 2) {
                    voxels.push_back({x, y, z});
                }
            }
        }
    }
    if (voxels.size() < 2) {
        throw BadInput("voxels of {} are too large for a region of {:g} x {:g} mm of the phantom",
                       lattice.text(), 2 * radius_mm, length_mm);
    }
    return voxels;
}

struct Moments {
    double mean = 0;
    double sd = 0;
    double lowest = 0;
    double highest = 0;
};
Moments momentsOf(const std::vector<double>& values) {
    Moments m;
    const auto n = static_cast<double>(values.size());
    for (const double value : values) {
        m.mean += value / n;
    }
    for (const double value : values) {
        m.sd += (value - m.mean) * (value - m.mean) / std::max(1.0, n - 1);
    }
    m.sd = std::sqrt(m.sd);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    m.lowest = *low;
    m.highest = *high;
    return m;
}

Moments momentsOf(const Volume& image, const std::vector<VoxelIndex>& voxels) {
    std::vector<double> values;
    values.reserve(voxels.size());
    for (const VoxelIndex& at : voxels) {
        values.push_back(static_cast<double>(image.at(at)));
    }
    return momentsOf(values);
}

/// The line along z through the brightest place of the mean over the slices.
Moments brightestLine(const Volume& image, const PhantomShape& rod, Vec3 moved) {
    const std::vector<VoxelIndex> voxels =
        voxelsWithin(image.lattice, rod.centre + moved, 2 * rod.radius_mm, rod.size_mm.z / 2);
    std::vector<std::vector<double>> lines;
    std::vector<VoxelIndex> places;
    for (const VoxelIndex& at : voxels) {
        const auto known = std::find_if(places.begin(), places.end(), [&](const VoxelIndex& place) {
            return place[0] == at[0] && place[1] == at[1];
        });
        const auto line = static_cast<std::size_t>(known - places.begin());
        if (line == places.size()) {
            places.push_back(at);
            lines.emplace_back();
        }
        lines[line].push_back(static_cast<double>(image.at(at)));
    }
    Moments best;
    for (const std::vector<double>& line : lines) {
        const Moments here = momentsOf(line);
        best = here.mean > best.mean ? here : best;
    }
    return best;
}

/// A ratio to the even part, with the SD of both.
SmallFigure over(const std::string& name, const Moments& part, const Moments& even) {
    const double own = part.mean != 0 ? part.sd / part.mean : 0;
    return {name, part.mean / even.mean, 100 * std::hypot(own, even.sd / even.mean)};
}

}  // namespace

bool hasRods(const Phantom& phantom) {
    return std::any_of(phantom.shapes.begin(), phantom.shapes.end(),
                       [](const PhantomShape& shape) { return shape.name.starts_with("rod "); });
}

SmallImageQuality smallImageQuality(const Volume& image, const Phantom& phantom, Vec3 moved) {
    const auto body = std::find_if(phantom.shapes.begin(), phantom.shapes.end(),
                                   [](const PhantomShape& shape) { return shape.role == "background"; });
    if (body == phantom.shapes.end()) {
        throw BadInput("phantom '{}' has no shape of role background", phantom.name);
    }
    double low = body->centre.z - body->size_mm.z / 2;
    const double high = body->centre.z + body->size_mm.z / 2;
    for (const PhantomShape& shape : phantom.shapes) {
        if (shape.name.starts_with("chamber ")) {
            low = std::max(low, shape.centre.z + shape.size_mm.z / 2);
        }
    }
    const Vec3 middle{body->centre.x, body->centre.y, (low + high) / 2};
    const Moments even = momentsOf(image, voxelsWithin(image.lattice, middle + moved, 11.25, 10));
    if (!(even.mean > 0)) {
        throw BadInput("the image has a mean of {:g} in the phantom's even part; it must be above 0",
                       even.mean);
    }
    SmallImageQuality quality{even.mean, 100 * even.sd / even.mean, 100 * even.lowest / even.mean,
                              100 * even.highest / even.mean};
    for (const PhantomShape& shape : phantom.shapes) {
        if (shape.name.starts_with("rod ")) {
            quality.recovery.push_back(over(shape.name, brightestLine(image, shape, moved), even));
        } else if (shape.name.starts_with("chamber ")) {
            const Moments cold = momentsOf(image, voxelsWithin(image.lattice, shape.centre + moved,
                                                               shape.radius_mm / 2, shape.size_mm.z / 2));
            quality.spillOver.push_back(over(shape.name, cold, even));
        }
    }
    return quality;
}

}  // namespace tof
