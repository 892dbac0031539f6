// SPDX-License-Identifier: Apache-2.0
#include "recon/kinetics/partial_volume.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "recon/base/error.h"
#include "recon/metrics/gaussian_filter.h"

namespace tof {

namespace {

/// A voxel in no region counts as near where regions are seen by more than this share.
constexpr double kNear = 0.01;
/// Rows whose pivot is below this are those of regions that are not told apart.
constexpr double kLeastPivot = 0.02;

Volume imageOf(const std::vector<WeightedVoxel>& voxels, const Lattice& lattice) {
    Volume image(lattice, 0.0F);
    for (const WeightedVoxel& voxel : voxels) {
        image.data[voxel.index] = static_cast<float>(voxel.fraction);
    }
    return image;
}

void addTo(Volume& sum, const std::vector<float>& values) {
    std::transform(sum.data.begin(), sum.data.end(), values.begin(), sum.data.begin(), std::plus<>());
}

}  // namespace

PartialVolume::PartialVolume(const Lattice& lattice, const std::vector<Roi>& rois)
    : lattice_(lattice), rois_(rois.size()) {
    constexpr double kRounding = 1e-6;
    std::vector<double> taken(lattice.voxels(), 0.0);
    std::vector<std::size_t> owner(lattice.voxels(), 0);
    for (const Roi& roi : rois) {
        voxels_.push_back(roiVoxels(roi, lattice));
        names_.push_back(roi.name);
        if (voxels_.back().empty()) {
            throw BadInput("ROI '{}' lies outside of the image; check that both are in the same frame of mm",
                           roi.name);
        }
        for (const WeightedVoxel& voxel : voxels_.back()) {
            if (taken[voxel.index] > 0 && taken[voxel.index] + voxel.fraction > 1 + kRounding) {
                throw BadInput(
                    "ROIs '{}' and '{}' share voxels; partial volumes need regions that lie beside each "
                    "other",
                    names_[owner[voxel.index]], roi.name);
            }
            taken[voxel.index] += voxel.fraction;
            owner[voxel.index] = names_.size() - 1;
        }
    }
}

PartialVolume PartialVolume::ofWidth(const Lattice& lattice, const std::vector<Roi>& rois, double fwhm_mm,
                                     const ThreadPool& pool) {
    if (!(fwhm_mm > 0)) {
        throw WrongUse("partial volumes need the width that the image is seen with, in mm above 0");
    }
    PartialVolume made(lattice, rois);
    Volume all(lattice, 0.0F);
    for (const std::vector<WeightedVoxel>& region : made.voxels_) {
        addTo(all, imageOf(region, lattice).data);
    }
    made.addRests(gaussianFiltered(all, fwhm_mm, pool));
    for (std::size_t of = 0; of < made.size(); ++of) {
        made.addSeen(of, gaussianFiltered(imageOf(made.voxels_[of], lattice), fwhm_mm, pool).data);
    }
    made.solve();
    return made;
}

PartialVolume PartialVolume::ofImages(const std::vector<Roi>& rois, const DynamicImage& images,
                                      const std::string& source) {
    if (images.values.size() != rois.size()) {
        throw BadInput("{}: has {} images, but there are {} regions; give one of each region, in their order",
                       source, images.values.size(), rois.size());
    }
    PartialVolume made(images.lattice, rois);
    Volume all(images.lattice, 0.0F);
    for (const std::vector<float>& values : images.values) {
        addTo(all, values);
    }
    made.addRests(all);
    for (std::size_t of = 0; of < rois.size(); ++of) {
        made.addSeen(of, images.values[of]);
    }
    // A uniform image stays one: what regions leave of it is of the rests, each where it is.
    for (std::size_t of = rois.size(); of < made.size(); ++of) {
        Volume left = imageOf(made.voxels_[of], images.lattice);
        const bool near = of == rois.size();
        for (std::size_t i = 0; near && i < left.data.size(); ++i) {
            left.data[i] = all.data[i] > 0 || left.data[i] > 0 ? 1 - all.data[i] : 0.0F;
        }
        made.addSeen(of, left.data);
    }
    made.solve();
    return made;
}

void PartialVolume::addRests(const Volume& sumOfSeen) {
    Volume inside(lattice_, 0.0F);
    for (const std::vector<WeightedVoxel>& region : voxels_) {
        addTo(inside, imageOf(region, lattice_).data);
    }
    std::vector<WeightedVoxel> near;
    std::vector<WeightedVoxel> far;
    constexpr double kRounding = 1e-6;
    for (std::size_t i = 0; i < inside.data.size(); ++i) {
        const double left = 1 - static_cast<double>(inside.data[i]);
        if (left > kRounding) {
            const bool seen = left < 1 - kRounding || static_cast<double>(sumOfSeen.data[i]) > kNear;
            (seen ? near : far).push_back({i, left});
        }
    }
    for (std::vector<WeightedVoxel>* const rest : {&near, &far}) {
        if (!rest->empty()) {
            names_.push_back(rest == &near ? "what lies beside the regions"
                                           : "what lies far from the regions");
            voxels_.push_back(std::move(*rest));
        }
    }
    seen_.assign(size() * size(), 0.0);
}

void PartialVolume::addSeen(std::size_t of, const std::vector<float>& image) {
    for (std::size_t in = 0; in < size(); ++in) {
        seen_[in * size() + of] = roiStatistics(voxels_[in], lattice_, image.data()).mean;
    }
}

void PartialVolume::solve() {
    const std::size_t n = size();
    std::vector<double> rows = seen_;
    inverse_.assign(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        inverse_[i * n + i] = 1;
    }
    // Gauss and Jordan; the largest share of a region is its own, which makes the best pivot.
    for (std::size_t k = 0; k < n; ++k) {
        const double pivot = rows[k * n + k];
        if (!(std::abs(pivot) > kLeastPivot)) {
            throw BadInput(
                "ROI '{}' is too small beside the width that the image is seen with to be told from its "
                "neighbours; join it with one of them",
                names_[k]);
        }
        for (std::size_t j = 0; j < n; ++j) {
            rows[k * n + j] /= pivot;
            inverse_[k * n + j] /= pivot;
        }
        for (std::size_t i = 0; i < n; ++i) {
            const double times = i == k ? 0.0 : rows[i * n + k];
            for (std::size_t j = 0; times != 0 && j < n; ++j) {
                rows[i * n + j] -= times * rows[k * n + j];
                inverse_[i * n + j] -= times * inverse_[k * n + j];
            }
        }
    }
}

std::vector<RegionCurve> PartialVolume::curves(const DynamicInfo& image, const FrameValues& values,
                                               const std::vector<double>& factors) const {
    if (!(image.lattice == lattice_)) {
        throw BadInput("the image and the images of its regions are not on the same voxels; make them alike");
    }
    const std::size_t n = size();
    std::vector<RegionCurve> curves(rois_);
    for (std::size_t frame = 0; frame < image.frames.size(); ++frame) {
        const std::vector<float>& those = values(frame);
        std::vector<RoiStatistics> seen;
        for (const std::vector<WeightedVoxel>& region : voxels_) {
            seen.push_back(roiStatistics(region, lattice_, those.data()));
        }
        for (std::size_t i = 0; i < rois_; ++i) {
            double mean = 0;
            double variance = 0;
            for (std::size_t j = 0; j < n; ++j) {
                mean += inverse_[i * n + j] * seen[j].mean;
                variance += std::pow(inverse_[i * n + j] * seen[j].sd, 2);
            }
            curves[i].name = names_[i];
            curves[i].means.push_back(factors[frame] * mean);
            curves[i].sds.push_back(factors[frame] * std::sqrt(variance));
            curves[i].volume_mm3 = seen[i].volume_mm3;
        }
    }
    return curves;
}

}  // namespace tof
