// SPDX-License-Identifier: Apache-2.0
// Bootstrap: how a reconstruction varies, from reconstructions of resampled counts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/algorithm/algorithm.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/seam/data_source.h"
#include "recon/seam/projector.h"
#include "recon/systems/measurement.h"
#include "recon/work/job_listener.h"

namespace tof {

/// How far the counts of a scan go towards their Poisson numbers.
inline constexpr float kStepOfScan = 0.25F;

struct ReplicateRequest {
    int replicates = 0;
    std::uint64_t seed = 1;
    int threads = 0;  ///< that draw counts; 0: every core
    std::vector<std::size_t> order;
    AlgorithmSettings algorithm;
    std::string units;
    std::optional<FigureEvaluator> evaluator{};
};

/// Mean and standard deviation (n - 1) over replicates, of every iterate's image and figures.
class Replicates {
  public:
    /// Deviations are told `widening` times as large as those of the images that are added.
    Replicates(const Lattice& lattice, std::string units, int iterations, double widening = 1);

    /// The next image of this iteration; every replicate brings each iteration once.
    void add(int iteration, const Volume& image, const std::optional<FigureEvaluator>& evaluator);

    [[nodiscard]] int iterations() const { return static_cast<int>(rows_.size()); }
    /// Replicates that brought the iteration.
    [[nodiscard]] int count(int iteration) const;
    [[nodiscard]] Volume mean(int iteration) const;
    [[nodiscard]] Volume sd(int iteration) const;
    /// {"replicates": n, "iterations": [{"iteration": 1, "crc": {"mean": m, "sd": s}, ...}]}: crc, noise,
    /// nsr, overshoot, and the mean of every ROI by name; null where a figure is not known.
    [[nodiscard]] std::string bandsJson() const;

  private:
    struct Row {
        int count = 0;
        std::vector<float> mean;
        std::vector<float> squares;  ///< squares of the deviations, summed
        std::vector<Figures> figures;
    };

    Lattice lattice_;
    std::string units_;
    double widening_;
    std::vector<Row> rows_;
};

/// Throws WrongUse unless the data's counts can be resampled: those of histo-images can.
void requireReplicable(const Measurement& data);

/// Reconstructs replicates of the data, one after the other, from resident mult, att and add. A replicate's
/// counts come of Poisson numbers about the counts, by (seed, voxel, replicate) alone.
///
/// Whole numbers are a scan, which has its noise already: they go kStepOfScan of the way to their Poisson
/// numbers, and deviations are told as many times as large. For events in their nearest voxels that is a
/// bootstrap of the list whose weights have mean 1 and variance kStepOfScan^2, so that a replicate is hardly
/// noisier than the scan: figures that grow with noise keep their mean (1.03 times the noise; the whole way
/// would be sqrt(2)), and deviations are taken where the reconstruction is nearly linear.
///
/// Other counts are taken to be expected ones, which get the noise of a scan. Counts that were spread over
/// eight voxels are neither: neighbours would have to vary together, and the noise comes out too large by
/// what the weights' squares say.
[[nodiscard]] Replicates makeReplicates(const ReplicateRequest& request, const Measurement& data,
                                        Projector& projector, std::shared_ptr<DataSource> source,
                                        JobListener& listener);

}  // namespace tof
