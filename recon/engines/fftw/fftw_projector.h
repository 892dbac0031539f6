// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/engines/fftw/fft_plans.h"
#include "recon/engines/fftw/kept_spectra.h"
#include "recon/seam/host_space.h"
#include "recon/systems/histo/fourier_grid.h"
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

  private:
    /// Fills `spectrum` (one float per half-complex sample, the inverse's 1/N included). Uses the work
    /// arrays.
    void makeSpectrum(const View& view, MutableView spectrum);
    void makeSampled(const View& view, MutableView spectrum);
    void pad(ConstView from);
    /// Times `factors`, unless they are empty; so does transformBack().
    void crop(MutableView to, ConstView factors, Write write) const;
    void transform(ConstView from);
    void filter(ConstView spectrum);
    void transformBack(MutableView to, ConstView factors, Write write);

    std::shared_ptr<HostSpace> space_;
    Spectrum kind_;
    FourierGrid grid_;
    Array real_;
    Array transformed_;
    std::unique_ptr<FftPlans> plans_;  // made on the arrays above
    KeptSpectra spectra_;
};

}  // namespace tof
