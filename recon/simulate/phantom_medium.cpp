// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/phantom_medium.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "recon/base/box.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

MediumSolid solidOf(const PhantomShape& shape) {
    MediumSolid solid;
    solid.kind = shape.kind == PhantomShape::Kind::Sphere     ? MediumSolid::Kind::Sphere
                 : shape.kind == PhantomShape::Kind::Cylinder ? MediumSolid::Kind::Cylinder
                                                              : MediumSolid::Kind::Box;
    const Material material = shape.material.value_or(bodyMaterial(shape.mu_per_mm));
    solid.material = static_cast<std::int32_t>(material);
    solid.centre = shape.centre;
    solid.radius2 = static_cast<Real>(shape.radius_mm * shape.radius_mm);
    solid.half = shape.halfExtent();
    solid.scale = static_cast<Real>(shape.mu_per_mm / attenuationAt511(material));
    return solid;
}

/// How far a cylinder, a sphere or a box reaches from its axis, and from its centre.
Real acrossOf(const MediumSolid& solid) {
    return solid.kind == MediumSolid::Kind::Box ? std::hypot(solid.half.x, solid.half.y) : solid.half.x;
}
Real aroundOf(const MediumSolid& solid) {
    return solid.kind == MediumSolid::Kind::Sphere ? solid.half.x : std::hypot(acrossOf(solid), solid.half.z);
}

/// Whether `inner` lies within `outer` for certain.
bool liesWithin(const MediumSolid& inner, const MediumSolid& outer) {
    const Real3 d = inner.centre - outer.centre;
    switch (outer.kind) {
        case MediumSolid::Kind::Sphere: return std::sqrt(dot(d, d)) + aroundOf(inner) <= outer.half.x;
        case MediumSolid::Kind::Cylinder:
            return std::hypot(d.x, d.y) + acrossOf(inner) <= outer.half.x &&
                   std::fabs(d.z) + inner.half.z <= outer.half.z;
        case MediumSolid::Kind::Box:
            return std::fabs(d.x) + inner.half.x <= outer.half.x &&
                   std::fabs(d.y) + inner.half.y <= outer.half.y &&
                   std::fabs(d.z) + inner.half.z <= outer.half.z;
    }
    return false;
}

bool apart(const MediumSolid& a, const MediumSolid& b) {
    const Real3 d = a.centre - b.centre;
    return std::fabs(d.x) > a.half.x + b.half.x || std::fabs(d.y) > a.half.y + b.half.y ||
           std::fabs(d.z) > a.half.z + b.half.z;
}

bool alike(const MediumSolid& a, const MediumSolid& b) {
    return a.material == b.material && a.scale == b.scale;
}

/// Whether points of solid `i` find the same stuff without it: solids that are asked after it, until one
/// that holds all of it, are like it or lie elsewhere.
bool isSpare(const std::vector<MediumSolid>& solids, std::size_t i) {
    for (std::size_t k = i + 1; k < solids.size(); ++k) {
        if (!alike(solids[k], solids[i])) {
            if (!apart(solids[k], solids[i])) {
                return false;
            }
        } else if (liesWithin(solids[i], solids[k])) {
            return true;
        }
    }
    return false;
}

}  // namespace

PhantomMedium::PhantomMedium(const Phantom& phantom) {
    for (std::size_t m = 0; m < kMaterials; ++m) {
        tables_.push_back(crossSections(static_cast<Material>(m)));
        view_.per511[m] = static_cast<Real>(1 / attenuationAt511(static_cast<Material>(m)));
    }
    view_.tables = tables_.data();
    if (phantom.attenuation) {
        takeVoxels(*phantom.attenuation);
    } else {
        takeSolids(phantom);
    }
}

PhantomMedium::PhantomMedium(const Phantom& phantom, const std::vector<MediumTube>& tubes)
    : PhantomMedium(phantom) {
    if (tubes.size() > view_.tubes.size()) {
        throw InternalError("{} tubes around a phantom; there is room for {}", tubes.size(),
                            view_.tubes.size());
    }
    std::copy(tubes.begin(), tubes.end(), view_.tubes.begin());
    view_.tubeCount = static_cast<std::int32_t>(tubes.size());
}

void PhantomMedium::takeSolids(const Phantom& phantom) {
    std::array<double, kMaterials> largest{};
    for (auto shape = phantom.shapes.rbegin(); shape != phantom.shapes.rend(); ++shape) {
        if (shape->kind == PhantomShape::Kind::Point) {
            continue;
        }
        solids_.push_back(solidOf(*shape));
        const MediumSolid& solid = solids_.back();
        if (!(solid.scale > 0)) {
            continue;
        }
        double& scale = largest[static_cast<std::size_t>(solid.material)];
        scale = std::max(scale, static_cast<double>(solid.scale));
    }
    dropSolidsWithinTheirLike();
    findHull();
    view_.solids = solids_.data();
    view_.solidCount = static_cast<std::int32_t>(solids_.size());
    makeMajorant(largest);
}

void PhantomMedium::dropSolidsWithinTheirLike() {
    for (std::size_t i = solids_.size(); i-- > 0;) {
        if (isSpare(solids_, i)) {
            solids_.erase(solids_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
}

void PhantomMedium::findHull() {
    Real3 low{kInfinity, kInfinity, kInfinity};
    Real3 high{-kInfinity, -kInfinity, -kInfinity};
    const auto attenuates = [](const MediumSolid& solid) { return solid.scale > 0; };
    for (const MediumSolid& solid : solids_) {
        for (std::size_t axis = 0; axis < 3 && attenuates(solid); ++axis) {
            low[axis] = std::min(low[axis], solid.centre[axis] - solid.half[axis]);
            high[axis] = std::max(high[axis], solid.centre[axis] + solid.half[axis]);
        }
    }
    view_.hull.kind = MediumSolid::Kind::Box;
    view_.hull.half = {-1, -1, -1};  // nothing
    if (low.x <= high.x) {
        view_.hull.centre = Real{0.5} * (low + high);
        view_.hull.half = Real{0.5} * (high - low);
    }
    for (const MediumSolid& outer : solids_) {
        const auto holds = [&](const MediumSolid& solid) {
            return &solid == &outer || !attenuates(solid) || liesWithin(solid, outer);
        };
        if (attenuates(outer) && std::all_of(solids_.begin(), solids_.end(), holds)) {
            view_.hull = outer;
            view_.uniform = solids_.size() == 1;
            return;
        }
    }
}

void PhantomMedium::takeVoxels(const Volume& attenuation) {
    std::array<double, kMaterials> largest{};
    for (const float mu : attenuation.data) {
        if (mu > 0.0F) {
            const auto m = static_cast<std::size_t>(bodyMaterial(static_cast<double>(mu)));
            largest[m] = std::max(largest[m], static_cast<double>(mu * view_.per511[m]));
        }
    }
    const Lattice& lattice = attenuation.lattice;
    const Box box = latticeBox(lattice);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        view_.low[axis] = static_cast<Real>(box.low[axis]);
        view_.perSpacing[axis] = static_cast<Real>(1 / lattice.spacing_mm[axis]);
        view_.voxels[axis] = lattice.size[axis];
    }
    view_.hull.kind = MediumSolid::Kind::Box;
    view_.hull.centre = 0.5 * (box.low + box.high);
    view_.hull.half = 0.5 * (box.high - box.low);
    view_.voxelMu = attenuation.data.data();
    makeMajorant(largest);
}

void PhantomMedium::makeMajorant(const std::array<double, kMaterials>& largestScale) {
    majorant_.assign(CrossSections::kSize, 0.0F);
    for (std::size_t m = 0; m < kMaterials; ++m) {
        for (std::size_t keV = 0; keV < CrossSections::kSize; ++keV) {
            // A little above: the scale is not a float.
            const double total =
                1.000001 * largestScale[m] * static_cast<double>(tables_[m].total_perMm[keV]);
            majorant_[keV] = std::max(majorant_[keV], static_cast<float>(total));
        }
    }
    view_.majorant = majorant_.data();
}

}  // namespace tof
