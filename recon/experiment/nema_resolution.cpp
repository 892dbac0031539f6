// SPDX-License-Identifier: Apache-2.0
// Widths of points.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "recon/base/constants.h"
#include "recon/experiment/nema_run.h"
#include "recon/nema/fourier_rebinning.h"
#include "recon/nema/resolution.h"
#include "recon/nema/small_animal.h"

namespace tof {

namespace {

/// Fourier rebinning is accurate up to some 20 degrees (Defrise, Kinahan and Michel in Positron Emission
/// Tomography, Springer 2005, chapter 4). Beyond, it widens along z what lies off the axis.
constexpr double kSteepestRebinned_rad = 20 * kRadPerDeg;

/// Points at distances from the axis, in the middle and toward an end, and how their images are made.
struct PointTest {
    const char* figures;  ///< what the keys of its figures begin with
    std::vector<double> off_mm;
    double unit_mm;               ///< keys have distances in these units
    double share;                 ///< how far the other place lies from the middle, by the length
    std::array<double, 2> means;  ///< weights of the middle and of that place in its figures
    double voxel_mm;
    double around_mm;  ///< image of a point to each side
    double bins_mm;    ///< bins reach so far from the axis
    const char* picture;
    const char* words;
    Phantom (*source)(Vec3 at);
};

Phantom pointInAir(Vec3 at) {
    Phantom phantom;
    phantom.name = "point source";
    PhantomShape& ball = phantom.shapes.emplace_back();
    ball.centre = at;
    ball.radius_mm = 0.5;
    ball.activity = 1;
    return phantom;
}

/// The scanner with lines as steep at most as Fourier rebinning takes them.
Scanner forRebinning(Scanner scanner) {
    scanner.acceptance_rad = std::min(scanner.acceptance_rad, kSteepestRebinned_rad);
    return scanner;
}

/// Lines of all tilts, rebinned, back-projected around the point.
Volume imageOfPoint(NemaRun& run, const PointTest& test, Vec3 at, double slice_mm) {
    constexpr int kAngles = 720;
    const Scanner scanner = forRebinning(run.scanner());
    Physics physics = run.atLowRate();
    physics.scatter = false;
    const int slices = 2 * static_cast<int>(std::ceil(test.around_mm / slice_mm)) + 1;
    const int bins = 2 * static_cast<int>(test.bins_mm / test.voxel_mm);
    const SinogramGrid grid{slices, kAngles, bins, slice_mm, test.voxel_mm, at.z};
    ObliqueLines lines(RebinningField::of(scanner, grid, at, test.around_mm));
    EventLines seen(scanner);
    run.scan(scanner, test.source(at), physics, kNemaLow_MBq, [&](const EventList& part) {
        seen.forEach(part, [&lines](const EventLine& line) { lines.add(line); });
    });
    SliceSinograms counts(scanner, grid);
    rebinFourier(lines, run.pool(), counts);
    const int side = 2 * static_cast<int>(test.around_mm / test.voxel_mm) + 1;
    const Lattice around{{side, side, slices},
                         {test.voxel_mm, test.voxel_mm, slice_mm},
                         {at.x - test.around_mm, at.y - test.around_mm, grid.z_mm(0)}};
    return filteredBackProjection(counts, around, run.pool());
}

void resolutionOf(NemaRun& run, const PointTest& test) {
    const SinogramGrid whole = SinogramGrid::of(run.scanner(), 1, 1, 1);
    const double length = whole.slices * whole.slice_mm;
    const auto points = 2 * static_cast<double>(test.off_mm.size());
    SliceMosaic pictures(2);
    int point = 0;
    if (run.scanner().acceptance_rad > kSteepestRebinned_rad) {
        run.note(fmt::format("Lines steeper than {:g} degrees are left out.",
                             std::round(kSteepestRebinned_rad / kRadPerDeg)));
    }
    for (const double off_mm : test.off_mm) {
        if (off_mm + test.around_mm > run.scanner().fovRadius_mm) {
            run.note(
                fmt::format("A point {:g} mm off the axis lies too near the edge of the field.", off_mm));
            continue;
        }
        std::array<double, 3> mean{0, 0, 0};
        for (const std::size_t place : {std::size_t{0}, std::size_t{1}}) {
            run.begin(fmt::format("resolution, point {} of {:g}", point + 1, points), point / points);
            const double away = place == 0 ? 0 : test.share * length;
            const double z = whole.slice_mm * std::round(away / whole.slice_mm);
            const auto image =
                std::make_shared<const Volume>(imageOfPoint(run, test, {0, -off_mm, z}, whole.slice_mm));
            const PointWidths widths = widthsOf(*image);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                // A weight of zero keeps a width that is no number out.
                mean[axis] += test.means[place] > 0 ? test.means[place] * widths.fwhm_mm[axis] : 0;
            }
            run.note(
                fmt::format("A point at y = {:g}, z = {:.1f} mm is {:.2f} mm wide (a tenth: {:.2f}) "
                            "radially, {:.2f} ({:.2f}) "
                            "tangentially, {:.2f} ({:.2f}) along z.",
                            -off_mm, z, widths.fwhm_mm[1], widths.fwtm_mm[1], widths.fwhm_mm[0],
                            widths.fwtm_mm[0], widths.fwhm_mm[2], widths.fwtm_mm[2]));
            constexpr int kZoom = 4;
            const float top = *std::max_element(image->data.begin(), image->data.end());
            pictures[place].push_back(
                {image, Plane::Transverse, {0, -off_mm, z}, {0, static_cast<double>(top)}, kZoom});
            ++point;
        }
        const std::string key = fmt::format("{}{:g}", test.figures, off_mm / test.unit_mm);
        run.found(key + "_radial", mean[1]);
        run.found(key + "_tangential", mean[0]);
        run.found(key + "_axial", mean[2]);
    }
    run.picture({test.picture, test.words, std::move(pictures)});
}

}  // namespace

void nemaResolution(NemaRun& run) {
    resolutionOf(run, {"resolution_",
                       {10, 100, 200},
                       10,
                       0.375,
                       {0.5, 0.5},
                       1,
                       20,
                       220,
                       "points.png",
                       "Points 1, 10 and 20 cm off the axis, below an eighth of the length from an end; "
                       "voxels of 1 mm.",
                       &pointInAir});
}

void smallResolution(NemaRun& run) {
    resolutionOf(run, {"nu4_resolution_",
                       {5, 10, 15, 25},
                       1,
                       0.25,
                       {1, 0},
                       0.25,
                       8,
                       43,
                       "nu4-points.png",
                       "Points 5, 10, 15 and 25 mm off the axis, below a quarter of the length from the "
                       "middle; voxels of 0.25 mm.",
                       &pointInAcrylic});
}

}  // namespace tof
