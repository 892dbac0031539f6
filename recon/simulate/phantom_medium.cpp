// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/phantom_medium.h"

#include <algorithm>
#include <limits>

#include "recon/base/box.h"

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

void PhantomMedium::takeSolids(const Phantom& phantom) {
    std::array<double, kMaterials> largest{};
    view_.low = {kInfinity, kInfinity, kInfinity};
    view_.high = {-kInfinity, -kInfinity, -kInfinity};
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
        for (std::size_t axis = 0; axis < 3; ++axis) {
            view_.low[axis] = std::min(view_.low[axis], solid.centre[axis] - solid.half[axis]);
            view_.high[axis] = std::max(view_.high[axis], solid.centre[axis] + solid.half[axis]);
        }
    }
    view_.solids = solids_.data();
    view_.solidCount = static_cast<std::int32_t>(solids_.size());
    makeMajorant(largest);
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
        view_.high[axis] = static_cast<Real>(box.high[axis]);
        view_.perSpacing[axis] = static_cast<Real>(1 / lattice.spacing_mm[axis]);
        view_.voxels[axis] = lattice.size[axis];
    }
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
