// SPDX-License-Identifier: Apache-2.0
// What an algorithm is to the machinery that runs it (reconstruction.h): a row of a table, and the update it
// makes of the image. A new algorithm is a file beside ramla.cpp and a line of algorithm.cpp, what it can be
// set to a member of AlgorithmParameters and a row of recon/settings/settings.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/seam/space.h"

namespace tof {

struct Algorithm;
[[nodiscard]] const Algorithm& ramla();
[[nodiscard]] const Algorithm& osem();
[[nodiscard]] const Algorithm& mlem();

/// What a person can set of an algorithm; each uses what its row names.
struct AlgorithmParameters {
    int iterations = 20;       ///< 1..100000, the last iteration's number
    double relaxation = 0.03;  ///< lambda_0 of RAMLA, > 0
    double gamma = 0;          ///< lambda_k = lambda_0 / (1 + gamma k), k from 0; >= 0
    int subsets = 0;           ///< blocks per iteration; 0: one part per block
    [[nodiscard]] bool operator==(const AlgorithmParameters&) const = default;
};

struct AlgorithmSettings : AlgorithmParameters {
    const Algorithm* algorithm = &ramla();  ///< never null; must outlive the run, as those of the table do
};

/// Which parts of the data make a block, after which the image is updated.
enum class Grouping { BySubsets, AllData };

/// The sensitivity that an update works with: that of all data, or of the block at hand.
enum class Sensitivity { OfAllData, OfBlock };

/// What an update is given of one block, in the space it was made for; all arrays are of the image's size.
struct BlockTerms {
    ConstView correction;   ///< sum over the block of F^T of the row's discrepancy
    ConstView sensitivity;  ///< the one that the row asks for
    float floor = 0;        ///< floor of that sensitivity: below it nothing is known of a voxel
    Attenuated next = {};   ///< to be handed to the Space::update() that makes the image after this block
};

/// An algorithm at work on one image. Made for one run and used by its thread.
class ImageUpdate {
  public:
    virtual ~ImageUpdate() = default;
    /// Comes before the first block of iteration 1, 2, ..., for what changes between them. May upload.
    virtual void begin(int /*iteration*/) {}
    /// Makes x the image after this block. The space may record what is asked of it here and replay it in
    /// later iterations, so these are the same operations on the same views every time: nothing is allocated,
    /// uploaded or downloaded.
    virtual void apply(const BlockTerms& terms, MutableView x) = 0;
};

/// What the maker of an update has to go by.
struct UpdateContext {
    Space& space;
    const Lattice& lattice;  ///< lattice of the image
    const AlgorithmSettings& settings;
    std::size_t blocks;  ///< blocks of one iteration
};

/// A row of the table.
struct Algorithm {
    std::string name;                   ///< in settings, options and files: "ramla"
    std::string about;                  ///< what it does, one line for its choice, marked by toTranslate()
    std::vector<std::string> settings;  ///< keys of the parameters it uses beside "iterations"
    Grouping grouping = Grouping::BySubsets;
    Discrepancy discrepancy = Discrepancy::Ratio;
    Sensitivity sensitivity = Sensitivity::OfBlock;
    std::size_t images = 0;  ///< whole images that its update allocates
    std::function<std::unique_ptr<ImageUpdate>(const UpdateContext&)> makeUpdate;
};

/// Every algorithm, in the order of help and settings.
[[nodiscard]] const std::vector<const Algorithm*>& algorithms();
[[nodiscard]] std::vector<std::string> algorithmNames();
/// Throws WrongUse for an unknown name.
[[nodiscard]] const Algorithm& algorithmNamed(const std::string& name);

}  // namespace tof
