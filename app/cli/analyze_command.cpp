// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/observer_options.h"
#include "app/cli/roi_files.h"
#include "app/cli/text_table.h"
#include "app/cli/uptake_options.h"
#include "app/cli/volume_options.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/metrics/gaussian_filter.h"
#include "recon/metrics/matched_filter.h"
#include "recon/metrics/sphere_recovery.h"
#include "recon/phantom/phantom.h"
#include "recon/physics/uptake.h"

namespace tof {

namespace {

std::string valueText(double value) {
    return std::isfinite(value) ? fmt::format("{:.5g}", value) : std::string("-");
}

bool truthKnown(const std::vector<Figures>& figures) {
    return !figures.empty() && std::isfinite(figures.front().trueCrc);
}

std::string figuresTable(const std::vector<Figures>& figures) {
    const bool known = truthKnown(figures);
    std::vector<std::vector<std::string>> rows{{"iteration", "CRC", "SD", "noise", "NSR"}};
    if (known) {
        rows.front().insert(rows.front().end(), {"true CRC", "overshoot"});
    }
    for (const Figures& f : figures) {
        rows.push_back({fmt::format("{}", f.iteration), figureText(f.crc), figureText(f.crcSd),
                        figureText(f.noise), figureText(f.nsr)});
        if (known) {
            rows.back().insert(rows.back().end(), {figureText(f.trueCrc), figureText(f.overshoot)});
        }
    }
    return textTable(rows);
}

std::string roiTable(const Figures& figures, bool suv) {
    const std::string prefix = suv ? "SUV" : "";
    std::vector<std::vector<std::string>> rows{
        {"ROI", prefix + "mean", "SD", prefix + (suv ? "min" : "minimum"), prefix + (suv ? "max" : "maximum"),
         prefix + "peak", "sum", "voxels", "ml", "CRC", "recovery", "outside"}};
    const bool known = std::isfinite(figures.trueCrc);
    if (known) {
        rows.front().insert(rows.front().end(), {"true CRC", "overshoot"});
    }
    for (const RoiFigures& roi : figures.rois) {
        const RoiStatistics& s = roi.statistics;
        rows.push_back({roi.name, valueText(s.mean), valueText(s.sd), valueText(s.minimum),
                        valueText(s.maximum), valueText(roi.peak), valueText(s.total),
                        fmt::format("{:.2f}", s.weight), fmt::format("{:.4g}", s.volume_mm3 / 1000),
                        roi.hasCrc ? figureText(roi.crc) : std::string("-"),
                        roi.hasContrastRecovery ? figureText(roi.contrastRecovery) : std::string("-"),
                        figureText(s.outsideFraction)});
        if (known) {
            rows.back().insert(rows.back().end(), {figureText(roi.trueCrc), figureText(roi.overshoot)});
        }
    }
    return textTable(rows);
}

class AnalyzeCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("RUN", file_, "Run file, or any volume");
        arguments.text("rois", rois_,
                       "auto (from the phantom), recovery (hot and cold spheres against eight background "
                       "circles, paper 003), a JSON file or a label map",
                       Need::Required);
        arguments.choice("circle", circle_, {"diameter", "radius"},
                         "Recovery: circles of 80 % of the spheres' diameter, or of their radius");
        arguments.text("phantom", phantom_,
                       "Phantom for auto ROIs and the true ratio, when the file names none");
        arguments.number("ratio", ratio_, 0, 1e6,
                         "True ratio of spheres to background; 0 takes that of the ROIs, else the phantom's");
        arguments.number("filter-mm", filter_mm_, 0, 100,
                         "Figures after a Gaussian post filter, FWHM in mm; 0: as the images are");
        arguments.number("match-noise", noise_percent_, 0, 1000,
                         "Figures after the narrowest such filter that leaves the last image this noise, in "
                         "per cent; 0: none");
        describeVolumeOptions(arguments, volume_);
        describeStatedFactor(arguments, volume_);
        arguments.flag("suv", suv_,
                       "Values as SUV (SUVmean, SUVmax, SUVpeak): of DICOM by what it says, of others with "
                       "--weight and --dose");
        describeSuvBody(arguments, volume_);
        uptakeOptions_.describe(arguments);
        observer_.describe(arguments);
        arguments.flag("csv", csv_, "Print CSV");
    }

    void run(CommandContext& context) override {
        if (csv_ && context.console.json()) {
            throw WrongUse("--csv and --json exclude each other; choose one");
        }
        if (filter_mm_ > 0 && noise_percent_ > 0) {
            throw WrongUse("--filter-mm and --match-noise exclude each other; choose one");
        }
        uptake_ = uptakeOptions_.uptake(volume_.suvBody);
        suv_ = suv_ || uptake_;
        if (observer_.asked()) {
            return tellObserved(context.console);
        }
        const std::vector<Figures> figures =
            fileKind(file_) == FileKind::Run ? ofRun() : ofVolume(context.console);
        if (noise_percent_ > 0) {
            context.console.note(fmt::format("{}: a filter of {:.2f} mm FWHM leaves a noise of {:.4g} %",
                                             file_, filter_mm_, 100 * figures.back().noise));
        }
        if (!truthKnown(figures)) {
            noTruth_ = noTruth_.empty() ? "no ROI of role sphere has a CRC" : noTruth_;
            context.console.note(fmt::format("{}: no true CRC and no overshoot: {}", file_, noTruth_));
        }
        if (context.console.json()) {
            context.console.result(asJson(figures));
        } else if (csv_) {
            std::string text = figuresToCsv(figures);
            text.erase(text.find_last_not_of('\n') + 1);
            context.console.result(text);
        } else {
            context.console.result(figuresTable(figures) + bandsText() + "\n\niteration " +
                                   fmt::format("{}", figures.back().iteration) + "\n" +
                                   roiTable(figures.back(), suv_));
        }
    }

  private:
    [[nodiscard]] std::string asJson(const std::vector<Figures>& figures) const {
        if (truthKnown(figures) && bands_.empty() && note_.empty() && noise_percent_ == 0) {
            return figuresToJson(figures);
        }
        auto form = figuresJson(figures);
        if (!truthKnown(figures)) {
            form["no_truth"] = noTruth_;
        }
        if (noise_percent_ > 0) {
            form["filter_mm"] = filter_mm_;
        }
        if (!note_.empty()) {
            form["note"] = note_;
        }
        if (!bands_.empty()) {
            form["bands"] = tryOrderedJson(bands_);
        }
        return jsonText(form, 2);
    }

    /// Mean and standard deviation of the replicates' figures, by the ROIs that the run was made with.
    [[nodiscard]] std::string bandsText() const {
        const auto form = tryJson(bands_);
        if (!form.is_object() || !form.contains("iterations")) {
            return {};
        }
        const auto cell = [](const nlohmann::json& row, const char* key) {
            const nlohmann::json figure = row.value(key, nlohmann::json());
            const auto number = [&](const char* which) {
                return figure.is_object() && figure.contains(which) && figure[which].is_number()
                           ? figureText(figure[which].get<double>())
                           : std::string("-");
            };
            return number("mean") + " +- " + number("sd");
        };
        std::vector<std::vector<std::string>> rows{{"iteration", "CRC", "noise", "NSR", "overshoot"}};
        for (const auto& row : form["iterations"]) {
            rows.push_back({fmt::format("{}", row.value("iteration", 0)), cell(row, "crc"),
                            cell(row, "noise"), cell(row, "nsr"), cell(row, "overshoot")});
        }
        return fmt::format("\n\n{} replicates, mean +- SD\n", form.value("replicates", 0)) + textTable(rows);
    }

    /// The phantom that the image is of, for what it would measure itself; noTruth_ says why where it is
    /// null.
    [[nodiscard]] std::shared_ptr<const Phantom> truth(const std::string& phantom) {
        if (phantom.empty()) {
            noTruth_ = "the file names no phantom; give --phantom";
            return nullptr;
        }
        try {
            return std::make_shared<const Phantom>(
                Phantom::fromNameOrText(phantom, file_, volumeReader(throwIfInterrupted)));
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& fault) {
            noTruth_ = fault.what();
            return nullptr;
        }
    }

    [[nodiscard]] RoiSet roiSet(const std::string& phantomOfFile) {
        const std::string& phantom = phantom_.empty() ? phantomOfFile : phantom_;
        const bool placed = rois_ == "auto" || rois_ == "recovery";
        RoiSet set;
        if (!placed) {
            set = readRoiSet(rois_);
        } else if (phantom.empty()) {
            throw BadInput(
                "{}: names no phantom, so ROIs cannot be placed by themselves; give --phantom or "
                "--rois FILE",
                file_);
        }
        if (rois_ == "auto") {
            set = autoRois(phantom);
        } else if (rois_ == "recovery") {
            set = recoveryRois(Phantom::fromNameOrText(phantom, "phantom"),
                               circle_ == "radius" ? SphereCircle::OfRadius : SphereCircle::OfDiameter);
        } else if (!phantom.empty() && ratio_ == 0 && set.trueRatio == 0) {
            set.trueRatio = trueRatioOf(phantom);
        }
        if (ratio_ > 0) {
            set.trueRatio = ratio_;
        }
        set.truth = truth(phantom);
        return set;
    }

    /// 0 for a phantom without spheres: then there is no CRC.
    [[nodiscard]] static double trueRatioOf(const std::string& phantom) {
        try {
            return autoRois(phantom).trueRatio;
        } catch (const Error&) {
            return 0;
        }
    }

    void tellObserved(Console& console) {
        const std::vector<ObserverRow> rows = observed();
        if (console.json()) {
            console.result(jsonText(observerJson(rows), 2));
        } else {
            console.result(csv_ ? observerCsv(rows) : observerTable(rows));
        }
    }

    /// Rows of every iteration of which all runs hold the image; images that are no runs have one, 0.
    [[nodiscard]] std::vector<ObserverRow> observed() {
        if (noise_percent_ > 0 || suv_) {
            throw WrongUse(
                "--observer takes images as they are or with --filter-mm; leave out --match-noise "
                "and SUV");
        }
        const std::vector<std::string> present = observer_.present(file_);
        const std::vector<std::string> absent = observer_.absent();
        std::vector<int> iterations = iterationsOf(file_);
        for (const auto* files : {&present, &absent}) {
            for (const std::string& file : *files) {
                const std::vector<int> there = iterationsOf(file);
                std::erase_if(iterations, [&](int iteration) {
                    return std::find(there.begin(), there.end(), iteration) == there.end();
                });
            }
        }
        if (iterations.empty()) {
            throw BadInput("{}: holds the image of no iteration that all other files hold; reconstruct alike",
                           file_);
        }
        const RunSummary first = fileKind(file_) == FileKind::Run ? readRunSummary(file_) : RunSummary();
        std::optional<FigureEvaluator> evaluator;
        std::vector<ObserverRow> rows;
        for (const int iteration : iterations) {
            const ReplicateImages with = imagesOf(present, iteration);
            if (!evaluator) {
                evaluator.emplace(roiSet(first.phantom), with.front()->lattice);
            }
            const std::vector<ObserverRow> now =
                observeReplicates(observer_.request(), iteration, with, imagesOf(absent, iteration),
                                  *evaluator, throwIfInterrupted);
            rows.insert(rows.end(), now.begin(), now.end());
        }
        return rows;
    }

    [[nodiscard]] static std::vector<int> iterationsOf(const std::string& file) {
        return fileKind(file) == FileKind::Run ? readRunSummary(file).savedImages : std::vector<int>{0};
    }

    /// Throws BadInput where they are not on the lattice of the first file.
    [[nodiscard]] ReplicateImages imagesOf(const std::vector<std::string>& files, int iteration) {
        ReplicateImages images;
        for (const std::string& file : files) {
            const Volume image = fileKind(file) == FileKind::Run
                                     ? readIterate(file, iteration, throwIfInterrupted)
                                     : readVolume(file, throwIfInterrupted);
            lattice_ = lattice_.voxels() > 0 ? lattice_ : image.lattice;
            if (!(image.lattice == lattice_)) {
                throw BadInput("{}: is on {}, where {} is on {}; reconstruct alike", file,
                               image.lattice.text(), file_, lattice_.text());
            }
            images.push_back(std::make_shared<const Volume>(gaussianFiltered(image, filter_mm_, pool_)));
        }
        return images;
    }

    [[nodiscard]] std::vector<Figures> ofRun() {
        const RunSummary summary = readRunSummary(file_);
        if (summary.savedImages.empty()) {
            throw BadInput("{}: holds no iterate; reconstruct again", file_);
        }
        bands_ = summary.bandsJson;
        const FigureEvaluator evaluator(roiSet(summary.phantom), summary.lattice, pool_);
        if (noise_percent_ > 0) {
            matchNoise(readIterate(file_, summary.savedImages.back(), throwIfInterrupted), evaluator);
        }
        std::vector<Figures> figures;
        for (const int iteration : summary.savedImages) {
            Volume image = readIterate(file_, iteration, throwIfInterrupted);
            toSuv(image, summary.totals.duration_s);
            image = gaussianFiltered(image, filter_mm_, pool_);
            figures.push_back(evaluator.evaluate(iteration, image.data.data()));
        }
        return figures;
    }

    [[nodiscard]] std::vector<Figures> ofVolume(Console& console) {
        const bool bySelf = suv_ && !uptake_;
        volume_.suv = bySelf;
        VolumeReadResult read = readVolumeSaying(file_, volume_, console);
        note_ = read.note;
        Volume volume = std::move(read.volume);
        if (!bySelf) {
            toSuv(volume, 0);
        }
        const FigureEvaluator evaluator(roiSet(""), volume.lattice, pool_);
        if (noise_percent_ > 0) {
            matchNoise(volume, evaluator);
        }
        volume = gaussianFiltered(volume, filter_mm_, pool_);
        return {evaluator.evaluate(0, volume.data.data())};
    }

    void matchNoise(const Volume& last, const FigureEvaluator& evaluator) {
        filter_mm_ = filterForNoise(last, evaluator, noise_percent_ / 100, pool_);
    }

    void toSuv(Volume& image, double duration_s) const {
        if (!suv_) {
            return;
        }
        if (!uptake_) {
            throw WrongUse("{}: does not say body weight and dose; give --weight and --dose", file_);
        }
        const double suv = suvPerStored(image.units, image.lattice, duration_s, *uptake_);
        if (!(suv > 0)) {
            throw BadInput(
                "{}: its values, in '{}', are no activity per ml, so there is no SUV; say what they are "
                "with --units Bq/ml or kBq/ml",
                file_, image.units);
        }
        for (float& value : image.data) {
            value = static_cast<float>(suv * static_cast<double>(value));
        }
    }

    ThreadPool pool_{0, Priority::Normal, throwIfInterrupted};
    double filter_mm_ = 0;
    double noise_percent_ = 0;
    bool suv_ = false;
    UptakeOptions uptakeOptions_;
    ObserverOptions observer_;
    Lattice lattice_;  ///< what an observer's images are on
    std::optional<Uptake> uptake_;
    VolumeReadOptions volume_;
    std::string note_;  ///< what was assumed or done when the volume was read
    std::string file_;
    std::string rois_;
    std::string circle_ = "diameter";
    std::string phantom_;
    std::string bands_;    ///< the bands of the run's replicates: JSON, or empty
    std::string noTruth_;  ///< why there are no figures of the truth
    double ratio_ = 0;
    bool csv_ = false;
};

}  // namespace

std::unique_ptr<Command> makeAnalyzeCommand() {
    return std::make_unique<AnalyzeCommand>();
}

}  // namespace tof
