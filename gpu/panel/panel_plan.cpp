// SPDX-License-Identifier: Apache-2.0
#include "gpu/panel/panel_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "recon/base/error.h"

namespace tof {

namespace {

using device::PanelOrientation;
using device::PanelRow;

/// An entry of a class with its place as the rows count it.
struct Tap {
    std::uint32_t place = 0;  ///< PanelRow of one weight
    float value = 0;
};

/// The entries of one plane, put into rows.
class RowMaker {
  public:
    RowMaker(std::vector<std::uint32_t>& places, std::vector<PanelWeights>& weights)
        : places_(places), weights_(weights) {}

    void add(std::uint32_t place, float value) { taps_.push_back({place, value}); }
    /// Leaves the rows of what was added since the last call.
    void finish() {
        std::sort(taps_.begin(), taps_.end(), [](const Tap& a, const Tap& b) { return a.place < b.place; });
        for (std::size_t i = 0; i < taps_.size();) {
            const std::uint32_t first = taps_[i].place;
            PanelWeights row{};
            // Within a row only the lowest field, block v, differs: no carry reaches the next one.
            for (; i < taps_.size() && taps_[i].place - first < device::kPanelTaps &&
                   taps_[i].place >> 8U == first >> 8U;
                 ++i) {
                row[taps_[i].place - first] = taps_[i].value;
            }
            places_.push_back(first);
            weights_.push_back(row);
        }
        taps_.clear();
    }

  private:
    std::vector<std::uint32_t>& places_;
    std::vector<PanelWeights>& weights_;
    std::vector<Tap> taps_;
};

/// Rows of one class.
void appendClass(const PanelMatrix& matrix, int which, std::vector<std::uint32_t>& places,
                 std::vector<PanelWeights>& weights) {
    const PanelKernelRef ref = matrix.ofClass[static_cast<std::size_t>(which)];
    const auto from = matrix.placesOf(ref.kernel);
    const auto values = matrix.valuesOf(ref.kernel);
    const int cut = matrix.geometry.voxelsPerPitch;
    const bool exchange = ref.exchanged != (panelSide(PanelClass::at(matrix.geometry, which)) == 1);
    RowMaker maker(places, weights);
    int plane = -1;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const int x = PanelPlace::x(from[i]);
        const int u = exchange ? PanelPlace::z(from[i]) : PanelPlace::y(from[i]);
        const int v = exchange ? PanelPlace::y(from[i]) : PanelPlace::z(from[i]);
        if (x != plane) {
            maker.finish();
            plane = x;
        }
        maker.add(PanelRow{x, u % cut, v % cut, u / cut, v / cut}.packed(), values[i]);
    }
    maker.finish();
}

/// The rows of all classes, class by class.
void makeRows(const PanelModel& model, const ThreadPool& pool, PanelRows& rows) {
    const auto classes = static_cast<std::size_t>(model.matrix->geometry.classes());
    constexpr std::size_t kGrain = 32;
    struct Piece {
        std::vector<std::uint32_t> places;
        std::vector<PanelWeights> weights;
        std::array<std::uint32_t, kGrain> counts{};
    };
    std::vector<Piece> pieces((classes + kGrain - 1) / kGrain);
    pool.forRange(classes, kGrain, [&](std::size_t begin, std::size_t end) {
        Piece& piece = pieces[begin / kGrain];
        for (std::size_t c = begin; c < end; ++c) {
            const std::size_t before = piece.places.size();
            appendClass(*model.matrix, static_cast<int>(c), piece.places, piece.weights);
            piece.counts[c - begin] = static_cast<std::uint32_t>(piece.places.size() - before);
        }
    });
    std::size_t total = 0;
    std::vector<std::size_t> starts;
    rows.firstRowOfClass.reserve(classes + 1);
    for (std::size_t c = 0; c < classes; ++c) {
        if (c % kGrain == 0) {
            starts.push_back(total);
        }
        rows.firstRowOfClass.push_back(static_cast<std::uint32_t>(total));
        total += pieces[c / kGrain].counts[c % kGrain];
    }
    if (total >= UINT32_MAX) {
        throw Unavailable(
            fmt::format("a panel matrix of {} rows is too large for the strategy 'panel'", total));
    }
    rows.firstRowOfClass.push_back(static_cast<std::uint32_t>(total));
    rows.places.resize(total);
    rows.weights.resize(total);
    pool.forRange(pieces.size(), 1, [&](std::size_t i, std::size_t) {
        std::copy(pieces[i].places.begin(), pieces[i].places.end(),
                  rows.places.begin() + static_cast<std::ptrdiff_t>(starts[i]));
        std::copy(pieces[i].weights.begin(), pieces[i].weights.end(),
                  rows.weights.begin() + static_cast<std::ptrdiff_t>(starts[i]));
        pieces[i] = {};
    });
}

/// Lists of rows that back projection of a part reads.
std::size_t listsOfPart(const PanelModel& model) {
    return model.parts->shares * device::kPanelSides *
           static_cast<std::size_t>(panelLayout(model.matrix->geometry, 0).lists());
}

/// The rows of a part's classes, by share, side, x and phase, from place `at` on.
void makePart(const PanelModel& model, std::size_t part, std::size_t at, PanelRows& rows) {
    const device::PanelLayout layout = panelLayout(model.matrix->geometry, 0);
    const std::size_t lists = listsOfPart(model);
    const std::vector<int>& classes = model.parts->classes[part];
    std::vector<std::uint32_t> next(lists + 1, 0);
    const auto eachRow = [&](const auto& visit) {
        for (std::size_t slot = 0; slot < classes.size(); ++slot) {
            const auto c = static_cast<std::size_t>(classes[slot]);
            const std::size_t side =
                slot % model.parts->shares * device::kPanelSides +
                static_cast<std::size_t>(panelSide(PanelClass::at(model.matrix->geometry, classes[slot])));
            for (std::size_t i = rows.firstRowOfClass[c]; i < rows.firstRowOfClass[c + 1]; ++i) {
                const PanelRow row = PanelRow::of(rows.places[i]);
                visit(slot, i, row,
                      side * static_cast<std::size_t>(layout.lists()) +
                          static_cast<std::size_t>(layout.list(row.x, row.phaseU, row.phaseV)));
            }
        }
    };
    eachRow([&](std::size_t, std::size_t, const PanelRow&, std::size_t list) { ++next[list + 1]; });
    next[0] = static_cast<std::uint32_t>(at);
    for (std::size_t l = 0; l < lists; ++l) {
        next[l + 1] += next[l];
        rows.backBegins[part * lists + l] = next[l];
    }
    eachRow([&](std::size_t slot, std::size_t i, const PanelRow& row, std::size_t list) {
        const std::size_t to = next[list]++;
        rows.backPlaces[to] = device::PanelBackRow{static_cast<int>(slot), row.blockU, row.blockV}.packed();
        rows.backWeights[to] = rows.weights[i];
    });
}

void makeParts(const PanelModel& model, const ThreadPool& pool, PanelRows& rows) {
    const std::size_t parts = model.parts->parts();
    std::vector<std::size_t> starts(parts + 1, 0);
    for (std::size_t p = 0; p < parts; ++p) {
        starts[p + 1] = starts[p];
        for (const int c : model.parts->classes[p]) {
            starts[p + 1] += rows.firstRowOfClass[static_cast<std::size_t>(c) + 1] -
                             rows.firstRowOfClass[static_cast<std::size_t>(c)];
        }
    }
    const std::size_t lists = listsOfPart(model);
    rows.backPlaces.resize(starts[parts]);
    rows.backWeights.resize(starts[parts]);
    rows.backBegins.resize(parts * lists + 1);
    rows.backBegins.back() = static_cast<std::uint32_t>(starts[parts]);
    pool.forRange(parts, 1, [&](std::size_t p, std::size_t) { makePart(model, p, starts[p], rows); });
}

}  // namespace

device::PanelLayout panelLayout(const PanelGeometry& geometry, int side) {
    const int most = std::max(geometry.crystals[0], geometry.crystals[1]);
    const device::PanelLayout layout{geometry.planes,
                                     geometry.voxelsPerPitch,
                                     geometry.crystals[0],
                                     geometry.crystals[1],
                                     most <= 32    ? 32
                                     : most <= 128 ? 128
                                                   : 256,
                                     0};
    return layout.of(side);
}

std::optional<std::string> whyNoPanelKernel(const PanelModel& model) {
    const PanelGeometry& g = model.matrix->geometry;
    const device::PanelLayout layout = panelLayout(g, 1);
    const int most = std::max(layout.nu, layout.nv) + 2 * device::kPanelPad;
    const double floats = static_cast<double>(layout.lists()) * most * layout.pitch;
    if (g.planes > PanelRow::kMostPlanes || g.voxelsPerPitch > PanelRow::kMostCut ||
        g.crystals[0] > PanelRow::kMostBlocks || g.crystals[1] > PanelRow::kMostBlocks || floats > 2e9) {
        return "its panel kernels take up to 1024 planes, 8 voxels per crystal and 256 x 256 crystals, and "
               "images "
               "of 2 billion voxels";
    }
    for (const std::vector<int>& classes : model.parts->classes) {
        if (classes.size() > 16383) {
            return "its panel kernels take up to 16383 orientation classes in a subset";
        }
    }
    return std::nullopt;
}

std::vector<PanelOrientation> panelOrientations(const PanelModel& model, std::size_t part,
                                                const std::vector<std::uint32_t>& firstRowOfClass) {
    const PanelMatrix& matrix = *model.matrix;
    const int pitch = panelLayout(matrix.geometry, 0).pitch;
    std::vector<PanelOrientation> all;
    int data = 0;
    int padded = 0;
    for (const int number : model.parts->classes[part]) {
        const PanelClass c = PanelClass::at(matrix.geometry, number);
        const PanelKernelRef ref = matrix.ofClass[static_cast<std::size_t>(number)];
        std::array<PanelOrientation, device::kPanelSigns> signs{};
        for (int s = 0; s < c.signs(); ++s) {
            PanelOrientation o;
            o.swapped = firstRowOfClass.empty() ? 0 : panelSide(c);
            const bool swapped = o.swapped != 0;
            const int shiftsY = c.shiftsY(matrix.geometry);
            const int shiftsZ = c.shiftsZ(matrix.geometry);
            o.du = swapped ? c.dz : c.dy;
            o.dv = swapped ? c.dy : c.dz;
            o.shiftsU = swapped ? shiftsZ : shiftsY;
            o.shiftsV = swapped ? shiftsY : shiftsZ;
            o.negativeU = (swapped ? c.negativeZ(s) : c.negativeY(s)) ? 1 : 0;
            o.negativeV = (swapped ? c.negativeY(s) : c.negativeZ(s)) ? 1 : 0;
            o.data = data;
            o.padded = padded;
            if (!firstRowOfClass.empty()) {
                o.firstRow = firstRowOfClass[static_cast<std::size_t>(number)];
                o.lastRow = firstRowOfClass[static_cast<std::size_t>(number) + 1];
            }
            o.firstEntry = matrix.offsets[static_cast<std::size_t>(ref.kernel)];
            o.entries = static_cast<int>(matrix.placesOf(ref.kernel).size());
            o.exchanged = ref.exchanged ? 1 : 0;
            data += o.shiftsU * o.shiftsV;
            padded += device::panelPaddedSize(o.shiftsV, pitch);
            signs[static_cast<std::size_t>(o.negativeU) + 2 * static_cast<std::size_t>(o.negativeV)] = o;
        }
        all.insert(all.end(), signs.begin(), signs.end());
    }
    return all;
}

PanelRows panelRows(const PanelModel& model, const ThreadPool& pool) {
    PanelRows rows;
    makeRows(model, pool, rows);
    makeParts(model, pool, rows);
    return rows;
}

std::vector<std::uint32_t> panelTasks(const std::vector<PanelOrientation>& orientations) {
    std::vector<std::uint32_t> tasks;
    for (std::size_t i = 0; i < orientations.size(); ++i) {
        const PanelOrientation& o = orientations[i];
        const int threads = o.shiftsU * device::panelGroups(o.shiftsV);
        for (int tile = 0; tile * 32 < threads; ++tile) {
            tasks.push_back(static_cast<std::uint32_t>(i) << 16U | static_cast<std::uint32_t>(tile));
        }
    }
    const auto rows = [&](std::uint32_t task) {
        return orientations[task >> 16U].lastRow - orientations[task >> 16U].firstRow;
    };
    std::stable_sort(tasks.begin(), tasks.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return rows(a) > rows(b); });
    return tasks;
}

}  // namespace tof
