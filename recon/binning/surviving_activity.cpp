// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/surviving_activity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/base/error.h"

namespace tof {

namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kMostSurvival = 50;  ///< exponents beyond are nothing

Box nothing() {
    return {{kForever, kForever, kForever}, {-kForever, -kForever, -kForever}};
}

void grow(Box& box, const PhantomShape& shape) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        box.low[axis] = std::min(box.low[axis], shape.centre[axis] - shape.halfExtent()[axis]);
        box.high[axis] = std::max(box.high[axis], shape.centre[axis] + shape.halfExtent()[axis]);
    }
}

bool same(const PhantomShape& a, const PhantomShape& b) {
    return a.kind == b.kind && a.centre == b.centre && a.radius_mm == b.radius_mm && a.size_mm == b.size_mm &&
           a.activity == b.activity && a.mu_per_mm == b.mu_per_mm;
}

/// Solids of a phantom that another does not have.
std::vector<PhantomShape> addedTo(const Phantom& less, const Phantom& phantom) {
    std::vector<PhantomShape> added;
    std::copy_if(phantom.shapes.begin(), phantom.shapes.end(), std::back_inserter(added),
                 [&](const PhantomShape& shape) {
                     return std::none_of(less.shapes.begin(), less.shapes.end(),
                                         [&](const PhantomShape& other) { return same(shape, other); });
                 });
    return added;
}

float activityAt(const std::vector<SurvivingPiece>& pieces, double t) {
    const auto at = std::find_if(pieces.begin(), pieces.end(), [t](const SurvivingPiece& piece) {
        return piece.begin <= t && t <= piece.end;
    });
    return at == pieces.end() ? 0.0F : at->activity;
}

std::vector<SurvivingPiece> difference(const std::vector<SurvivingPiece>& of,
                                       const std::vector<SurvivingPiece>& less) {
    std::vector<double> cuts;
    for (const auto* const pieces : {&of, &less}) {
        for (const SurvivingPiece& piece : *pieces) {
            cuts.insert(cuts.end(), {piece.begin, piece.end});
        }
    }
    std::sort(cuts.begin(), cuts.end());
    std::vector<SurvivingPiece> found;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
        const double middle = 0.5 * (cuts[i - 1] + cuts[i]);
        const float more = activityAt(of, middle) - activityAt(less, middle);
        if (cuts[i] > cuts[i - 1] && more != 0) {
            found.push_back({cuts[i - 1], cuts[i], more});
        }
    }
    return found;
}

}  // namespace

Phantom activityAsAttenuation(const Phantom& phantom) {
    Phantom copy = phantom;
    for (PhantomShape& shape : copy.shapes) {
        shape.mu_per_mm = shape.activity;
    }
    copy.attenuation = phantom.emission;
    return copy;
}

Box emittingBox(const Phantom& phantom) {
    if (phantom.emission) {
        return latticeBox(phantom.emission->lattice);
    }
    Box box = nothing();
    for (const PhantomShape& shape : phantom.shapes) {
        if (shape.activity > 0) {
            grow(box, shape);
        }
    }
    if (!(box.low.x <= box.high.x)) {
        throw WrongUse("phantom '{}' emits nothing", phantom.name);
    }
    return box;
}

SurvivingActivity::SurvivingActivity(const Phantom& phantom)
    : whole_(phantom), across_(emittingBox(phantom)), along_(across_) {
    for (const PhantomShape& shape : phantom.shapes) {
        if (shape.kind == PhantomShape::Kind::Point && shape.activity > 0 && !phantom.emission) {
            points_.push_back({shape.centre, shape.activity});
        }
    }
}

SurvivingActivity::SurvivingActivity(const Phantom& phantom, const Phantom& less)
    : SurvivingActivity(phantom) {
    less_.emplace(less);
    across_ = nothing();
    added_.shapes = addedTo(less, phantom);
    for (PhantomShape& shape : added_.shapes) {
        grow(across_, shape);
        shape.mu_per_mm = 1;
    }
    adds_.emplace(added_);
    const auto left = whole_.attenuation.onlyCylinder();
    const auto before = less_->attenuation.onlyCylinder();
    if (left && before && same(*left, *before)) {
        along_ = across_;  // solids that emit, and attenuate as what they lie in
    }
}

double SurvivingActivity::Object::survivalOf(Vec3 p, Vec3 d) const {
    return std::exp(-attenuation.along(p, d, kMostSurvival));
}

std::vector<SurvivingPiece> SurvivingActivity::Object::pieces(Vec3 p, Vec3 d) const {
    const std::vector<AttenuationPiece> all = activity.pieces(p, d);
    std::vector<SurvivingPiece> found;
    if (all.empty()) {
        return found;
    }
    const auto left = static_cast<float>(survivalOf(p, d));
    for (const AttenuationPiece& piece : all) {
        found.push_back({piece.begin, piece.end, left * static_cast<float>(piece.mu_per_mm)});
    }
    return found;
}

std::vector<SurvivingPiece> SurvivingActivity::pieces(Vec3 p, Vec3 d) const {
    if (!less_) {
        return whole_.pieces(p, d);
    }
    if (!(adds_->along(p, d, kForever) > 0)) {
        return {};
    }
    return difference(whole_.pieces(p, d), less_->pieces(p, d));
}

}  // namespace tof
