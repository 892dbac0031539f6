// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "recon/engines/fftw/fft_plans.h"
#include "recon/seam/host_space.h"
#include "recon/systems/histo/histo_projector.h"

namespace tof {

/// DIRECT projector for invariant kernels: a product of spectra. The kernel is even, so its spectrum is real
/// and forward and back are the same map. Spectra are kept while they fit into a share of the memory; those
/// of the other views are made anew each time.
class FftwProjector : public HistoProjector {
  public:
    FftwProjector(const DirectModel& model, std::shared_ptr<HostSpace> space, const EngineOptions& options);

    [[nodiscard]] Space& space() override { return *space_; }
    [[nodiscard]] std::size_t memoryBytes() const override;
    void forward(std::size_t part, ConstView x, MutableView p) override;
    void backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x, Write write) override;

    /// Samples along x, y, z of the grid that is transformed.
    [[nodiscard]] const std::array<int, 3>& gridSize() const { return grid_; }

  private:
    [[nodiscard]] std::array<int, 3> reach() const;
    /// Fills `spectrum` (one float per half-complex sample, the inverse's 1/N included). Uses the work
    /// arrays.
    void makeSpectrum(std::size_t part, MutableView spectrum);
    void makeSampled(const View& view, MutableView spectrum);
    void makeAnalytic(const View& view, MutableView spectrum) const;
    [[nodiscard]] ConstView spectrumOf(std::size_t part);
    void pad(ConstView from);
    /// Times `factors`, unless they are empty; so does transformBack().
    void crop(MutableView to, ConstView factors, Write write) const;
    void transform(ConstView from);
    void filter(ConstView spectrum);
    void transformBack(MutableView to, ConstView factors, Write write);

    std::shared_ptr<HostSpace> space_;
    Spectrum kind_;
    std::array<int, 3> grid_;
    Array real_;
    Array transformed_;
    Array lastSpectrum_;               // that of a view whose spectrum is not kept; empty when all are
    std::vector<Array> keptSpectra_;   // kept spectra of views 0 .. size-1
    std::unique_ptr<FftPlans> plans_;  // last: made on the arrays above
};

}  // namespace tof
