// SPDX-License-Identifier: Apache-2.0
// Images of simulated scans, evaluated.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "recon/base/error.h"
#include "recon/experiment/nema_accuracy.h"
#include "recon/experiment/nema_image.h"
#include "recon/experiment/nema_rates.h"
#include "recon/experiment/nema_scan.h"

namespace tof {

namespace {

/// What was published of a sphere of this size is met within 8 points, where `prompts` are enough to say so.
void judgeContrast(NemaRun& run, const SphereQuality& sphere, std::uint64_t prompts) {
    constexpr double kPoints = 8;
    constexpr std::uint64_t kEnough = 5'000'000;
    for (const PublishedFigure& one : run.published()) {
        if (one.key == fmt::format("contrast_{:g}", sphere.diameter_mm)) {
            Check& check = run.report().checks.emplace_back(Check{"contrast recovery, " + sphere.name,
                                                                  within(one.value, kPoints, "%"),
                                                                  sphere.contrast, one.source});
            if (prompts < kEnough) {
                check.missing = fmt::format("{} prompts are too few to tell", prompts);
            }
        }
    }
}

}  // namespace

void nemaImageQuality(NemaRun& run) {
    constexpr std::uint64_t kTimes = 50;  // an image needs more events than a rate
    const Phantom scanned = Phantom::find("nema-iq-scan");
    const double activity_MBq = nemaScanActivity_MBq(scanned);
    const ListScan scan = listScan(run.scanner(),
                                   {"image quality", scanned, activity_MBq, kTimes * run.events(), kNemaSeed,
                                    DeadTimeOf::Left, run.progressAt(0), run.progressAt(1)},
                                   run.context());
    run.note(fmt::format(
        "Image quality: {} prompts in {:.1f} s of {:.0f} MBq in the torso and the line "
        "beyond the field, {:.0f} "
        "randoms and {:.0f} scattered among them; list-mode OSEM, {} iterations, no filter.",
        kTimes * run.events(), scan.duration_s, activity_MBq, scan.randoms, scan.scatter, scan.iterations));
    const Phantom phantom = Phantom::find("nema-iq-2018");
    const ImageQuality quality = imageQuality(*scan.image, phantom, {});
    ExperimentReport found =
        imageQualityReport({run.scanner().name, scan.image, phantom, {}, run.published()}, quality);
    run.take(std::move(found));
    run.report().images.push_back({"image quality, " + run.scanner().name, scan.image});
    const ImageQuality early = imageQuality(*scan.early, phantom, {});
    for (const SphereQuality& sphere : early.spheres) {
        run.note(fmt::format("After {} iterations {} has {:.1f} % at a background variability of {:.1f} %.",
                             scan.iterations / 2, sphere.name, sphere.contrast, sphere.variability));
    }
    for (const SphereQuality& sphere : quality.spheres) {
        judgeContrast(run, sphere, kTimes * run.events());
    }
}

void nemaAccuracy(NemaRun& run) {
    constexpr std::uint64_t kTimes = 5;  // an image needs more events than a rate
    const RateTest test = wholeBodyRates();
    const std::vector<double> all = concentrationsOf(run, test);
    if (all.size() <= kAccuracyReferences) {
        throw WrongUse(
            "accuracy is told against the three lowest activities; give four --activities or more");
    }
    const SinogramGrid seen = SinogramGrid::of(run.scanner(), 1, 1, 1);
    AccuracyRequest wanted{{}, {}, run.published()};
    // Images are longer than the scanner, which sees little of the last ring's slices.
    wanted.halfLength_mm =
        std::min(wanted.halfLength_mm, 0.5 * seen.slices * seen.slice_mm - 2 * seen.slice_mm);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto at = [&](std::size_t k) {
            return run.progressAt(static_cast<double>(k) / static_cast<double>(all.size()));
        };
        const ListScan scan = listScan(run.scanner(),
                                       {fmt::format("accuracy at {:g} kBq/ml", all[i]), test.phantom,
                                        all[i] * test.rules.volume_ml / 1000, kTimes * run.events(),
                                        kNemaSeed + i, DeadTimeOf::Corrected, at(i), at(i + 1)},
                                       run.context());
        auto rate = std::make_shared<Volume>(*scan.image);
        for (float& value : rate->data) {
            value = static_cast<float>(static_cast<double>(value) / scan.duration_s);
        }
        rate->units = "1/s";
        wanted.scans.push_back({std::move(rate), all[i]});
    }
    run.take(accuracyReport(wanted));
}

}  // namespace tof
