// SPDX-License-Identifier: Apache-2.0
#include "recon/figure/shown_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "recon/base/error.h"
#include "recon/figure/curve_measure.h"
#include "recon/io/bytes/named_file.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/metrics/gaussian_filter.h"
#include "recon/metrics/profile.h"
#include "recon/phantom/phantom.h"

namespace tof {

namespace {

using VolumePtr = std::shared_ptr<const Volume>;

bool needsTruth(const std::string& measure) {
    return measure == "true-crc" || measure == "overshoot";
}

class PanelReader {
  public:
    PanelReader(const FigureTemplate& figure, const Study& study, const std::string& path,
                std::function<void()> heed)
        : figure_(figure), study_(study), path_(path), heed_(std::move(heed)) {}

    ShownPanel read(const FigurePanel& panel) {
        ShownPanel data;
        data.title = panel.title;
        switch (panel.kind) {
            case FigurePanel::Kind::Slice: readSlice(panel, data); break;
            case FigurePanel::Kind::Profile: readProfile(panel, data); break;
            case FigurePanel::Kind::Curves: readCurves(panel, data); break;
        }
        return data;
    }

  private:
    void readSlice(const FigurePanel& panel, ShownPanel& data) {
        VolumePtr shown = image(panel.images.front());
        if (data.title.empty()) {
            data.title = nameOf(panel.images.front());
        }
        data.object = objectBox(*shown);
        data.units = shown->units;
        if (panel.minus) {
            const VolumePtr other = image(*panel.minus);
            data.title = panel.title.empty() ? data.title + " \u2212 " + nameOf(*panel.minus) : panel.title;
            shown = std::make_shared<const Volume>(differenceOf(*shown, *other));
            const DisplayRange found = robustRange(*shown);
            const double most = std::max(std::abs(found.low), std::abs(found.high));
            data.range = {-most, most};
        } else {
            data.range = robustRange(*shown);
        }
        data.cut = cutOf(*shown, panel.plane, panel.at_mm, figure_.sides);
    }

    void readProfile(const FigurePanel& panel, ShownPanel& data) {
        data.chart.xTitle = panel.xTitle.empty() ? "Distance, mm" : panel.xTitle;
        for (const FigureImage& each : panel.images) {
            const VolumePtr volume = image(each);
            const std::string units = volume->units.empty() ? "Value" : volume->units;
            data.chart.yTitle = data.chart.yTitle.empty() ? units : data.chart.yTitle;
            Profile profile = profileBetween(*volume, panel.from_mm, panel.to_mm);
            data.chart.lines.push_back(
                {nameOf(each), std::move(profile.position_mm), std::move(profile.value)});
        }
        data.chart.yTitle = panel.yTitle.empty() ? data.chart.yTitle : panel.yTitle;
    }

    void readCurves(const FigurePanel& panel, ShownPanel& data) {
        const CurveMeasure& x = *findCurveMeasure(panel.x);
        const CurveMeasure& y = *findCurveMeasure(panel.y);
        data.chart.xTitle = panel.xTitle.empty() ? x.title : panel.xTitle;
        data.chart.yTitle = panel.yTitle.empty() ? y.title : panel.yTitle;
        data.hasPoints = true;
        const bool truth = needsTruth(panel.x) || needsTruth(panel.y);
        for (const FigureImage& each : panel.images) {
            ChartLine line{nameOf(each)};
            for (const Figures& figures : figuresOf(each, truth)) {
                line.add(x.of(figures), y.of(figures));
            }
            const bool any =
                std::any_of(line.y.begin(), line.y.end(), [](double v) { return std::isfinite(v); });
            if (!any) {
                throw BadInput("run {}: has no '{}' by the study's ROIs; place ROIs of that role", each.run,
                               panel.y);
            }
            data.chart.lines.push_back(std::move(line));
        }
    }

    /// The figures of every iterate whose image is kept, by the study's ROIs, or those of its phantom.
    [[nodiscard]] std::vector<Figures> figuresOf(const FigureImage& wanted, bool truth) {
        study_.requireRun(wanted.run);
        const std::string file = study_.runFile(wanted.run);
        const RunSummary summary = readRunSummary(file);
        RoiSet rois = study_.rois;
        if (rois.rois.empty()) {
            if (summary.phantom.empty()) {
                throw BadInput("run {}: the study has no ROIs, and its data name no phantom; draw ROIs",
                               wanted.run);
            }
            rois = autoRois(summary.phantom);
        }
        if (!truth) {
            rois.truth = nullptr;  // sampling it takes seconds
        } else if (rois.truth == nullptr && !summary.phantom.empty()) {
            rois.truth = std::make_shared<const Phantom>(
                Phantom::fromNameOrText(summary.phantom, file, volumeReader(heed_)));
        }
        const FigureEvaluator evaluator(std::move(rois), summary.lattice);
        std::vector<Figures> figures;
        for (const int iteration : summary.savedImages) {
            const Volume volume = gaussianFiltered(readIterate(file, iteration, heed_), wanted.filter_mm);
            figures.push_back(evaluator.evaluate(iteration, volume.data.data()));
        }
        if (figures.empty()) {
            throw BadInput("run {}: holds no iterate; reconstruct again", wanted.run);
        }
        return figures;
    }

    [[nodiscard]] std::string nameOf(const FigureImage& wanted) const {
        if (!wanted.name.empty()) {
            return wanted.name;
        }
        if (wanted.run.empty()) {
            return std::filesystem::path(wanted.file).stem().string();
        }
        const std::string given = study_.givenName(wanted.run);
        return given.empty() ? "Run " + wanted.run : given;
    }

    /// The last one is kept: neighbours often show slices of the same image.
    [[nodiscard]] VolumePtr image(const FigureImage& wanted) {
        FigureImage nameless = wanted;
        nameless.name.clear();
        if (!last_ || !(*last_ == nameless)) {
            volume_.reset();
            volume_ = std::make_shared<const Volume>(gaussianFiltered(stored(wanted), wanted.filter_mm));
            last_ = nameless;
        }
        return volume_;
    }

    [[nodiscard]] Volume stored(const FigureImage& wanted) const {
        if (wanted.run.empty()) {
            return readVolume(namedBeside(path_, wanted.file), heed_);
        }
        study_.requireRun(wanted.run);
        const std::string file = study_.runFile(wanted.run);
        const RunSummary summary = readRunSummary(file);
        if (summary.savedImages.empty()) {
            throw BadInput("{}: holds no iterate; reconstruct again", file);
        }
        const int iteration = wanted.iteration > 0 ? wanted.iteration : summary.savedImages.back();
        if (std::find(summary.savedImages.begin(), summary.savedImages.end(), iteration) ==
            summary.savedImages.end()) {
            throw BadInput("{}: keeps no image of iteration {}; the last one kept is {}", file, iteration,
                           summary.savedImages.back());
        }
        return readIterate(file, iteration, heed_);
    }

    const FigureTemplate& figure_;
    const Study& study_;
    std::string path_;
    std::function<void()> heed_;
    std::optional<FigureImage> last_;
    VolumePtr volume_;
};

}  // namespace

SliceCut cutOf(const Volume& volume, Plane plane, double at_mm, FigureTemplate::Sides sides) {
    const Lattice& lattice = volume.lattice;
    const PlaneFrame frame = planeFrame(plane);
    const std::size_t normal = frame.normal;
    Vec3 through = lattice.origin_mm;
    through[normal] = at_mm;
    VoxelIndex at = lattice.voxelAt(through);
    if (at[normal] < 0 || at[normal] >= lattice.size[normal]) {
        throw WrongUse("the slice at {:g} mm lies outside the image, which is {}; choose one within it",
                       at_mm, lattice.text());
    }
    SliceCut cut;
    cut.across = lattice.size[frame.first];
    cut.down = lattice.size[frame.second];
    cut.acrossAxis = static_cast<int>(frame.first);
    cut.downAxis = static_cast<int>(frame.second);
    const bool mirrored = plane != Plane::Sagittal && sides == FigureTemplate::Sides::Neurological;
    const bool upwards = plane != Plane::Transverse;  // z grows upwards in pictures
    const auto place = [&](std::size_t axis, bool reversed, double& edge, double& step) {
        step = reversed ? -lattice.spacing_mm[axis] : lattice.spacing_mm[axis];
        edge = lattice.origin_mm[axis] + (reversed ? lattice.size[axis] - 1 : 0) * lattice.spacing_mm[axis] -
               step / 2;
    };
    place(frame.first, mirrored, cut.left_mm, cut.stepAcross_mm);
    place(frame.second, upwards, cut.top_mm, cut.stepDown_mm);
    cut.values.reserve(static_cast<std::size_t>(cut.across) * static_cast<std::size_t>(cut.down));
    for (int row = 0; row < cut.down; ++row) {
        at[frame.second] = upwards ? cut.down - 1 - row : row;
        for (int column = 0; column < cut.across; ++column) {
            at[frame.first] = mirrored ? cut.across - 1 - column : column;
            cut.values.push_back(volume.at(at));
        }
    }
    return cut;
}

SliceCut SliceCut::within(const Box& box) const {
    const auto inside = [&](int count, double edge, double step, int axis) {
        const auto along = static_cast<std::size_t>(axis);
        int first = count;
        int last = -1;
        for (int i = 0; i < count; ++i) {
            const double centre = edge + (i + 0.5) * step;
            if (centre >= box.low[along] && centre <= box.high[along]) {
                first = std::min(first, i);
                last = i;
            }
        }
        return first <= last ? std::array{first, last} : std::array{0, count - 1};
    };
    const auto columns = inside(across, left_mm, stepAcross_mm, acrossAxis);
    const auto rows = inside(down, top_mm, stepDown_mm, downAxis);
    SliceCut part = *this;
    part.across = columns[1] - columns[0] + 1;
    part.down = rows[1] - rows[0] + 1;
    part.left_mm += columns[0] * stepAcross_mm;
    part.top_mm += rows[0] * stepDown_mm;
    part.values.clear();
    for (int row = rows[0]; row <= rows[1]; ++row) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row) * across + columns[0];
        part.values.insert(part.values.end(), begin, begin + part.across);
    }
    return part;
}

std::vector<ShownPanel> readPanels(const FigureTemplate& figure, const Study& study,
                                   const std::string& templatePath, std::function<void()> heed) {
    PanelReader reader(figure, study, templatePath, std::move(heed));
    std::vector<ShownPanel> all;
    for (const FigurePanel& panel : figure.panels) {
        try {
            all.push_back(reader.read(panel));
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& fault) {
            throw Error(fault.kind(),
                        fmt::format("{}, panel {}: {}", templatePath, all.size() + 1, fault.what()));
        }
    }
    return all;
}

}  // namespace tof
