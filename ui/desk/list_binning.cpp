// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/list_binning.h"

#include <QJsonArray>
#include <cmath>

namespace tof::ui {

namespace {

constexpr double kAcross_mm = 576;
constexpr double kAlong_mm = 192;

const char* nameOf(DataForm form) {
    return form == DataForm::Sinograms ? "sinogram" : form == DataForm::Lines ? "lors" : "histo";
}

DataForm formNamed(const QString& name) {
    return name == "sinogram" ? DataForm::Sinograms
           : name == "lors"   ? DataForm::Lines
                              : DataForm::HistoImages;
}

}  // namespace

BinRequest ListBinning::requestFor(const QString& path) const {
    BinRequest request = *this;
    request.input = path.toStdString();
    const auto voxels = [&](double mm) { return static_cast<int>(std::lround(mm / voxel_mm)); };
    const std::array<int, 3> box{voxels(kAcross_mm), voxels(kAcross_mm), voxels(kAlong_mm)};
    if (form == DataForm::HistoImages || grid || voxel_mm != ListBinning().voxel_mm) {
        request.lattice = Lattice::centred(grid.value_or(box), {voxel_mm, voxel_mm, voxel_mm});
    }
    return request;
}

QJsonObject binningToJson(const ListBinning& binning) {
    QJsonObject o{{"azimuths", binning.azimuths},
                  {"tilts", binning.tilts},
                  {"voxel_mm", binning.voxel_mm},
                  {"partial", binning.partial}};
    if (binning.form != DataForm::HistoImages) {
        o["form"] = nameOf(binning.form);
    }
    if (binning.grid) {
        o["grid"] = QJsonArray{(*binning.grid)[0], (*binning.grid)[1], (*binning.grid)[2]};
    }
    for (const auto& [key, text] : {std::pair{"scanner", &binning.scanner},
                                    {"mu", &binning.mu},
                                    {"corrections", &binning.corrections}}) {
        if (!text->empty()) {
            o[key] = QString::fromStdString(*text);
        }
    }
    if (binning.randoms == Randoms::None) {
        o["randoms"] = "none";
    }
    if (binning.times == Times::Reversed) {
        o["reverse_tof"] = true;
    }
    return o;
}

std::optional<ListBinning> binningFromJson(const QJsonValue& saved) {
    const QJsonObject o = saved.toObject();
    ListBinning binning;
    binning.azimuths = o["azimuths"].toInt();
    binning.tilts = o["tilts"].toInt();
    binning.voxel_mm = o["voxel_mm"].toDouble();
    binning.partial = o["partial"].toBool();
    binning.form = formNamed(o["form"].toString());
    if (const QJsonArray grid = o["grid"].toArray(); grid.size() == 3) {
        binning.grid = {grid[0].toInt(), grid[1].toInt(), grid[2].toInt()};
    }
    binning.scanner = o["scanner"].toString().toStdString();
    binning.mu = o["mu"].toString().toStdString();
    binning.corrections = o["corrections"].toString().toStdString();
    binning.randoms = o["randoms"].toString() == "none" ? Randoms::None : Randoms::Estimate;
    binning.times = o["reverse_tof"].toBool() ? Times::Reversed : Times::AsStated;
    const bool whole = binning.azimuths > 0 && binning.tilts > 0 && binning.voxel_mm > 0;
    return whole ? std::optional(binning) : std::nullopt;
}

}  // namespace tof::ui
