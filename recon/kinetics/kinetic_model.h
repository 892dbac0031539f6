// SPDX-License-Identifier: Apache-2.0
// Kinetic models: a row each, with what it needs and the images that it makes.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/data/time_frame.h"
#include "recon/kinetics/time_curve.h"

namespace tof {

/// What tissue is compared with: the tracer in plasma, or a region without specific binding.
enum class InputKind { Plasma, Reference };
/// Whether a model fits a line to late frames, or a curve to all of them.
enum class FitKind { LateFrames, AllFrames };

/// What a model is fitted with. All is decay-corrected to one time.
struct KineticSetUp {
    std::vector<TimeFrame> frames;
    TimeCurve input;                 ///< activity of plasma (of the parent tracer) or reference region
    std::optional<TimeCurve> blood;  ///< activity of whole blood; without it vessels hold what `input` says
    /// Weight of the squared residual of each frame, the inverse of its variance up to a factor.
    std::vector<double> weights;
    std::size_t firstFrame = 0;     ///< the first frame that a line over late frames takes
    double slowest_perMin = 0.006;  ///< rates (k2, k2a) that are tried, from here
    double fastest_perMin = 6;      ///< to here
    double referenceK2_perMin = 0;  ///< Logan with a reference: its k2 (its rate of efflux); 0: left out
};

/// A model that is ready for any number of curves. Immutable; share between threads.
class KineticFit {
  public:
    KineticFit() = default;
    virtual ~KineticFit() = default;
    KineticFit(const KineticFit&) = delete;
    KineticFit& operator=(const KineticFit&) = delete;

    /// Fits means over all frames; writes a value for each of the model's images. False, with anything
    /// written, where this curve cannot be fitted: no activity, a singular system.
    [[nodiscard]] virtual bool fit(const double* means, double* values) const = 0;
};

struct ParameterImage {
    std::string name;  ///< also the name of its file
    std::string units;
    std::string explanation;  ///< a phrase, as "net rate of influx"
};

struct KineticModel {
    std::string name;
    std::string words;        ///< name for people
    std::string explanation;  ///< one sentence, with its source
    InputKind input;
    FitKind fit;
    std::vector<ParameterImage> images;
    /// Throws WrongUse where the set-up leaves too few frames.
    std::function<std::unique_ptr<const KineticFit>(const KineticSetUp&)> make;
};

/// All of them, in the order of the help. Adding a model is adding a row.
[[nodiscard]] const std::vector<KineticModel>& kineticModels();
/// Throws WrongUse for a name that none has.
[[nodiscard]] const KineticModel& kineticModel(const std::string& name);
[[nodiscard]] std::vector<std::string> kineticModelNames();

// The fits behind rows.
/// tissue = Ki x integral of input + V0 x input, by weighted least squares over late frames. Values: Ki in
/// 1/min, V0. Patlak and others, J. Cereb. Blood Flow Metab. 3 (1983) 1, before both sides are divided by
/// the input: means over frames are then exact on both sides, and no small input raises noise.
[[nodiscard]] std::unique_ptr<const KineticFit> makePatlakFit(const KineticSetUp& setUp);
/// integral of tissue / tissue = V x integral of input / tissue + b over late frames. Values: slope and
/// intercept in min; of a reference DVR and DVR - 1. Logan and others, J. Cereb. Blood Flow Metab. 10 (1990)
/// 740; with a reference 16 (1996) 834, with the reference's k2 where it is given.
[[nodiscard]] std::unique_ptr<const KineticFit> makeLoganFit(const KineticSetUp& setUp, InputKind input);
/// tissue = a x first + b x (input convolved with exp(-rate t)), by weighted least squares for each of 1024
/// rates, even in their logarithm, and the parabola through the least and its neighbours.
/// Reference: first is the input; values are R1, k2 in 1/min, BP. Gunn and others, NeuroImage 6 (1997) 279;
/// Lammertsma and Hume, NeuroImage 4 (1996) 153.
/// Plasma: first is blood; values are K1 and k2 in 1/min, VT, Vb. Koeppe and others, J. Cereb. Blood Flow
/// Metab. 5 (1985) 224.
[[nodiscard]] std::unique_ptr<const KineticFit> makeBasisFit(const KineticSetUp& setUp, InputKind input);

}  // namespace tof
