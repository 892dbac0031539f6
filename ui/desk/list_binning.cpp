// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/list_binning.h"

#include <cmath>

#include "ui/kit/json.h"

namespace tof::ui {

namespace {

constexpr double kAcross_mm = 576;
constexpr double kAlong_mm = 192;

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

nlohmann::json binningToJson(const ListBinning& binning) {
    nlohmann::json o{{"azimuths", binning.azimuths},
                     {"tilts", binning.tilts},
                     {"voxel_mm", binning.voxel_mm},
                     {"partial", binning.partial}};
    if (binning.form != BinRequest().form) {
        o["form"] = binning.form;
    }
    if (binning.grid) {
        o["grid"] = *binning.grid;
    }
    for (const auto& [key, text] : {std::pair{"scanner", &binning.scanner},
                                    {"mu", &binning.mu},
                                    {"corrections", &binning.corrections}}) {
        if (!text->empty()) {
            o[key] = *text;
        }
    }
    for (const auto& [key, files] : {std::pair{"mult", &binning.sinograms.mult},
                                     {"acf", &binning.sinograms.acf},
                                     {"norm", &binning.sinograms.norm},
                                     {"add", &binning.sinograms.add}}) {
        if (!files->empty()) {
            o[key] = *files;
        }
    }
    if (binning.sinograms.read.multiplicity != Multiplicity::Auto) {
        o["multiplicity"] = binning.sinograms.read.multiplicity == Multiplicity::Yes;
    }
    if (binning.sinograms.read.frame > 0) {
        o["frame"] = binning.sinograms.read.frame;
    }
    if (binning.muUnits != MuUnits::AsStated) {
        o["mu_units"] = muUnitsName(binning.muUnits);
    }
    if (binning.trilinear) {
        o["trilinear"] = true;
    }
    if (binning.endPoints == EndPoints::Centre) {
        o["deposit"] = nameOf(binning.endPoints);
    }
    if (binning.segments > 0) {
        o["segments"] = binning.segments;
    }
    if (binning.randoms == Randoms::None) {
        o["randoms"] = "none";
    }
    if (binning.times == Times::Reversed) {
        o["reverse_tof"] = true;
    }
    return o;
}

std::optional<ListBinning> binningFromJson(const nlohmann::json& o) {
    ListBinning binning;
    binning.azimuths = savedIn(o, "azimuths", 0);
    binning.tilts = savedIn(o, "tilts", 0);
    binning.voxel_mm = savedIn(o, "voxel_mm", 0.0);
    binning.partial = savedIn(o, "partial", false);
    binning.form = savedIn(o, "form", BinRequest().form);
    if (o.contains("grid")) {
        binning.grid = savedIn<std::array<int, 3>>(o, "grid");
    }
    binning.scanner = savedIn<std::string>(o, "scanner");
    binning.mu = savedIn<std::string>(o, "mu");
    binning.corrections = savedIn<std::string>(o, "corrections");
    binning.sinograms.mult = savedIn<std::vector<std::string>>(o, "mult");
    binning.sinograms.acf = savedIn<std::vector<std::string>>(o, "acf");
    binning.sinograms.norm = savedIn<std::vector<std::string>>(o, "norm");
    binning.sinograms.add = savedIn<std::vector<std::string>>(o, "add");
    if (o.contains("multiplicity")) {
        binning.sinograms.read.multiplicity =
            savedIn(o, "multiplicity", false) ? Multiplicity::Yes : Multiplicity::No;
    }
    binning.sinograms.read.frame = savedIn(o, "frame", 0);
    binning.muUnits = muUnitsNamed(savedIn<std::string>(o, "mu_units"));
    binning.trilinear = savedIn(o, "trilinear", false);
    binning.endPoints =
        savedIn<std::string>(o, "deposit") == nameOf(EndPoints::Centre) ? EndPoints::Centre : EndPoints::Face;
    binning.segments = savedIn(o, "segments", 0);
    binning.randoms = savedIn<std::string>(o, "randoms") == "none" ? Randoms::None : Randoms::Estimate;
    binning.times = savedIn(o, "reverse_tof", false) ? Times::Reversed : Times::AsStated;
    const bool whole = binning.azimuths > 0 && binning.tilts > 0 && binning.voxel_mm > 0;
    return whole ? std::optional(binning) : std::nullopt;
}

}  // namespace tof::ui
