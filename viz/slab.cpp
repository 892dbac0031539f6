// SPDX-License-Identifier: Apache-2.0
#include "viz/slab.h"

#include <vtkNew.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "viz/image_of.h"

namespace tof::viz {

namespace {

/// What VTK makes of layers of voxels; `flat` is one layer as thick as all of them.
void resliceSlab(const Volume& volume, const Turn& turn, int axis, LayerRange layers, int mode,
                 Volume& flat) {
    const std::size_t across = axis == 0 ? 1 : 0;
    const std::size_t down = axis == 2 ? 1 : 2;
    const auto normal = static_cast<std::size_t>(axis);
    Lattice l = flat.lattice;
    l.spacing_mm[normal] /= layers.count();
    const auto image = imageOf(volume);
    if (turn.isNone()) {
        // Counted in voxels all is exact: VTK leaves out a layer that rounding puts outside the volume.
        l.spacing_mm = {1, 1, 1};
        l.origin_mm = Vec3();
        l.origin_mm[normal] = (layers.first + layers.last) / 2.0;
        image->SetSpacing(1, 1, 1);
        image->SetOrigin(0, 0, 0);
    }
    const vtkNew<vtkImageReslice> reslice;
    reslice->SetInputData(image);
    setAxes(*reslice, {turn.axes[across], turn.axes[down], turn.axes[normal]}, turn.toWorld(l.origin_mm));
    reslice->SetOutputExtent(0, l.size[across] - 1, 0, l.size[down] - 1, 0, 0);
    reslice->SetOutputSpacing(l.spacing_mm[across], l.spacing_mm[down], l.spacing_mm[normal]);
    reslice->SetOutputOrigin(0, 0, 0);
    reslice->SetBackgroundLevel(std::numeric_limits<double>::quiet_NaN());
    reslice->SetSlabMode(mode);
    reslice->SetSlabNumberOfSlices(layers.count());
    reslice->SetNumberOfThreads(pictureThreads());
    reslice->Update();
    const auto* values = static_cast<const float*>(reslice->GetOutput()->GetScalarPointer());
    std::copy_n(values, flat.data.size(), flat.data.begin());
}

int modeOf(SlabMode mode) {
    return mode == SlabMode::Mean  ? VTK_IMAGE_SLAB_MEAN
           : mode == SlabMode::Sum ? VTK_IMAGE_SLAB_SUM
                                   : VTK_IMAGE_SLAB_MAX;
}

}  // namespace

LayerRange layersOf(const Lattice& lattice, int axis, double centre_mm, double thickness_mm) {
    const int size = lattice.size[static_cast<std::size_t>(axis)];
    const double step = lattice.spacing_mm[static_cast<std::size_t>(axis)];
    const double index = (centre_mm - coordinate(lattice.origin_mm, axis)) / step;
    const double half = thickness_mm / 2 / step * (1 + 1e-9);
    const int nearest = std::clamp(nearestIndex(lattice, axis, centre_mm), 0, size - 1);
    const double first = std::clamp(std::ceil(index - half), 0.0, static_cast<double>(nearest));
    const double last = std::clamp(std::floor(index + half), static_cast<double>(nearest), size - 1.0);
    return {static_cast<int>(first), static_cast<int>(last)};
}

Lattice latticeAlong(const Lattice& lattice, const Turn& turn) {
    if (turn.isNone()) {
        return lattice;
    }
    const Box box = latticeBox(lattice);
    const Vec3 half = 0.5 * (box.high - box.low);
    const Vec3 middle = turn.toLocal(box.middle());
    const auto& h = lattice.spacing_mm;
    constexpr double kMostAcross = 2048;
    Lattice along;
    along.spacing_mm.fill(std::max(*std::min_element(h.begin(), h.end()), 2 * norm(half) / kMostAcross));
    for (std::size_t i = 0; i < 3; ++i) {
        double reach = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            reach += std::abs(turn.axes[i][k]) * half[k];
        }
        along.size[i] = std::max(1, static_cast<int>(std::ceil(2 * reach / along.spacing_mm[i])));
        along.origin_mm[i] = middle[i] - (along.size[i] - 1) / 2.0 * along.spacing_mm[i];
    }
    return along;
}

std::shared_ptr<const Volume> slabOf(const Volume& volume, const Turn& turn, int axis, LayerRange layers,
                                     SlabMode mode) {
    const auto k = static_cast<std::size_t>(axis);
    Lattice flat = latticeAlong(volume.lattice, turn);
    flat.origin_mm[k] += flat.spacing_mm[k] * (layers.first + layers.last) / 2.0;
    flat.size[k] = 1;
    flat.spacing_mm[k] *= layers.count();
    auto slab = std::make_shared<Volume>(flat);
    slab->units = volume.units;
    resliceSlab(volume, turn, axis, layers, modeOf(mode), *slab);
    if (mode == SlabMode::Strongest) {  // VTK has no such mode, but knows the largest and the smallest
        Volume smallest(flat);
        resliceSlab(volume, turn, axis, layers, VTK_IMAGE_SLAB_MIN, smallest);
        std::transform(slab->data.begin(), slab->data.end(), smallest.data.begin(), slab->data.begin(),
                       [](float most, float least) { return -least > most ? least : most; });
    }
    return slab;
}

}  // namespace tof::viz
