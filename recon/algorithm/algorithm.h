// SPDX-License-Identifier: Apache-2.0
// What an algorithm is to the machinery that runs it (reconstruction.h): a row of a table, and the update it
// makes of the image. A new algorithm is a file beside ramla.cpp and a line of algorithm.cpp, what it can be
// set to a member of AlgorithmParameters and a row of recon/settings/settings.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/prior/prior.h"
#include "recon/seam/data_source.h"
#include "recon/seam/projector.h"
#include "recon/seam/run_control.h"

namespace tof {

struct Algorithm;
[[nodiscard]] const Algorithm& ramla();
[[nodiscard]] const Algorithm& osem();
[[nodiscard]] const Algorithm& mlem();
[[nodiscard]] const Algorithm& bsrem();
[[nodiscard]] const Algorithm& svrg();
[[nodiscard]] const Algorithm& osl();
[[nodiscard]] const Algorithm& lbfgsb();
[[nodiscard]] const Algorithm& kem();
[[nodiscard]] const Algorithm& negml();
[[nodiscard]] const Algorithm& aml();
[[nodiscard]] const Algorithm& analytic();

enum class TellsObjective { Off, On };

/// What a person can set of an algorithm; each uses what its row names.
struct AlgorithmParameters : PriorParameters {
    int iterations = 20;       ///< 1..100000, the last iteration's number
    double relaxation = 0.03;  ///< lambda_0 of RAMLA, > 0
    double gamma = 0;          ///< lambda_k = lambda_0 / (1 + gamma k), k from 0; >= 0
    double step = 1;           ///< BSREM and SVRG take it, > 0; 1 is that of expectation maximisation
    double stepDecay = 0.05;   ///< step_k = step / (1 + stepDecay k), k from 0; >= 0
    int subsets = 0;           ///< blocks per iteration; 0: one part per block
    double psi = 16;           ///< NEGML is least squares where fewer counts are expected of a datum, > 0
    double lowerBound = 10;    ///< no value of AML is below -lowerBound times that of a uniform image, > 0
    double filterSteps = 30;   ///< Landweber's, that an analytic image's filter does at once, >= 1
    double resolution_mm = 0;  ///< FWHM of a Gaussian that it is blurred by, >= 0
    /// Each iterate comes with its objective, for a forward projection of all data.
    TellsObjective objective = TellsObjective::Off;
    double stop = 0;  ///< the run ends once Iterate::change is this or less; 0: after `iterations` alone
    [[nodiscard]] bool operator==(const AlgorithmParameters&) const = default;
};

struct AlgorithmSettings : AlgorithmParameters {
    const Algorithm* algorithm = &ramla();  ///< never null; must outlive the run, as those of the table do
    const Prior* prior = priors().front();  ///< likewise
    /// Neighbours that count by anatomy, on the lattice of the image (bowsherChoice()); null: all.
    std::shared_ptr<const std::vector<float>> chosen{};
};

/// Which parts of the data make a block, after which the image is updated.
enum class Grouping { BySubsets, AllData };

/// What an algorithm has to do with priors: nothing, or it makes the log-likelihood minus beta R largest, or
/// it takes what is called a gradient at the image before.
enum class UsesPrior { No, AsObjective, OneStepLate };

/// Whether the steps of an update may be recorded, or it sums and asks for the objective between them.
enum class Steps { Recorded, Measured };

/// Whether an algorithm looks at an anatomy, if there is one, or cannot do without.
enum class UsesAnatomy { No, IfThere, Always };

/// Who turns a part's forward projection into what is projected back: Projector::backDiscrepancy() by the
/// row's discrepancy, or ImageUpdate::backPart().
enum class Residuals { OfProjector, OfUpdate };

/// Whether several processes may make its image together (recon/ranks).
enum class Processes { Any, One };

/// Whether values of the image may be negative.
enum class ImageValues { NotNegative, Any };

/// Voxels of an image for which a block has to have a count, or multiplying by what it says is unsafe. A
/// kernel reaches some 300 voxels of 4 mm, but a dozen of 16 mm.
inline constexpr double kVoxelsPerCount = 10;

/// The sensitivity that an update works with: that of all data, or of the block at hand.
enum class Sensitivity { OfAllData, OfBlock };

/// What an update is given of one block, in the space it was made for; all arrays are of the image's size.
struct BlockTerms {
    MutableView correction;  ///< sum over the block of F^T of the row's discrepancy; may be changed
    ConstView sensitivity;   ///< the one that the row asks for
    float floor = 0;         ///< floor of that sensitivity: below it nothing is known of a voxel
    Attenuated next = {};    ///< to be handed to the Space::update() that makes the image after this block
    float least = 0;         ///< no factor of a voxel is below it; above 0 where one block speaks for others
    std::size_t block = 0;   ///< place of the block in its pass
    std::size_t pass = 0;    ///< which pass of the iteration it is
};

/// One part of a block for an update that finds its own residuals.
struct PartTask {
    std::size_t part = 0;
    PartData data;
    ConstView seen;       ///< att x, or x where there is no att
    MutableView scratch;  ///< at least of the part's size; left undefined
    MutableView out;      ///< where the back projection goes
    Write write = Write::Overwrite;
    std::size_t share = 0;  ///< 1: out is an image of its own that is added up later
};

/// What is known once the sensitivities are.
struct DataScale {
    ConstView sensitivity;       ///< all data together
    float floor = 0;             ///< its floor
    double unit = 1;             ///< value of a uniform image with the counts of the data
    double meanSensitivity = 1;  ///< over the voxels that the data see
};

/// What a prior is in space: how strong it is by voxel, and where it pulls, -beta dR/dx. (Beside what the
/// data say of a voxel, F^T mult (y/e - 1): at the best image the two are 0 together.)
enum class PriorImage { Kappa, Pull };

/// An algorithm at work on one image. Made for one run and used by its thread.
class ImageUpdate {
  public:
    virtual ~ImageUpdate() = default;
    /// Comes once, before any iteration.
    virtual void prepare(const DataScale& /*scale*/) {}
    /// How often an iteration goes through all blocks, one pass after the other.
    [[nodiscard]] virtual std::size_t passes(int /*iteration*/) const { return 1; }
    /// Comes before the first block of iteration 1, 2, ..., for what changes between them, with the image as
    /// it is then. May upload.
    virtual void begin(int /*iteration*/, ConstView /*x*/) {}
    /// Makes x the image after this block. The space may record what is asked of it here and replay it in
    /// later iterations of as many passes, so these are the same operations on the same views every time:
    /// nothing is allocated, uploaded or downloaded, nor summed but for Steps::Measured.
    virtual void apply(const BlockTerms& terms, MutableView x) = 0;
    /// Projects back what it makes of a part, for Residuals::OfUpdate; in all else as apply().
    virtual void backPart(const PartTask& /*task*/) {}
    /// beta R at x, or 0 where there is no such thing; `scratch` is of the image's size.
    [[nodiscard]] virtual double penalty(ConstView /*x*/, MutableView /*scratch*/) { return 0; }
    /// What it knows beside the image and goes on from, of the image's size; empty where there is nothing.
    [[nodiscard]] virtual ConstView coefficients() { return {}; }
    /// Goes on from these coefficients, or where they are empty from the image alone.
    virtual void goOnFrom(std::span<const float> /*coefficients*/) {}
    /// Makes `out` an image of its prior at x; false where it has none.
    [[nodiscard]] virtual bool show(PriorImage /*which*/, ConstView /*x*/, MutableView /*out*/) {
        return false;
    }
};

/// What the maker of an update has to go by.
struct UpdateContext {
    Projector& projector;
    DataSource& data;        ///< the counts of its parts
    Space& space;            ///< the projector's
    const Lattice& lattice;  ///< lattice of the image
    const AlgorithmSettings& settings;
    std::size_t blocks;                           ///< blocks of one iteration
    std::function<ObjectiveValue()> objective{};  ///< at x, for Steps::Measured; may write over a correction
};

/// A row of the table.
struct Algorithm {
    std::string name;                   ///< in settings, options and files: "ramla"
    std::string about;                  ///< what it does, one line for its choice, marked by toTranslate()
    std::vector<std::string> settings;  ///< keys of the parameters it uses beside "iterations"
    Grouping grouping = Grouping::BySubsets;
    Discrepancy discrepancy = Discrepancy::Ratio;
    Sensitivity sensitivity = Sensitivity::OfBlock;
    /// What `subsets` 0 means: so many blocks that each has a count for so many voxels of the image
    /// (subsetsByCounts()); 0: one for every part.
    double voxelsPerCount = 0;
    UsesPrior prior = UsesPrior::No;
    UsesAnatomy anatomy = UsesAnatomy::No;
    Steps steps = Steps::Recorded;
    Residuals residuals = Residuals::OfProjector;
    ImageValues values = ImageValues::NotNegative;
    Processes processes = Processes::Any;
    std::size_t dataArrays = 0;      ///< arrays of the largest part's size that its update allocates
    std::size_t passes = 1;          ///< over the data in an iteration, but perhaps the first
    std::size_t images = 0;          ///< whole images that its update allocates
    std::size_t imagesPerBlock = 0;  ///< and those it allocates for every block
    std::function<std::unique_ptr<ImageUpdate>(const UpdateContext&)> makeUpdate;
    std::string shortName{};  ///< in lists, marked by toTranslate(); empty: the name in capitals, as it is
                              ///< short for words
};

/// Throws WrongUse, in one sentence, for priors that the algorithm cannot take and numbers that mean nothing.
void requirePrior(const AlgorithmSettings& settings);

/// Every algorithm, in the order of help and settings.
[[nodiscard]] const std::vector<const Algorithm*>& algorithms();
[[nodiscard]] std::vector<std::string> algorithmNames();
/// Throws WrongUse for an unknown name.
[[nodiscard]] const Algorithm& algorithmNamed(const std::string& name);

}  // namespace tof
