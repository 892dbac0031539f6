// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/list_binning.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "ui/desk/request_json.h"

namespace tof::ui {

namespace {

constexpr double kAcross_mm = 576;
constexpr double kAlong_mm = 192;

/// The image, which a command is told otherwise.
const std::vector<RequestRow<ListBinning>>& listImageRows() {
    using namespace row_words;
    using ListRow = RequestRow<ListBinning>;
    static const std::vector<ListRow> rows{
        ListRow::of(&ListBinning::voxel_mm, "voxel", Label{toTranslate("Word", "Voxel")}, Unit{"mm"},
                    Limits{0.5, 32},
                    Help{toTranslate("Word", "Edge of a voxel; the lattice keeps 576 x 576 x 192 mm")},
                    Saved{"voxel_mm"}, Shown::Window),
        ListRow::made(
            [](const ListBinning& binning) {
                return binning.grid ? fmt::format("{}", fmt::join(*binning.grid, "x")) : std::string();
            },
            [](ListBinning& binning, const std::string& text) {
                binning.grid.reset();
                if (!text.empty()) {
                    const std::vector<int> sizes = sizesFromText("Lattice", text, 3, 1, 65535);
                    binning.grid = {sizes[0], sizes[1], sizes[2]};
                }
            },
            "grid", Label{toTranslate("Word", "Lattice")},
            Help{
                toTranslate("Word", "Voxels along x, y and z, as 144x144x48, for a lattice of another size")},
            Empty{toTranslate("Word", "what the size asks for")}, TextRole::Sizes, Shown::Window)};
    return rows;
}

}  // namespace

BinRequest ListBinning::requestFor(const QString& path) const {
    BinRequest request = *this;
    request.input = path.toStdString();
    request.sinograms.corrections = corrections;
    request.sinograms.size = grid;
    if (voxel_mm != ListBinning().voxel_mm) {
        request.sinograms.spacing_mm = {voxel_mm, voxel_mm, voxel_mm};
    }
    const auto voxels = [&](double mm) { return static_cast<int>(std::lround(mm / voxel_mm)); };
    const std::array<int, 3> box{voxels(kAcross_mm), voxels(kAcross_mm), voxels(kAlong_mm)};
    if (form == BinRequest().form || grid || voxel_mm != ListBinning().voxel_mm) {
        request.lattice = Lattice::centred(grid.value_or(box), {voxel_mm, voxel_mm, voxel_mm});
    }
    return request;
}

std::vector<BoundRow> listBinningRows(ListBinning& binning) {
    std::vector<BoundRow> all;
    bindRows(all, binRows(), binning);
    // The image stands where views end, before how events are put into it.
    const auto place =
        std::find_if(all.begin(), all.end(), [](const auto& row) { return row.key == "trilinear"; });
    std::vector<BoundRow> image;
    bindRows(image, listImageRows(), binning);
    all.insert(place, image.begin(), image.end());
    std::erase_if(all, [](const BoundRow& row) { return row.shown == Shown::Command; });
    return all;
}

nlohmann::json binningToJson(const ListBinning& binning) {
    ListBinning copy = binning;
    nlohmann::json saved = rowsToJson(listBinningRows(copy));
    saved["azimuths"] = binning.azimuths;
    saved["tilts"] = binning.tilts;
    saved["voxel_mm"] = binning.voxel_mm;
    saved["partial"] = binning.partial;
    return saved;
}

std::optional<ListBinning> binningFromJson(const nlohmann::json& saved) {
    ListBinning binning;
    binning.azimuths = binning.tilts = 0;
    binning.voxel_mm = 0;
    rowsFromJson(listBinningRows(binning), saved);
    const bool whole = binning.azimuths > 0 && binning.tilts > 0 && binning.voxel_mm > 0;
    return whole ? std::optional(binning) : std::nullopt;
}

}  // namespace tof::ui
