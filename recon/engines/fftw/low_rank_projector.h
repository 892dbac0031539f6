// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "recon/engines/fftw/fft_plans.h"
#include "recon/engines/fftw/kept_spectra.h"
#include "recon/engines/fftw/simd/plane_loops.h"
#include "recon/kernel/low_rank.h"
#include "recon/seam/engine.h"
#include "recon/seam/host_space.h"
#include "recon/systems/histo/histo_projector.h"

namespace tof {

/// DIRECT projector for kernels that vary in space, as a sum of invariant ones (LowRankKernel).
///
/// Shares do not depend on z, so a volume is transformed along z once. Of each plane of that transform
/// forward projection sums the products of the terms' spectra and the transforms of the image times their
/// shares, and back projection the shares times what comes back of each product: a plane stays in the cache
/// for all terms. Spectra are kept while they fit into a share of the memory; those of the other views are
/// made anew each time. The same bits for any number of threads.
class LowRankProjector : public HistoProjector {
  public:
    LowRankProjector(const DirectModel& model, std::shared_ptr<HostSpace> space,
                     const EngineOptions& options);

    [[nodiscard]] Space& space() override { return *space_; }
    [[nodiscard]] std::size_t memoryBytes() const override;
    [[nodiscard]] std::string note() const override { return kernel_.text(); }
    void forward(std::size_t part, ConstView x, MutableView p) override;
    void backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x, Write write) override;

  private:
    struct Loops {
        decltype(&baseline::weighPairs) weigh;
        decltype(&baseline::addWeighedPairs) addWeighed;
        decltype(&baseline::turnPairs) turn;
        decltype(&baseline::addTurnedPairs) addTurned;
        decltype(&baseline::turnPairsBack) turnBack;
    };
    /// Two planes that one thread works in.
    struct Scratch {
        float* sum;
        float* term;
    };

    [[nodiscard]] static Loops loops();
    [[nodiscard]] static PlanePlans::Shape shapeOf(const DirectModel& model, const LowRankKernel& kernel,
                                                   const Padding& padding);
    [[nodiscard]] std::size_t planes() const { return static_cast<std::size_t>(shape_.size[2]) / 2 + 1; }
    [[nodiscard]] std::size_t planePairs() const {
        return static_cast<std::size_t>(shape_.size[1]) * shape_.planeRow;
    }
    [[nodiscard]] std::size_t spectrumFloats() const { return planes() * kernel_.rank() * planePairs(); }
    [[nodiscard]] bool odd(std::size_t term) const { return term >= kernel_.evenTerms(); }

    /// Fills `spectra`, [plane][term][y][x], the inverse's 1/N included.
    void makeSpectra(const LowRankView& view, MutableView spectra);
    void makePlane(const LowRankView& view, std::size_t plane, const Scratch& scratch, float* spectra) const;
    /// Adds the taps of one term or of two (`count`) as they are along z at a plane, the second times i.
    void placeTerms(const LowRankView& view, std::size_t plane, std::size_t first, std::size_t count,
                    float* out) const;
    /// The shares of every column, [term][y][x].
    void spreadShares(const LowRankView& view);
    void eachPlane(const std::function<void(std::size_t plane, const Scratch& scratch)>& work);
    void transformAlongZ(ConstView from);
    /// Times `factors`, unless they are empty.
    void transformBackAlongZ(MutableView to, ConstView factors, Write write);

    std::shared_ptr<HostSpace> space_;
    LowRankKernel kernel_;
    PlanePlans::Shape shape_;
    Loops loops_;
    Array volume_;       // [z][y][x]
    Array transformed_;  // [kz][y][x] pairs
    Array shares_;
    Array scratch_;
    std::size_t workers_;
    std::unique_ptr<PlanePlans> plans_;
    KeptSpectra spectra_;
};

}  // namespace tof
