// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/algorithm/algorithm.h"

namespace tof {

/// The prior of a run as its algorithm sees it: beta R with its parts, in the space of the image.
///
/// What is called beta here is that of the settings times the mean sensitivity, and kappa is the root of the
/// sensitivity over its mean, or 1; 0 where the data see nothing, so that those voxels pull at nobody. A
/// voxel's penalty stands in the same relation to what the data say of it, then, for any number of counts.
class Penalised {
  public:
    /// Allocates one image, for kappa, and one for the choice by anatomy, if there is one.
    explicit Penalised(const UpdateContext& context);

    /// Comes before all else.
    void prepare(const DataScale& scale);
    /// out = (or +=) share times the part of beta R at x, which costs nothing where beta is 0. `vector` is
    /// what PenaltyPart::Product multiplies.
    void add(PenaltyPart part, ConstView x, double share, MutableView out, Write write,
             ConstView vector = {});
    /// beta R; `scratch` is of the image's size.
    [[nodiscard]] double value(ConstView x, MutableView scratch);
    /// ImageUpdate::show().
    [[nodiscard]] bool show(PriorImage which, ConstView x, MutableView out);

  private:
    [[nodiscard]] bool isOn() const { return beta_ > 0; }

    Projector& projector_;
    Space& space_;
    const Prior& prior_;
    PriorParameters set_;
    Penalty penalty_;
    double beta_;
    Array kappa_;
    Array chosen_;  ///< PenaltyTerms::chosen, if there is an anatomy
};

/// The settings of an algorithm with a prior: its own, and those of priors.
[[nodiscard]] std::vector<std::string> withPrior(std::vector<std::string> own);

/// Added to a voxel where steps are sized by its value, as a share of the unit (DataScale): so one of 0
/// moves.
inline constexpr double kStepDelta = 1e-6;

/// step_k of an iteration k from 1.
[[nodiscard]] inline float stepOf(const AlgorithmParameters& set, int iteration) {
    return static_cast<float>(set.step / (1.0 + set.stepDecay * (iteration - 1)));
}

}  // namespace tof
