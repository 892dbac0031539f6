// SPDX-License-Identifier: Apache-2.0
#include "recon/work/direct_patlak.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/base/parallel.h"
#include "recon/data/framed_counts.h"
#include "recon/kinetics/blood_file.h"
#include "recon/kinetics/kinetic_model.h"
#include "recon/work/frame_places.h"
#include "recon/work/kinetics.h"

namespace tof {

namespace {

constexpr double kMinute_s = 60;
constexpr std::size_t kFewest = 3;  ///< through two points every line goes

/// The parameters of a voxel by the images of its frames.
void updateVoxel(const PatlakFrames& line, const std::vector<std::vector<float>>& images, std::size_t voxel,
                 int updates, const std::array<double, 2>& all, std::array<double, 2>& values) {
    for (int n = 0; n < updates; ++n) {
        std::array<double, 2> ratio{};
        for (std::size_t m = 0; m < images.size(); ++m) {
            const std::array<double, 2>& b = line.basis[m];
            const double model = b[0] * values[0] + b[1] * values[1];
            const double share = model > 0 ? static_cast<double>(images[m][voxel]) / model : 0.0;
            ratio[0] += b[0] * share;
            ratio[1] += b[1] * share;
        }
        values[0] *= ratio[0] / all[0];
        values[1] *= ratio[1] / all[1];
    }
}

std::vector<float> imageOf(const std::array<double, 2>& b, const PatlakImages& at) {
    std::vector<float> image(at.ki.data.size());
    for (std::size_t i = 0; i < image.size(); ++i) {
        image[i] = static_cast<float>(b[0] * static_cast<double>(at.ki.data[i]) +
                                      b[1] * static_cast<double>(at.vb.data[i]));
    }
    return image;
}

}  // namespace

void requireEm(const char* option, const AlgorithmSettings& algorithm) {
    const std::string name = algorithm.algorithm->name;
    if (name != "mlem" && name != "osem") {
        throw WrongUse("{} updates images by EM; choose --algorithm osem or mlem, not {}", option, name);
    }
}

PatlakFrames patlakFrames(const FramedCounts& frames, const TimeCurve& plasma, double start_s,
                          double voxel_mm3) {
    if (frames.nuclide.empty()) {
        throw WrongUse(
            "--direct compares tissue with plasma in Bq/ml, and the data do not say what decays; bin the "
            "list "
            "with --nuclide");
    }
    if (frames.gates > 0) {
        throw WrongUse("--direct makes parameters of frames, not of gates; bin the list without --gates");
    }
    PatlakFrames line;
    std::vector<TimeFrame> times;
    constexpr double kSlack_s = 1e-3;
    for (std::size_t i = 0; i < frames.frames.size(); ++i) {
        if (frames.frames[i].time.start_s >= start_s - kSlack_s) {
            line.frames.push_back(i);
            times.push_back(frames.frames[i].time);
        }
    }
    if (times.size() < kFewest) {
        throw WrongUse(
            "{} frames begin at --direct-start ({:g} s) or later; at least {} are needed: give an earlier "
            "one",
            times.size(), start_s, kFewest);
    }
    const std::vector<double> integral = plasma.convolvedMeans(times, 0);
    line.inputMeans = plasma.means(times);
    for (std::size_t m = 0; m < times.size(); ++m) {
        const double emissions = 1 / frames.concentrationPerEmission(line.frames[m], voxel_mm3);
        line.basis.push_back({emissions * integral[m] / kMinute_s, emissions * line.inputMeans[m]});
        if (!(line.basis.back()[0] > 0) || !(line.basis.back()[1] > 0)) {
            throw BadInput("the plasma has no activity in the frame from {:g} to {:g} s; correct the samples",
                           times[m].start_s, times[m].end_s());
        }
    }
    return line;
}

PatlakImages reconstructPatlak(const PatlakFrames& line, int updates, const FrameRunRequest& request,
                               const Measurement& data, Projector& projector,
                               const std::shared_ptr<DataSource>& source, JobListener& listener) {
    const FramedCounts& frames = *data.frames();
    FramePlaces places(request, data, projector, source, FramesStay::All);
    FrameControl control(listener);
    const ThreadPool pool(request.threads);
    std::array<double, 2> all{};
    for (const std::array<double, 2>& b : line.basis) {
        all[0] += b[0];
        all[1] += b[1];
    }
    // Both parameters make half of an image of 1, whose scale the first iteration finds.
    const auto count = static_cast<double>(line.frames.size());
    PatlakImages at{Volume(data.lattice(), static_cast<float>(0.5 * count / all[0])),
                    Volume(data.lattice(), static_cast<float>(0.5 * count / all[1])), 0};
    std::vector<std::vector<float>> images(line.frames.size());
    for (int iteration = 1; iteration <= request.algorithm.iterations; ++iteration) {
        for (std::size_t m = 0; m < images.size(); ++m) {
            if (listener.finishRequested()) {
                return at;
            }
            listener.shareReady("direct Patlak", (iteration - 1 + static_cast<double>(m) / count) /
                                                     request.algorithm.iterations);
            if (frames.frames[line.frames[m]].kept == 0) {
                images[m].assign(at.ki.data.size(), 0.0F);
                continue;
            }
            FramePlace place = places.at(line.frames[m]);
            place.algorithm.iterations = iteration;
            Reconstruction one(place.projector, place.source, data.lattice(), place.algorithm, place.order,
                               control);
            one.startFrom(imageOf(line.basis[m], at), iteration - 1);
            if (one.run(control) < iteration) {
                return at;
            }
            images[m] = control.at().image->data;
        }
        constexpr std::size_t kGrain = 1024;
        pool.forRange(at.ki.data.size(), kGrain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                std::array<double, 2> values{static_cast<double>(at.ki.data[i]),
                                             static_cast<double>(at.vb.data[i])};
                updateVoxel(line, images, i, updates, all, values);
                at.ki.data[i] = static_cast<float>(values[0]);
                at.vb.data[i] = static_cast<float>(values[1]);
            }
        });
        at.iterations = iteration;
    }
    return at;
}

void makeDirectPatlak(const DirectPatlak& asked, const FrameRunRequest& request, const Measurement& data,
                      Projector& projector, const std::shared_ptr<DataSource>& source,
                      JobListener& listener) {
    const BloodSamples blood = readBloodFile(asked.input, "Bq/ml");
    const auto& edge = data.lattice().spacing_mm;
    const PatlakFrames line =
        patlakFrames(*data.frames(), blood.plasma, asked.start_s, edge[0] * edge[1] * edge[2]);
    PatlakImages made = reconstructPatlak(line, asked.updates, request, data, projector, source, listener);
    const KineticModel& model = kineticModel("patlak");
    made.ki.units = model.images[0].units;
    made.vb.units = model.images[1].units;
    KineticsResult result;
    result.made.fitted = made.ki.data.size();
    for (const std::size_t frame : line.frames) {
        result.frames.push_back(data.frames()->frames[frame].time);
    }
    result.inputMeans = line.inputMeans;
    result.weights.assign(line.frames.size(), 1.0);
    result.notes = blood.notes;
    result.notes.push_back(fmt::format(
        "reconstructed from the counts of {} frames together: {} iterations of {}, {} updates of the "
        "parameters in each",
        line.frames.size(), made.iterations, request.algorithm.algorithm->name, asked.updates));
    result.made.images = {std::move(made.ki), std::move(made.vb)};
    KineticsRequest about;
    about.model = model.name;
    about.input = asked.input;
    about.start_s = asked.start_s;
    static_cast<void>(writeKinetics(asked.folder, ".nii.gz", result, about, "data " + data.hash()));
}

}  // namespace tof
