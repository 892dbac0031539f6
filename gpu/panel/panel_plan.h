// SPDX-License-Identifier: Apache-2.0
// The tables that the kernels of `panel` read, made on the host. Plain C++: tested without a device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/panel/panel_work.h"
#include "recon/base/parallel.h"
#include "recon/systems/panel/panel_model.h"

namespace tof {

/// The weights of a row, lowest block first, and zeros to a round size.
using PanelWeights = std::array<float, 4>;
static_assert(device::kPanelTaps <= 4);

/// The layout of a side for a geometry, with a pitch that the kernels are compiled for, the same for both.
[[nodiscard]] device::PanelLayout panelLayout(const PanelGeometry& geometry, int side);
/// The side of a class: its kernel is longer along v than along u.
[[nodiscard]] inline int panelSide(const PanelClass& c) {
    return c.dy >= c.dz ? 1 : 0;
}

/// Why no kernel serves a model; nothing where one does.
[[nodiscard]] std::optional<std::string> whyNoPanelKernel(const PanelModel& model);

/// The orientations of a part: kPanelSigns places for each class, in the order of the part's classes. `rows`
/// may be empty.
[[nodiscard]] std::vector<device::PanelOrientation> panelOrientations(
    const PanelModel& model, std::size_t part, const std::vector<std::uint32_t>& firstRowOfClass);

/// The kernels of all classes as rows, twice: class by class, and for each part by side, x and phase.
struct PanelRows {
    std::vector<std::uint32_t> firstRowOfClass;  ///< classes + 1
    std::vector<std::uint32_t> places;           ///< PanelRow, ascending within a class
    std::vector<PanelWeights> weights;

    std::vector<std::uint32_t>
        backPlaces;  ///< PanelBackRow: [part][share][side][x][phase], by slot and place within
    std::vector<PanelWeights> backWeights;
    std::vector<std::uint32_t> backBegins;  ///< [part][share][side][x][phase], and the end of all

    [[nodiscard]] std::size_t bytes() const {
        return (places.size() + backPlaces.size()) * (sizeof(std::uint32_t) + sizeof(PanelWeights)) +
               (firstRowOfClass.size() + backBegins.size()) * sizeof(std::uint32_t);
    }
};
[[nodiscard]] PanelRows panelRows(const PanelModel& model, const ThreadPool& pool);

/// A piece of a part's lines for one block of forward projection: the orientation's place times 65536, plus
/// which 32 threads of its lines. Those with most rows come first.
[[nodiscard]] std::vector<std::uint32_t> panelTasks(
    const std::vector<device::PanelOrientation>& orientations);

}  // namespace tof
