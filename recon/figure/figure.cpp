// SPDX-License-Identifier: Apache-2.0
#include "recon/figure/figure.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/text_file.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/hdf5/run_io.h"

namespace tof {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFolder = "figures";
constexpr std::size_t kLargestTemplate = 1U << 20U;
constexpr std::size_t kMostPictures = 6;

/// Where an image is worth looking at: the middle of what it holds.
double middleOf(const Volume& volume) {
    return objectBox(volume).middle().z;
}

}  // namespace

Drawing drawFigure(const FigureTemplate& figure, const Study& study, const std::string& templatePath,
                   std::function<void()> heed) {
    return composeFigure(figure, readPanels(figure, study, templatePath, std::move(heed)));
}

std::string figurePath(const Study& study, const std::string& name) {
    if (!Study::isRunName(name)) {
        throw WrongUse("'{}': a figure needs a name without folders and control characters", name);
    }
    return (fs::path(study.folder()) / kFolder / (name + ".json")).string();
}

std::string studyOfTemplate(const std::string& path) {
    std::error_code ignored;
    for (fs::path folder = fs::absolute(path, ignored).lexically_normal(); folder.has_relative_path();
         folder = folder.parent_path()) {
        if (folder.extension() == ".tofstudy") {
            return folder.string();
        }
    }
    return {};
}

FigureTemplate readFigure(const std::string& path) {
    return figureFromJson(readTextFile(path, kLargestTemplate), path);
}

void writeFigure(const std::string& path, const FigureTemplate& figure) {
    const fs::path folder = fs::path(path).parent_path();
    if (folder.filename() == kFolder && folder.parent_path().extension() == ".tofstudy") {
        std::error_code fault;
        fs::create_directory(folder, fault);
        if (fault || fs::is_symlink(fs::symlink_status(folder, fault))) {
            throw CannotWrite("{}: is no folder that templates can be kept in; remove what stands there",
                              folder.string());
        }
    }
    writeTextAside(path, figureToJson(figure));
}

FigureTemplate firstFigure(const Study& study, const std::function<void()>& heed) {
    FigureTemplate figure;
    FigurePanel curves;
    curves.kind = FigurePanel::Kind::Curves;
    bool phantom = false;
    double at_mm = 0;
    for (const std::string& run : study.runs()) {
        const RunSummary summary = readRunSummary(study.runFile(run));
        if (summary.savedImages.empty() || curves.images.size() == kMostPictures) {
            continue;
        }
        if (figure.panels.empty()) {
            at_mm = middleOf(readIterate(study.runFile(run), summary.savedImages.back(), heed));
        }
        FigurePanel slice;
        slice.images = {{run}};
        slice.at_mm = at_mm;
        figure.panels.push_back(slice);
        curves.images.push_back({run});
        phantom = phantom || !summary.phantom.empty();
    }
    if (figure.panels.empty()) {
        throw BadInput("{}: has no run with an image yet; reconstruct first", study.folder());
    }
    figure.title = study.name();
    const bool several = figure.panels.size() > 1;
    figure.width_mm = several ? 174 : 85;
    figure.columns = several ? 3 : 1;
    if (phantom || !study.rois.rois.empty()) {
        figure.panels.push_back(curves);
    }
    return figure;
}

void writeDrawing(const std::string& path, const Drawing& drawing) {
    const std::string ending = fs::path(path).extension().string();
    if (ending != ".pdf" && ending != ".svg") {
        throw WrongUse("'{}': a figure is written as .pdf or .svg; give the file such a name", path);
    }
    writeTextAside(path, ending == ".pdf" ? pdfBytes(drawing) : svgText(drawing));
}

}  // namespace tof
