// SPDX-License-Identifier: Apache-2.0
// Data as a linear map with its adjoint, for programs that iterate themselves.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "recon/algorithm/algorithm.h"
#include "recon/algorithm/penalised.h"
#include "recon/systems/measurement.h"

namespace tof {

/// Whether a projection takes the factors of the data: mult of each bin, and att of each part's image.
enum class Factors { Applied, LeftOut };

/// What a set of data expects of an image, A x + add with A = mult F att, and the exact adjoint of A,
/// att F^T mult (docs/model.md section 3), by the model and the engine of settings. Parts are asked for by
/// their numbers, 0 .. parts() - 1, in any order; an array of data holds them one after the other in that
/// order, an image is [z][y][x]. All arrays are of space(), and results are there when space().finish()
/// returns. One caller thread at a time.
class DataOperator {
  public:
    /// `watch` is called while tables are made and between parts, and may throw Cancelled. Throws WrongUse
    /// for settings that make no model, Unavailable where the engine cannot project it or has no room.
    DataOperator(
        std::shared_ptr<const Measurement> data, RunSettings settings, const EngineRegistry& engines,
        std::function<void()> watch = [] {});

    [[nodiscard]] const Measurement& data() const { return *data_; }
    /// "cuda, NVIDIA H100".
    [[nodiscard]] std::string engine() const;
    [[nodiscard]] Space& space() const { return projector_->space(); }
    [[nodiscard]] std::size_t parts() const { return projector_->parts(); }
    [[nodiscard]] std::size_t imageSize() const { return projector_->imageSize(); }
    [[nodiscard]] std::size_t dataSize(std::size_t part) const { return projector_->dataSize(part); }
    /// Values of several parts together. Throws WrongUse for a part that there is not.
    [[nodiscard]] std::size_t dataSize(std::span<const std::size_t> parts) const;
    /// The parts in the order in which a run uses them.
    [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
    /// Whether every line is an event of a list, so that bins without counts are in no part.
    [[nodiscard]] bool listMode() const { return source_->listMode(); }

    /// p = A x.
    void forward(std::span<const std::size_t> parts, ConstView x, MutableView p, Factors factors);
    /// x = A^T p.
    void back(std::span<const std::size_t> parts, ConstView p, MutableView x, Factors factors);
    /// The counts, or what is expected beside the image: 0 where the data have no add.
    void counts(std::span<const std::size_t> parts, MutableView y);
    void background(std::span<const std::size_t> parts, MutableView add);
    /// s = A^T 1; of list-mode of all lines that could have had an event, which is known of all parts
    /// together.
    void sensitivity(std::span<const std::size_t> parts, MutableView s);
    /// Gradient by the image of the log-likelihood of these parts, A^T (y / (A x + add) - 1). Bins whose
    /// expectation is below 1e-9 of the part's mean count as Space::discrepancy() has them.
    void gradient(std::span<const std::size_t> parts, ConstView x, MutableView out);
    /// Sum over these parts of y log(e) - e, e = A x + add. Of list-mode it is that of all parts.
    [[nodiscard]] double logLikelihood(std::span<const std::size_t> parts, ConstView x);

    /// Throws WrongUse unless it has the size of an image.
    void requireImage(ConstView x) const;
    /// The image that runs begin with: uniform where anything is seen, with the total of the counts.
    void start(MutableView x);
    /// What runs know of the scale of an image before they begin; made at the first call.
    [[nodiscard]] const DataScale& scale();
    /// The prior of the settings as a run would have it.
    [[nodiscard]] UpdateContext context(const AlgorithmSettings& settings);

  private:
    void requireData(std::span<const std::size_t> parts, ConstView p) const;
    /// att x, or x where there is no att.
    [[nodiscard]] ConstView seen(const PartData& part, ConstView x);
    /// Calls visit(part, its data, where its values begin) for each; without factors the data are empty.
    template <typename Visit>
    void forEach(std::span<const std::size_t> parts, Factors factors, const Visit& visit);

    std::shared_ptr<const Measurement> data_;
    RunSettings settings_;
    std::shared_ptr<const Engine> engine_;
    EngineOptions options_;
    std::function<void()> watch_;
    PlacedData placed_;
    std::unique_ptr<Projector> projector_;
    std::shared_ptr<DataSource> source_;
    std::vector<std::size_t> order_;
    Array attenuated_;
    Array scratch_;      ///< room for the largest part
    Array sensitivity_;  ///< that of all parts, once scale() has asked for it
    DataScale scale_;
};

/// The prior of an image as a run of these data has it: beta R by the units and the kappa of the data
/// (Penalised). The operator must outlive it. One caller thread at a time.
class DataPrior {
  public:
    /// Throws WrongUse for parameters out of range.
    DataPrior(DataOperator& data, const AlgorithmSettings& settings);

    /// beta R(x). This, curvature() and product() throw WrongUse for what is no function (PriorKind).
    [[nodiscard]] double value(ConstView x);
    /// out = beta times the gradient, or times the diagonal of the Hessian.
    void gradient(ConstView x, MutableView out);
    void curvature(ConstView x, MutableView out);
    /// out = beta times the Hessian at x times `vector`.
    void product(ConstView x, ConstView vector, MutableView out);

  private:
    void requireObjective() const;

    DataOperator& data_;
    AlgorithmSettings settings_;
    Penalised penalised_;
    Array scratch_;
};

}  // namespace tof
