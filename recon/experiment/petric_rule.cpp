// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/petric_rule.h"

#include <algorithm>
#include <cmath>

#include "recon/base/error.h"

namespace tof {

namespace {

double meanOver(const Volume& image, const std::vector<std::size_t>& where) {
    double sum = 0;
    for (const std::size_t i : where) {
        sum += static_cast<double>(image.data[i]);
    }
    return sum / static_cast<double>(where.size());
}

}  // namespace

PetricRule::PetricRule(const Volume& reference, const RoiSet& rois) : reference_(reference) {
    for (const Roi& roi : rois.rois) {
        const bool uniform = roi.role == Roi::Role::Uniform;
        if (!uniform && roi.role != Roi::Role::Sphere) {
            continue;
        }
        Voxels voxels;
        for (const WeightedVoxel& voxel : roiVoxels(roi, reference.lattice)) {
            if (voxel.fraction > 0.5) {
                voxels.push_back(voxel.index);
            }
        }
        if (voxels.empty()) {
            continue;
        }
        if (uniform && background_.empty()) {
            background_ = voxels;
        }
        vois_.push_back(std::move(voxels));
    }
    if (background_.empty() || vois_.size() < 2) {
        throw WrongUse("PETRIC's rule needs an ROI of role uniform and one of role sphere inside the image");
    }
    mean_ = meanOver(reference_, background_);
    for (std::size_t i = 0; i < reference_.data.size(); ++i) {
        if (static_cast<double>(reference_.data[i]) > 0.2 * mean_) {
            object_.push_back(i);
        }
    }
}

double PetricRule::rms(const Volume& image, const Voxels& where) const {
    double sum = 0;
    for (const std::size_t i : where) {
        const double off = static_cast<double>(image.data[i]) - static_cast<double>(reference_.data[i]);
        sum += off * off;
    }
    return std::sqrt(sum / static_cast<double>(where.size())) / mean_;
}

PetricDistance PetricRule::distance(const Volume& image) const {
    PetricDistance found{0, rms(image, object_), rms(image, background_)};
    for (const Voxels& voi : vois_) {
        found.voi = std::max(found.voi, std::abs(meanOver(image, voi) - meanOver(reference_, voi)) / mean_);
    }
    return found;
}

int PetricRule::firstOfTen(const std::vector<PetricDistance>& distances) {
    int row = 0;
    for (std::size_t i = 0; i < distances.size(); ++i) {
        row = passes(distances[i]) ? row + 1 : 0;
        if (row == kInARow) {
            return static_cast<int>(i) + 1 - kInARow;
        }
    }
    return -1;
}

}  // namespace tof
