// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/roi_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr int kMostCopies = 1000;
constexpr std::size_t kMostLabels = 1000;

/// A point turned about an axis through `about`; in the plane of `axes`, by cosine and sine.
Vec3 turned(Vec3 p, Vec3 about, PlaneFrame axes, double cosine, double sine) {
    const double u = p[axes.first] - about[axes.first];
    const double v = p[axes.second] - about[axes.second];
    p[axes.first] = about[axes.first] + cosine * u - sine * v;
    p[axes.second] = about[axes.second] + sine * u + cosine * v;
    return p;
}

/// Voxels whose centres lie within a sphere, row by row.
template <typename Visit>
void visitWithin(const Lattice& lattice, Vec3 middle, double reach_mm, Visit visit) {
    const Vec3 reach{reach_mm, reach_mm, reach_mm};
    const Vec3 low = lattice.continuousIndex(middle - reach);
    const Vec3 high = lattice.continuousIndex(middle + reach);
    const auto first = [](double index, int size) {
        return static_cast<int>(std::ceil(std::clamp(index, 0.0, static_cast<double>(size))));
    };
    const auto last = [](double index, int size) {
        return static_cast<int>(std::floor(std::clamp(index, -1.0, size - 1.0)));
    };
    for (int z = first(low.z, lattice.size[2]); z <= last(high.z, lattice.size[2]); ++z) {
        for (int y = first(low.y, lattice.size[1]); y <= last(high.y, lattice.size[1]); ++y) {
            for (int x = first(low.x, lattice.size[0]); x <= last(high.x, lattice.size[0]); ++x) {
                if (norm(lattice.centre(x, y, z) - middle) <= reach_mm) {
                    visit(VoxelIndex{x, y, z});
                }
            }
        }
    }
}

/// Steps to the six voxels that share a face with one.
constexpr std::array<VoxelIndex, 6> kFaces{
    {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}};

/// Voxels joined to `start` through faces for which `wanted` holds, ascending.
template <typename Wanted>
std::vector<std::size_t> connected(const Lattice& lattice, const VoxelIndex& start, Wanted wanted) {
    std::vector<bool> seen(lattice.voxels(), false);
    std::vector<VoxelIndex> open{start};
    std::vector<std::size_t> found;
    seen[lattice.index(start)] = true;
    while (!open.empty()) {
        const VoxelIndex at = open.back();
        open.pop_back();
        found.push_back(lattice.index(at));
        for (const VoxelIndex& step : kFaces) {
            const VoxelIndex next{at[0] + step[0], at[1] + step[1], at[2] + step[2]};
            if (lattice.contains(next) && !seen[lattice.index(next)] && wanted(next)) {
                seen[lattice.index(next)] = true;
                open.push_back(next);
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

std::vector<Roi> ringOfCopies(const Roi& roi, int copies, Vec3 about) {
    const PlaneFrame axes = planeFrame(roi.plane);
    Vec3 away = roi.centre - about;
    away[axes.normal] = 0;
    if (copies < 2 || copies > kMostCopies) {
        throw WrongUse("a ring of {} copies: 2 to {} are possible", copies, kMostCopies);
    }
    if (norm(away) < 1e-6) {
        throw WrongUse("ROI '{}' lies on the axis of the ring; move it to where the first copy shall be",
                       roi.name);
    }
    std::vector<Roi> ring;
    for (int i = 1; i < copies; ++i) {
        const double angle = 2 * kPi * i / copies;
        const double cosine = std::cos(angle);
        const double sine = std::sin(angle);
        Roi copy = roi;
        copy.centre = turned(roi.centre, about, axes, cosine, sine);
        if (hasAngle(roi.shape)) {
            copy.angle_deg = std::remainder(roi.angle_deg + 360.0 * i / copies, 360.0);
        }
        for (Vec3& vertex : copy.vertices) {
            vertex = turned(vertex, about, axes, cosine, sine);
        }
        ring.push_back(std::move(copy));
    }
    return ring;
}

PeakVoxel peakWithin(const Volume& volume, Vec3 around, double reach_mm) {
    if (!(reach_mm > 0)) {
        throw WrongUse("a threshold needs a reach above 0 mm");
    }
    PeakVoxel peak;
    visitWithin(volume.lattice, around, reach_mm, [&](const VoxelIndex& i) {
        const auto value = static_cast<double>(volume.at(i));
        if (value > peak.value) {
            peak = {value, i};
        }
    });
    if (!(peak.value > 0)) {
        throw BadInput(
            "threshold: no voxel within {:g} mm of ({:g}, {:g}, {:g}) mm is positive; put the cursor nearer "
            "to what is to be found",
            reach_mm, around.x, around.y, around.z);
    }
    return peak;
}

Roi regionAbove(const Volume& volume, const PeakVoxel& peak, Vec3 around, double level, double reach_mm) {
    const Lattice& lattice = volume.lattice;
    Roi roi;
    roi.shape = Roi::Shape::Region;
    roi.region = RoiRegion::ofVoxels(lattice, connected(lattice, peak.at, [&](const VoxelIndex& i) {
                                         return static_cast<double>(volume.at(i)) >= level &&
                                                norm(lattice.centre(i) - around) <= reach_mm;
                                     }));
    roi.centre = roi.region->home_mm;
    return roi;
}

bool endsAtReach(const Volume& volume, const Roi& region, Vec3 around, double level, double reach_mm) {
    const Lattice& lattice = volume.lattice;
    const auto goesOn = [&](const VoxelIndex& at) {
        return std::any_of(kFaces.begin(), kFaces.end(), [&](const VoxelIndex& step) {
            const VoxelIndex next{at[0] + step[0], at[1] + step[1], at[2] + step[2]};
            return lattice.contains(next) && static_cast<double>(volume.at(next)) >= level &&
                   norm(lattice.centre(next) - around) > reach_mm;
        });
    };
    for (const auto& [first, count] : region.region->runs) {
        for (std::size_t i = first; i < first + count; ++i) {
            if (goesOn(lattice.voxel(i))) {
                return true;
            }
        }
    }
    return false;
}

std::vector<std::size_t> voxelsWithin(const Lattice& lattice, Vec3 middle, double radius_mm) {
    std::vector<std::size_t> voxels;
    visitWithin(lattice, middle, radius_mm, [&](const VoxelIndex& i) { voxels.push_back(lattice.index(i)); });
    const VoxelIndex home = lattice.voxelAt(middle);
    if (voxels.empty() && lattice.contains(home)) {
        voxels.push_back(lattice.index(home));
    }
    return voxels;
}

ThresholdResult thresholdRegion(const Volume& volume, Vec3 around, double fraction, double reach_mm) {
    if (!(fraction > 0 && fraction <= 1)) {
        throw WrongUse("a threshold needs a fraction above 0 up to 1");
    }
    const PeakVoxel peak = peakWithin(volume, around, reach_mm);
    const double level = fraction * peak.value;
    return {regionAbove(volume, peak, around, level, reach_mm), peak.value, volume.lattice.centre(peak.at),
            level};
}

Roi sphereOfRegion(const Roi& region) {
    if (region.shape != Roi::Shape::Region || region.region == nullptr) {
        throw WrongUse("ROI '{}' is no region of voxels", region.name);
    }
    const auto& spacing = region.region->lattice.spacing_mm;
    const double volume = static_cast<double>(region.region->voxels()) * spacing[0] * spacing[1] * spacing[2];
    Roi sphere = region;
    sphere.shape = Roi::Shape::Sphere;
    sphere.region = nullptr;
    sphere.radius_mm = std::cbrt(3 * volume / (4 * kPi));
    return sphere;
}

std::vector<Roi> roisFromLabels(const Volume& labels, const std::string& source) {
    std::map<int, std::vector<std::size_t>> voxels;
    for (std::size_t i = 0; i < labels.data.size(); ++i) {
        const float value = labels.data[i];
        const bool whole = value >= 0 && value < 1e6F && value == std::round(value);
        if (!whole) {
            throw BadInput("{}: voxel {} is {:g}; a label map has whole numbers from 0 in every voxel",
                           source, i, value);
        }
        if (value > 0) {
            voxels[static_cast<int>(value)].push_back(i);
        }
        if (voxels.size() > kMostLabels) {
            throw BadInput("{}: more than {} different labels; this looks like an image, not a label map",
                           source, kMostLabels);
        }
    }
    std::vector<Roi> rois;
    for (const auto& [label, indices] : voxels) {
        Roi roi;
        roi.name = fmt::format("label {}", label);
        roi.shape = Roi::Shape::Region;
        roi.region = RoiRegion::ofVoxels(labels.lattice, indices);
        roi.centre = roi.region->home_mm;
        rois.push_back(std::move(roi));
    }
    return rois;
}

Volume labelsOfRois(const std::vector<Roi>& rois, const Lattice& lattice) {
    Volume labels(lattice);
    labels.units = "label";
    std::vector<float> most(lattice.voxels(), 0.5F);
    for (std::size_t i = 0; i < rois.size(); ++i) {
        for (const WeightedVoxel& voxel : roiVoxels(rois[i], lattice)) {
            const auto fraction = static_cast<float>(voxel.fraction);
            if (fraction >= most[voxel.index]) {
                most[voxel.index] = fraction;
                labels.data[voxel.index] = static_cast<float>(i + 1);
            }
        }
    }
    return labels;
}

}  // namespace tof
