// SPDX-License-Identifier: Apache-2.0
#include "recon/kinetics/parametric_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "recon/base/error.h"

namespace tof {

namespace {

constexpr std::size_t kVoxelsAtATime = 512;  // curves of these stay in the cache while they are turned

/// The mean over time of each voxel.
std::vector<float> meanOverTime(const DynamicImage& image, const std::vector<double>& factors,
                                const ThreadPool& pool) {
    std::vector<float> means(image.lattice.voxels());
    double whole_s = 0;
    for (const TimeFrame& frame : image.frames) {
        whole_s += frame.duration_s;
    }
    pool.forRange(means.size(), kVoxelsAtATime, [&](std::size_t begin, std::size_t end) {
        for (std::size_t frame = 0; frame < image.frames.size(); ++frame) {
            const auto share = static_cast<float>(factors[frame] * image.frames[frame].duration_s / whole_s);
            for (std::size_t i = begin; i < end; ++i) {
                means[i] += share * image.values[frame][i];
            }
        }
    });
    return means;
}

}  // namespace

ParametricImages fitImage(const DynamicImage& image, const std::vector<double>& factors,
                          const KineticModel& model, const KineticFit& fit, double threshold,
                          const ThreadPool& pool, const std::function<void(double part)>& report) {
    ParametricImages made;
    for (const ParameterImage& about : model.images) {
        made.images.emplace_back(image.lattice).units = about.units;
    }
    const std::vector<float> mean = meanOverTime(image, factors, pool);
    const auto least =
        static_cast<float>(threshold) * std::max(0.0F, *std::max_element(mean.begin(), mean.end()));
    const std::size_t frames = image.frames.size();
    std::atomic<std::size_t> quiet = 0;
    std::atomic<std::size_t> failed = 0;
    const auto fitVoxels = [&](std::size_t begin, std::size_t end) {
        std::vector<double> curves((end - begin) * frames);
        for (std::size_t frame = 0; frame < frames; ++frame) {
            for (std::size_t i = begin; i < end; ++i) {
                curves[(i - begin) * frames + frame] =
                    factors[frame] * static_cast<double>(image.values[frame][i]);
            }
        }
        std::vector<double> values(model.images.size());
        for (std::size_t i = begin; i < end; ++i) {
            if (!(mean[i] > least) && !(threshold == 0 && mean[i] != 0.0F)) {
                ++quiet;
            } else if (!fit.fit(&curves[(i - begin) * frames], values.data())) {
                ++failed;
            } else {
                for (std::size_t which = 0; which < values.size(); ++which) {
                    made.images[which].data[i] = static_cast<float>(values[which]);
                }
            }
        }
    };
    // A stretch of voxels after the other, so that the calling thread can tell how far it is.
    const std::size_t stretch = std::max<std::size_t>(kVoxelsAtATime * 64, mean.size() / 100);
    for (std::size_t from = 0; from < mean.size(); from += stretch) {
        const std::size_t count = std::min(stretch, mean.size() - from);
        pool.forRange(count, kVoxelsAtATime,
                      [&](std::size_t begin, std::size_t end) { fitVoxels(from + begin, from + end); });
        if (report) {
            report(static_cast<double>(from + count) / static_cast<double>(mean.size()));
        }
    }
    made.quiet = quiet;
    made.failed = failed;
    made.fitted = mean.size() - made.quiet - made.failed;
    return made;
}

Volume meanOfFrames(const DynamicInfo& image, std::size_t first, std::size_t last,
                    const FrameValues& values) {
    std::vector<double> sums(image.lattice.voxels());
    double whole_s = 0;
    for (std::size_t frame = first; frame <= last; ++frame) {
        const std::vector<float>& those = values(frame);
        const double weight = image.frames[frame].duration_s;
        std::transform(
            sums.begin(), sums.end(), those.begin(), sums.begin(),
            [weight](double sum, float value) { return sum + weight * static_cast<double>(value); });
        whole_s += weight;
    }
    Volume mean(image.lattice);
    mean.units = image.units;
    std::transform(sums.begin(), sums.end(), mean.data.begin(),
                   [whole_s](double sum) { return static_cast<float>(sum / whole_s); });
    return mean;
}

std::vector<RegionCurve> regionCurves(const DynamicImage& image, const std::vector<Roi>& rois,
                                      const std::vector<double>& factors) {
    return regionCurves(
        image, [&](std::size_t frame) -> const std::vector<float>& { return image.values[frame]; }, rois,
        factors);
}

std::vector<RegionCurve> regionCurves(const DynamicInfo& image, const FrameValues& values,
                                      const std::vector<Roi>& rois, const std::vector<double>& factors) {
    std::vector<RegionCurve> curves(rois.size());
    std::vector<std::vector<WeightedVoxel>> voxels;
    for (const Roi& roi : rois) {
        voxels.push_back(roiVoxels(roi, image.lattice));
        if (voxels.back().empty()) {
            throw BadInput("ROI '{}' lies outside of the image; check that both are in the same frame of mm",
                           roi.name);
        }
        curves[voxels.size() - 1].name = roi.name;
    }
    for (std::size_t frame = 0; frame < image.frames.size(); ++frame) {
        const std::vector<float>& those = values(frame);
        for (std::size_t i = 0; i < rois.size(); ++i) {
            const RoiStatistics one = roiStatistics(voxels[i], image.lattice, those.data());
            curves[i].means.push_back(factors[frame] * one.mean);
            curves[i].sds.push_back(factors[frame] * one.sd);
            curves[i].volume_mm3 = one.volume_mm3;
        }
    }
    return curves;
}

std::string curvesTable(const std::vector<TimeFrame>& frames, const std::vector<RegionCurve>& curves) {
    std::string table = "frame_start\tframe_end";
    for (const RegionCurve& curve : curves) {
        std::string name = curve.name;
        std::replace_if(
            name.begin(), name.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
        table += fmt::format("\t{}\t{}_sd", name, name);
    }
    for (std::size_t frame = 0; frame < frames.size(); ++frame) {
        table += fmt::format("\n{:.12g}\t{:.12g}", frames[frame].start_s, frames[frame].end_s());
        for (const RegionCurve& curve : curves) {
            table += fmt::format("\t{:.9g}\t{:.9g}", curve.means[frame], curve.sds[frame]);
        }
    }
    return table + "\n";
}

}  // namespace tof
