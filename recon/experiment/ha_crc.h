// SPDX-License-Identifier: Apache-2.0
// Paper 000, Figs. 9 and 10: what both need.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "recon/experiment/experiment.h"
#include "recon/experiment/quiet_run.h"

namespace tof {

/// How a curve's projections are made.
enum class CrcWay { Space, Fourier };

/// One curve of Fig. 9.
struct CrcCurve {
    const char* label;
    std::string engine;
    const char* kernel;
    int paperIteration;  ///< at matched noise, Fig. 10
    QuietRun run{};
    /// [replicate][iteration], of counts drawn anew about those that were measured, which adds their noise
    /// once more; the same counts for every kernel.
    std::vector<std::vector<Figures>> replicates{};
};

struct CrcCurves {
    std::vector<CrcCurve> curves;      ///< those whose engine is there
    std::vector<std::string> missing;  ///< why the others are not
    std::string conditions;
    std::vector<std::uint64_t> seeds;
    bool noiseFree = false;  ///< then noise says nothing, and curves are compared after the last iteration
    double lastLevel = 0;    ///< the last noise that every curve reaches
    double level = 0;        ///< 8 % as in Fig. 10 where every curve passes it, else the last
    double relaxation = 0;
    /// Invariant, variant2 and variant3 in space once more, with updates kFurther times as strong: what the
    /// order of kernels is where contrast has come further. No check is about them. Empty where there are no
    /// replicates.
    std::vector<CrcCurve> further;

    /// The curve of a kernel in space, or by Fourier transform; null where it is not there.
    [[nodiscard]] const CrcCurve* find(const std::string& kernel, CrcWay way = CrcWay::Space) const;
    /// Figures where a curve passes a noise level, between its iterates; of noise-free data the last ones.
    [[nodiscard]] double crc(const std::vector<Figures>& figures, double at) const;
    [[nodiscard]] double overshoot(const std::vector<Figures>& figures, double at) const;
    /// The iterate nearest to `level`.
    [[nodiscard]] std::size_t matched(const std::vector<Figures>& figures) const;
};

/// Strength of updates of CrcCurves::further over that of the others.
inline constexpr double kFurther = 4;

/// CRC where a curve passes a noise level, between its iterates; that of the nearest end outside the curve.
[[nodiscard]] double crcAt(const std::vector<Figures>& figures, double level);
[[nodiscard]] double overshootAt(const std::vector<Figures>& figures, double level);
/// CRC of one curve less that of another in a replicate, at the noise that the other's has there after as
/// many iterations as the other takes to the level: how well noise is matched is part of the difference's
/// spread.
[[nodiscard]] double differenceOfReplicate(const CrcCurve& one, const CrcCurve& other, std::size_t replicate,
                                           double level);
/// The iteration, with its fraction, at which noise passes a level; NaN where it does not.
[[nodiscard]] double crossing(const std::vector<Figures>& figures, double level);

/// Quick: expected data of chords blurred by the kernel `invariant`. Full: Monte Carlo of the LaBr3 scanner
/// with scatter and randoms, corrected, and replicates. Or the user's own histo-images. Kept for the other
/// figure.
[[nodiscard]] std::shared_ptr<const CrcCurves> crcCurves(const ExperimentContext& context);

}  // namespace tof
