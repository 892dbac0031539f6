// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/resolution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "recon/base/constants.h"

namespace tof {

namespace {

/// Values of the filter at whole bins, times the bin, per mm.
std::vector<double> ramp(int bins, double bin_mm) {
    std::vector<double> filter(static_cast<std::size_t>(bins), 0.0);
    filter[0] = 0.25 / bin_mm;
    for (int k = 1; k < bins; k += 2) {
        filter[static_cast<std::size_t>(k)] = -1 / (kPi * kPi * k * k * bin_mm);
    }
    return filter;
}

/// A sinogram of one slice, filtered, counts per mm^2; [angle][bin].
std::vector<double> filtered(const SliceSinograms& sinograms, int slice, const std::vector<double>& filter) {
    const SinogramGrid& grid = sinograms.grid();
    std::vector<double> rows;
    rows.reserve(static_cast<std::size_t>(grid.angles) * filter.size());
    for (int angle = 0; angle < grid.angles; ++angle) {
        std::vector<double> row(filter.size(), 0.0);
        for (int from = 0; from < grid.bins; ++from) {
            const double counts = sinograms.counts(slice, angle, from);
            if (counts != 0) {
                for (int to = 0; to < grid.bins; ++to) {
                    row[static_cast<std::size_t>(to)] +=
                        counts / grid.bin_mm * filter[static_cast<std::size_t>(std::abs(to - from))];
                }
            }
        }
        rows.insert(rows.end(), row.begin(), row.end());
    }
    return rows;
}

/// The unit vectors along the lines of every angle.
std::vector<Vec3> linesOfAngles(const SinogramGrid& grid) {
    std::vector<Vec3> lines;
    for (int angle = 0; angle < grid.angles; ++angle) {
        const double turn = kPi * (angle + 0.5) / grid.angles;
        lines.push_back({std::cos(turn), std::sin(turn), 0});
    }
    return lines;
}

double backProjected(const SinogramGrid& grid, const std::vector<double>& rows,
                     const std::vector<Vec3>& lines, Vec3 at) {
    double sum = 0;
    for (int angle = 0; angle < grid.angles; ++angle) {
        const Vec3& along = lines[static_cast<std::size_t>(angle)];
        const double s = at.y * along.x - at.x * along.y;
        const double place = s / grid.bin_mm + 0.5 * grid.bins - 0.5;
        const auto below = static_cast<int>(std::floor(place));
        if (below >= 0 && below + 1 < grid.bins) {
            const std::size_t i = static_cast<std::size_t>(angle) * static_cast<std::size_t>(grid.bins) +
                                  static_cast<std::size_t>(below);
            sum += rows[i] + (place - below) * (rows[i + 1] - rows[i]);
        }
    }
    return kPi / grid.angles * sum;
}

struct Top {
    double place = 0;
    double value = 0;
};

Top topOf(const std::vector<double>& profile) {
    const auto highest = std::max_element(profile.begin(), profile.end());
    const auto i = static_cast<std::size_t>(highest - profile.begin());
    if (i == 0 || i + 1 == profile.size()) {
        return {static_cast<double>(i), *highest};
    }
    const double slope = 0.5 * (profile[i + 1] - profile[i - 1]);
    const double bend = profile[i + 1] - 2 * profile[i] + profile[i - 1];
    return {static_cast<double>(i) - (bend < 0 ? slope / bend : 0),
            *highest - (bend < 0 ? 0.5 * slope * slope / bend : 0)};
}

/// Distance in voxels from the top to where a profile falls to a share of it, to one side.
double flank(const std::vector<double>& profile, const Top& top, double share, int step) {
    const double level = share * top.value;
    for (int i = static_cast<int>(std::lround(top.place));
         i + step >= 0 && i + step < static_cast<int>(profile.size()); i += step) {
        const int beside = i + step;
        const double here = profile[static_cast<std::size_t>(i)];
        const double next = profile[static_cast<std::size_t>(beside)];
        if (here >= level && next < level) {
            return std::abs(i + step * (here - level) / (here - next) - top.place);
        }
    }
    return std::numeric_limits<double>::quiet_NaN();
}

double widthOf(const std::vector<double>& profile, double share) {
    const Top top = topOf(profile);
    return flank(profile, top, share, -1) + flank(profile, top, share, 1);
}

/// The profile along `axis` through `peak`, summed over voxels up to `reach` away along the other axes.
std::vector<double> profileAlong(const Volume& image, std::size_t axis, const VoxelIndex& peak,
                                 const std::array<int, 3>& reach) {
    std::vector<double> profile(static_cast<std::size_t>(image.lattice.size[axis]), 0.0);
    image.lattice.forEachVoxel([&](int x, int y, int z) {
        const VoxelIndex at{x, y, z};
        bool near = true;
        for (std::size_t k = 0; k < 3; ++k) {
            near = near && (k == axis || std::abs(at[k] - peak[k]) <= reach[k]);
        }
        profile[static_cast<std::size_t>(at[axis])] += near ? static_cast<double>(image.at(at)) : 0.0;
    });
    return profile;
}

}  // namespace

Volume filteredBackProjection(const SliceSinograms& sinograms, const Lattice& lattice,
                              const ThreadPool& pool) {
    const SinogramGrid& grid = sinograms.grid();
    const std::vector<double> filter = ramp(grid.bins, grid.bin_mm);
    const std::vector<Vec3> lines = linesOfAngles(grid);
    Volume image(lattice);
    pool.forRange(static_cast<std::size_t>(lattice.size[2]), 1, [&](std::size_t begin, std::size_t end) {
        for (auto z = static_cast<int>(begin); z < static_cast<int>(end); ++z) {
            const int slice = grid.sliceAt(lattice.centre(0, 0, z).z);
            if (slice < 0 || slice >= grid.slices) {
                continue;
            }
            const std::vector<double> rows = filtered(sinograms, slice, filter);
            for (int y = 0; y < lattice.size[1]; ++y) {
                for (int x = 0; x < lattice.size[0]; ++x) {
                    image.at(x, y, z) =
                        static_cast<float>(backProjected(grid, rows, lines, lattice.centre(x, y, z)));
                }
            }
        }
    });
    return image;
}

PointWidths widthsOf(const Volume& image) {
    const auto highest = std::max_element(image.data.begin(), image.data.end()) - image.data.begin();
    const VoxelIndex peak = image.lattice.voxel(static_cast<std::size_t>(highest));
    std::array<int, 3> reach{0, 0, 0};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double width = widthOf(profileAlong(image, axis, peak, {0, 0, 0}), 0.5);
        reach[axis] = std::isfinite(width) ? static_cast<int>(std::lround(width)) : 0;
    }
    PointWidths widths;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::vector<double> profile = profileAlong(image, axis, peak, reach);
        widths.fwhm_mm[axis] = image.lattice.spacing_mm[axis] * widthOf(profile, 0.5);
        widths.fwtm_mm[axis] = image.lattice.spacing_mm[axis] * widthOf(profile, 0.1);
    }
    return widths;
}

}  // namespace tof
