// SPDX-License-Identifier: Apache-2.0
#include "recon/work/kinetics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <system_error>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "recon/base/options.h"
#include "recon/base/words.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/format_table.h"
#include "recon/kinetics/blood_file.h"
#include "recon/kinetics/kinetic_model.h"
#include "recon/settings/version.h"
#include "recon/work/kinetic_rows.h"

namespace tof {

namespace {

double halfLifeOf(const DynamicInfo& image, const DecayRequest& request) {
    return request.halfLife_min > 0 ? 60 * request.halfLife_min : image.halfLife_s;
}

const Roi& roiNamed(const std::vector<Roi>& rois, const std::string& name, const char* option) {
    const auto found =
        std::find_if(rois.begin(), rois.end(), [&](const Roi& roi) { return roi.name == name; });
    if (found == rois.end()) {
        std::vector<std::string> names;
        std::transform(rois.begin(), rois.end(), std::back_inserter(names),
                       [](const Roi& roi) { return "'" + roi.name + "'"; });
        throw WrongUse("option {} is '{}', which names no ROI; there are: {}", option, name,
                       rois.empty() ? "none, give --rois FILE" : fmt::format("{}", fmt::join(names, ", ")));
    }
    return *found;
}

/// Refuses what does not go with the model, and asks for what it needs.
void requireInputs(const KineticsRequest& request, const KineticModel& model) {
    const bool plasma = !request.input.empty() || !request.inputRoi.empty();
    if (model.input == InputKind::Plasma && !request.reference.empty()) {
        throw WrongUse(
            "model {} takes plasma, not a reference region; give --input or --input-roi in place of "
            "--reference",
            model.name);
    }
    if (model.input == InputKind::Plasma && request.input.empty() == request.inputRoi.empty()) {
        throw WrongUse("model {} needs the tracer in plasma: give either --input FILE or --input-roi NAME",
                       model.name);
    }
    if (model.input == InputKind::Reference && (plasma || request.reference.empty())) {
        throw WrongUse("model {} compares with a reference region: give --reference NAME, and no plasma",
                       model.name);
    }
    if (model.fit == FitKind::LateFrames && request.start_s < 0) {
        throw WrongUse("model {} fits a line to late frames: say from when on with --start, as 20min",
                       model.name);
    }
    if (model.fit == FitKind::AllFrames && request.start_s >= 0) {
        throw WrongUse("model {} fits all frames; leave --start out", model.name);
    }
}

/// What is assumed where frames leave gaps, or begin after time zero; or empty.
std::string gapNote(const std::vector<TimeFrame>& frames) {
    constexpr double kRounded_s = 1e-3;
    std::vector<std::string> gaps;
    double end_s = 0;
    for (const TimeFrame& frame : frames) {
        if (frame.start_s > end_s + kRounded_s) {
            gaps.push_back(fmt::format("{:g} s to {:g} s", end_s, frame.start_s));
        }
        end_s = frame.end_s();
    }
    return gaps.empty() ? ""
                        : fmt::format(
                              "no frame covers {}: curves are taken to rise from 0 at time 0, and to run "
                              "straight over gaps",
                              fmt::join(gaps, ", "));
}

/// The inverse variance of a frame's decay-corrected mean is as its decays: the integral of exp(-l t).
std::vector<double> weightsOf(const std::vector<TimeFrame>& frames, FrameWeights by, double halfLife_s) {
    std::vector<double> weights;
    weights.reserve(frames.size());
    for (const TimeFrame& frame : frames) {
        weights.push_back(by == FrameWeights::Equal      ? 1
                          : by == FrameWeights::Duration ? frame.duration_s
                                                         : frame.duration_s / decayFactor(frame, halfLife_s));
    }
    const double most = *std::max_element(weights.begin(), weights.end());
    for (double& weight : weights) {
        weight /= most;
    }
    return weights;
}

/// The curve of an ROI, of means over frames.
TimeCurve curveOf(const Roi& roi, const DynamicImage& image, const std::vector<double>& factors) {
    return TimeCurve::ofMeans(image.frames, regionCurves(image, {roi}, factors).front().means);
}

/// A curve must reach into the last frame.
void requireReach(const TimeCurve& curve, const std::vector<TimeFrame>& frames, const std::string& source,
                  std::vector<std::string>& notes) {
    const TimeFrame& last = frames.back();
    if (curve.end_s() < last.middle_s()) {
        throw BadInput(
            "{}: ends at {:g} s, before the middle of the last frame ({:g} s to {:g} s); give samples up "
            "to its end, or take later frames away",
            source, curve.end_s(), last.start_s, last.end_s());
    }
    if (curve.end_s() < last.end_s()) {
        notes.push_back(
            fmt::format("{}: ends at {:g} s, {:g} s before the last frame does: its last value is held",
                        source, curve.end_s(), last.end_s() - curve.end_s()));
    }
}

/// The set-up of a request: input, weights and the first frame of a line.
KineticSetUp setUpOf(const DynamicImage& image, const KineticsRequest& request, const KineticModel& model,
                     const std::vector<Roi>& rois, const std::vector<double>& factors,
                     std::vector<std::string>& notes) {
    std::optional<TimeCurve> input;
    std::optional<TimeCurve> blood;
    if (!request.input.empty()) {
        BloodSamples samples = readBloodFile(request.input, image.units);
        notes.insert(notes.end(), samples.notes.begin(), samples.notes.end());
        requireReach(samples.plasma, image.frames, request.input, notes);
        input = std::move(samples.plasma);
        blood = std::move(samples.wholeBlood);
    } else {
        const bool reference = model.input == InputKind::Reference;
        input = curveOf(roiNamed(rois, reference ? request.reference : request.inputRoi,
                                 reference ? "--reference" : "--input-roi"),
                        image, factors);
    }
    const std::string gaps = gapNote(image.frames);
    if (!gaps.empty() && (request.input.empty() || model.name.starts_with("logan"))) {
        notes.push_back(gaps);
    }
    FrameWeights by = request.weights;
    const double halfLife_s = halfLifeOf(image, request);
    if (by == FrameWeights::Decay && halfLife_s <= 0) {
        notes.emplace_back(
            "the half life is not known: frames are weighted by their durations alone (--half-life, "
            "--weights)");
        by = FrameWeights::Duration;
    }
    KineticSetUp setUp{image.frames, *input, blood, weightsOf(image.frames, by, halfLife_s)};
    constexpr double kRounded_s = 1e-3;
    while (setUp.firstFrame < image.frames.size() &&
           image.frames[setUp.firstFrame].start_s < request.start_s - kRounded_s) {
        ++setUp.firstFrame;
    }
    setUp.slowest_perMin = request.slowest_perMin;
    setUp.fastest_perMin = request.fastest_perMin;
    setUp.referenceK2_perMin = request.referenceK2_perMin;
    return setUp;
}

}  // namespace

std::vector<double> decayFactors(const DynamicInfo& image, const DecayRequest& request,
                                 const std::string& source) {
    const DecayCorrection decay = request.corrected == DecayStated::Yes  ? DecayCorrection::Applied
                                  : request.corrected == DecayStated::No ? DecayCorrection::None
                                                                         : image.decay;
    if (decay == DecayCorrection::Unknown) {
        throw BadInput(
            "{}: does not say whether it is decay-corrected; say it with --decay-corrected yes or no",
            source);
    }
    const double reference_s = decay == DecayCorrection::Applied ? image.decayReference_s : 0;
    const double halfLife_s = halfLifeOf(image, request);
    if (halfLife_s <= 0 && (decay == DecayCorrection::None || reference_s != 0)) {
        throw BadInput(
            "{}: does not say its nuclide, whose decay must be corrected to time zero; give --half-life "
            "in minutes",
            source);
    }
    std::vector<double> factors;
    for (const TimeFrame& frame : image.frames) {
        factors.push_back(decay == DecayCorrection::None ? decayFactor(frame, halfLife_s)
                          : reference_s != 0 ? std::exp(std::numbers::ln2 / halfLife_s * reference_s)
                                             : 1);
    }
    return factors;
}

std::vector<double> measuredFactors(const DynamicInfo& image, const std::string& source) {
    std::vector<double> factors(image.frames.size(), 1.0);
    if (image.decay == DecayCorrection::None) {
        return factors;
    }
    if (image.decay == DecayCorrection::Unknown || image.halfLife_s <= 0) {
        throw BadInput(
            "{}: does not say whether it is decay-corrected, or for which nuclide; add it to the file",
            source);
    }
    std::transform(image.frames.begin(), image.frames.end(), factors.begin(), [&](const TimeFrame& frame) {
        return 1 / decayFactor(frame, image.halfLife_s, image.decayReference_s);
    });
    return factors;
}

namespace {

KineticsResult fittedTo(const DynamicImage& image, const std::string& source, const KineticsRequest& request,
                        const std::vector<Roi>& rois, const ThreadPool& pool, WorkProgress& progress) {
    const KineticModel& model = kineticModel(request.model);
    requireInputs(request, model);
    KineticsResult result;
    const std::vector<double> factors = decayFactors(image, request, source);
    const KineticSetUp setUp = setUpOf(image, request, model, rois, factors, result.notes);
    const std::unique_ptr<const KineticFit> fit = model.make(setUp);
    result.made = fitImage(image, factors, model, *fit, request.threshold_percent / 100, pool,
                           progress.begin("fitting " + model.name));
    if (result.made.fitted == 0) {
        throw BadInput("{}: no voxel can be fitted by {}: check units, frames and input", source, model.name);
    }
    result.frames = image.frames;
    result.firstFrame = model.fit == FitKind::LateFrames ? setUp.firstFrame : 0;
    result.inputMeans = setUp.input.means(image.frames);
    result.weights = setUp.weights;
    return result;
}

/// The SD of each image over replicates, by Welford's sums.
std::vector<Volume> sdOverReplicates(const DynamicImage& image, const KineticsRequest& request,
                                     const std::vector<Roi>& rois, const ThreadPool& pool,
                                     WorkProgress& progress) {
    const std::vector<std::string> files = parts(request.replicates, ',');
    if (files.size() < 2) {
        throw WrongUse("option --replicates names {} files; a standard deviation needs at least two",
                       files.size());
    }
    std::vector<std::vector<double>> means;
    std::vector<std::vector<double>> squares;
    std::vector<Volume> sds;
    for (std::size_t n = 0; n < files.size(); ++n) {
        const DynamicImage replicate = recognise(files[n], [&pool] { pool.heed(); }).readDynamicImage().image;
        if (!(replicate.lattice == image.lattice) || replicate.frames != image.frames) {
            throw BadInput(
                "{}: lattice or frames are not those of the image; give replicates of the same scan",
                files[n]);
        }
        const ParametricImages made = fittedTo(replicate, files[n], request, rois, pool, progress).made;
        means.resize(made.images.size(), std::vector<double>(image.lattice.voxels(), 0.0));
        squares.resize(made.images.size(), std::vector<double>(image.lattice.voxels(), 0.0));
        for (std::size_t which = 0; which < made.images.size(); ++which) {
            for (std::size_t i = 0; i < image.lattice.voxels(); ++i) {
                const double value = static_cast<double>(made.images[which].data[i]);
                const double away = value - means[which][i];
                means[which][i] += away / static_cast<double>(n + 1);
                squares[which][i] += away * (value - means[which][i]);
            }
        }
    }
    for (std::size_t which = 0; which < squares.size(); ++which) {
        Volume& sd = sds.emplace_back(image.lattice);
        sd.units = kineticModel(request.model).images[which].units;
        std::transform(squares[which].begin(), squares[which].end(), sd.data.begin(), [&](double sum) {
            return static_cast<float>(std::sqrt(sum / static_cast<double>(files.size() - 1)));
        });
    }
    return sds;
}

}  // namespace

KineticsResult fitKinetics(const DynamicImage& image, const std::string& source,
                           const KineticsRequest& request, const std::vector<Roi>& rois,
                           const ThreadPool& pool, WorkProgress& progress) {
    KineticsResult result = fittedTo(image, source, request, rois, pool, progress);
    for (const std::string& note : result.notes) {
        progress.note(Remark::Data, note);
    }
    if (!request.replicates.empty()) {
        result.sds = sdOverReplicates(image, request, rois, pool, progress);
    }
    return result;
}

std::vector<std::string> writeKinetics(const Destination& to, const std::string& extension,
                                       const KineticsResult& result, const KineticsRequest& request,
                                       const std::string& source) {
    const std::filesystem::path folder = to.path;
    const KineticModel& model = kineticModel(request.model);
    std::error_code fault;
    std::filesystem::create_directories(folder, fault);
    if (fault) {
        throw CannotWrite("{}: cannot be made: {}; name another folder", to.path, fault.message());
    }
    flushFolderOf(to.path);
    nlohmann::ordered_json about{{"program", fmt::format("tofscope {}", kVersion)},
                                 {"image", source},
                                 {"model", model.name},
                                 {"explanation", model.explanation}};
    for (const RequestRow<KineticsRequest>& row : kineticRows()) {
        if (!row.read(request).empty()) {
            about["options"][row.key] = row.read(request);
        }
    }
    about["first_frame"] = result.firstFrame + 1;
    for (std::size_t i = 0; i < result.frames.size(); ++i) {
        about["frames"].push_back({{"start_s", result.frames[i].start_s},
                                   {"duration_s", result.frames[i].duration_s},
                                   {"input", result.inputMeans[i]},
                                   {"weight", result.weights[i]}});
    }
    about["voxels"] = {{"fitted", result.made.fitted},
                       {"below_threshold", result.made.quiet},
                       {"no_fit", result.made.failed}};
    about["notes"] = result.notes;
    std::vector<std::string> files;
    for (std::size_t i = 0; i < model.images.size(); ++i) {
        const ParameterImage& one = model.images[i];
        files.push_back(one.name + extension);
        writeVolume({(folder / files.back()).string(), to.heed}, result.made.images[i]);
        about["images"].push_back({{"file", files.back()}, {"units", one.units}, {"is", one.explanation}});
        if (!result.sds.empty()) {
            const std::string sd = one.name + "_sd" + extension;
            writeVolume({(folder / sd).string(), to.heed}, result.sds[i]);
            about["images"].back()["sd"] = sd;
        }
    }
    writeTextAside((folder / "kinetics.json").string(), jsonText(about, 2) + "\n");
    return files;
}

}  // namespace tof
