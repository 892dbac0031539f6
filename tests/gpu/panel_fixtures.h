// SPDX-License-Identifier: Apache-2.0
// Panels for tests: invented matrices of any geometry, and both projections by definition, in double.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "recon/systems/panel/panel_model.h"
#include "tests/recon/projector_fixtures.h"

namespace tof::fixtures {

inline PanelGeometry panelGeometry(std::array<int, 2> crystals, bool exchanges, int planes = 13) {
    PanelGeometry g;
    g.crystals = crystals;
    g.planes = planes;
    g.separation_mm = 0.5 * planes + 1;
    if (!exchanges) {
        g.pitch_mm[1] = 2.6;
    }
    return g;
}

/// A matrix of tubes of random weights, some voxels wide and with holes, in `parts` parts.
inline PanelModel randomPanel(const PanelGeometry& g, int parts, unsigned seed = 1) {
    PanelMatrix plan = panelMatrixPlan(g, {});
    std::mt19937 random(seed);
    std::vector<PanelEntries> kernels;
    for (const PanelClass& c : plan.kernels) {
        PanelEntries kernel;
        const int sizeY = g.voxelsPerPitch * (c.dy + 1);
        const int sizeZ = g.voxelsPerPitch * (c.dz + 1);
        for (int x = 0; x < g.planes; ++x) {
            const int midY = (sizeY - 4) * x / g.planes;
            const int midZ = (sizeZ - 4) * x / g.planes;
            for (int z = std::max(0, midZ - 4); z < std::min(sizeZ, midZ + 9); ++z) {
                for (int y = std::max(0, midY - 3); y < std::min(sizeY, midY + 10); ++y) {
                    if (random() % 8 != 0) {
                        kernel.places.push_back(PanelPlace::pack(x, y, z));
                        kernel.values.push_back(static_cast<float>(random() % 1000 + 1) * 1e-3F);
                        kernel.sum += static_cast<double>(kernel.values.back());
                    }
                }
            }
        }
        kernels.push_back(std::move(kernel));
    }
    PanelModel model;
    model.lattice = g.lattice();
    model.matrix = std::make_shared<const PanelMatrix>(assembled(std::move(plan), std::move(kernels)));
    auto lists = std::make_shared<PanelParts>();
    lists->classes.resize(static_cast<std::size_t>(parts));
    lists->shares = kPanelShares;
    for (int c = 0; c < g.classes(); ++c) {
        lists->classes[random() % lists->classes.size()].push_back(c);
    }
    for (const std::vector<int>& classes : lists->classes) {
        std::size_t size = 0;
        for (const int c : classes) {
            size += static_cast<std::size_t>(PanelClass::at(g, c).lors(g));
        }
        lists->partSize = std::max(lists->partSize, size);
    }
    model.parts = lists;
    return model;
}

/// The voxel that a place of a kernel is for a line of its class.
inline std::size_t panelVoxel(const PanelModel& model, const PanelClass& c, const PanelKernelRef& ref,
                              const PanelLor& lor, std::uint32_t place) {
    const int d = model.matrix->geometry.voxelsPerPitch;
    int y = PanelPlace::y(place);
    int z = PanelPlace::z(place);
    if (ref.exchanged) {
        std::swap(y, z);
    }
    y = lor.y1 < lor.y0 ? d * (c.dy + 1) - 1 - y : y;
    z = lor.z1 < lor.z0 ? d * (c.dz + 1) - 1 - z : z;
    return model.lattice.index(PanelPlace::x(place), d * std::min(lor.y0, lor.y1) + y,
                               d * std::min(lor.z0, lor.z1) + z);
}

/// Calls visit(datum, voxel, weight) for all that a part is made of.
template <typename Visit>
void eachPanelWeight(const PanelModel& model, int part, const Visit& visit) {
    const PanelMatrix& matrix = *model.matrix;
    const PanelGeometry& g = matrix.geometry;
    std::size_t datum = 0;
    for (const int number : model.parts->classes[static_cast<std::size_t>(part)]) {
        const PanelClass c = PanelClass::at(g, number);
        const PanelKernelRef ref = matrix.ofClass[static_cast<std::size_t>(number)];
        const auto places = matrix.placesOf(ref.kernel);
        const auto values = matrix.valuesOf(ref.kernel);
        for (int i = 0; i < c.lors(g); ++i, ++datum) {
            const PanelLor lor = PanelLor::at(g, c, i);
            for (std::size_t e = 0; e < places.size(); ++e) {
                visit(datum, panelVoxel(model, c, ref, lor, places[e]), static_cast<double>(values[e]));
            }
        }
    }
}

inline std::vector<double> panelForwardByDefinition(const PanelModel& model, int part,
                                                    const std::vector<float>& image) {
    std::vector<double> p(model.parts->partSize);
    eachPanelWeight(model, part, [&](std::size_t datum, std::size_t voxel, double weight) {
        p[datum] += weight * static_cast<double>(image[voxel]);
    });
    return p;
}

inline std::vector<double> panelBackByDefinition(const PanelModel& model, int part,
                                                 const std::vector<float>& data) {
    std::vector<double> image(model.lattice.voxels());
    eachPanelWeight(model, part, [&](std::size_t datum, std::size_t voxel, double weight) {
        image[voxel] += weight * static_cast<double>(data[datum]);
    });
    return image;
}

}  // namespace tof::fixtures
