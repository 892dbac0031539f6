// SPDX-License-Identifier: Apache-2.0
// Likelihoods that let values be negative, so that means over noise are right where nothing is: modified
// Poisson distributions of K. Van Slambrouck and others, IEEE Trans. Med. Imaging 34 (2015) 126-136,
// doi:10.1109/TMI.2014.2347810. What a datum projects back is mult (y - e) / v, as Poisson's mult (y/e - 1)
// is with v = e, but with a variance v that does not become small with e.
#pragma once

#include "recon/algorithm/algorithm.h"

namespace tof {

/// What both have in common: residuals, and the projection of an image that is the same in all voxels.
class ModifiedPoisson : public ImageUpdate {
  public:
    explicit ModifiedPoisson(const UpdateContext& context);
    /// The even image becomes 1 where the data see a voxel.
    void prepare(const DataScale& scale) override;

  protected:
    [[nodiscard]] Space& space() { return space_; }
    [[nodiscard]] Projector& projector() { return projector_; }
    [[nodiscard]] ConstView even() const { return even_.view(); }
    /// Makes task.scratch e, residual() y - e and evenProjection() mult F (att even).
    void project(const PartTask& task);
    [[nodiscard]] MutableView residual(const PartTask& task);
    [[nodiscard]] MutableView evenProjection(const PartTask& task);
    /// x = mult x / max(variance, least), in the space of data. x is no result of the operation just before.
    void overVariance(const PartTask& task, ConstView variance, float least, MutableView x);

  private:
    void expect(const PartTask& task, ConstView seen, MutableView p);

    Space& space_;
    Projector& projector_;
    Array even_;
    Array evenSeen_;  ///< att even of the part at hand, if there is att
    Array residual_;
    Array evenProjection_;
    Array ones_;  ///< mult of parts that have none
};

/// Arrays that it allocates, for the row.
inline constexpr std::size_t kModifiedPoissonImages = 2;
inline constexpr std::size_t kModifiedPoissonData = 3;

}  // namespace tof
