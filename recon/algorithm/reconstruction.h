// SPDX-License-Identifier: Apache-2.0
// The iterations of every algorithm, written once over Projector, Space, DataSource and RunControl
// (docs/model.md section 3).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "recon/algorithm/algorithm.h"
#include "recon/algorithm/spare_images.h"
#include "recon/base/lattice.h"
#include "recon/seam/data_source.h"
#include "recon/seam/projector.h"
#include "recon/seam/run_control.h"

namespace tof {

/// The blocks of one iteration: block b holds parts order[b], order[b + subsets], ... Throws WrongUse unless
/// subsets is 0..order.size().
[[nodiscard]] std::vector<std::vector<std::size_t>> makeBlocks(const AlgorithmSettings& settings,
                                                               std::span<const std::size_t> order);

/// How many subsets a run takes that leaves it to the program: so many that a block has a count for every
/// `voxelsPerCount` voxels of the image, 20 at most and none of fewer than 6 parts; where there is one in the
/// upper half of that, a divisor of the parts. At least 1.
[[nodiscard]] int subsetsByCounts(double counts, double voxelsPerCount, std::size_t voxels,
                                  std::size_t parts);

/// Whether the subsets of a run follow from its counts.
[[nodiscard]] bool goesByCounts(const AlgorithmSettings& settings);
/// The subsets of a run: those that are set, or subsetsByCounts() where it goes by them.
[[nodiscard]] int subsetsOfRun(const AlgorithmSettings& settings, double counts, std::size_t voxels,
                               std::size_t parts);

/// Data of the projector's largest part.
[[nodiscard]] std::size_t largestPart(const Projector& projector);
/// Bytes of its space that a Reconstruction of binned data allocates.
[[nodiscard]] std::size_t workingBytes(const Projector& projector, const AlgorithmSettings& settings);

/// The parts of a block from place `first` on are added up in an image of their own and then to the others',
/// so that float sums have one order in one process and on two ranks, which have a share each.
struct SecondShare {
    std::size_t first = 0;  ///< 0: there is one share alone
    MutableView image = {};
};

/// Sum over parts of att F^T mult: the sensitivity image of the given parts, in the projector's space.
/// `heed`, if any, is called before every part and may throw.
void backMult(Projector& projector, DataSource& data, std::span<const std::size_t> parts, MutableView scratch,
              const SecondShare& second, MutableView sensitivity, const std::function<void()>& heed = {});

/// What an update knows of data whose sensitivity is known; `scratch` is of the image's size, and so are all
/// that come from it.
[[nodiscard]] DataScale dataScale(Projector& projector, const DataSource& data, ConstView sensitivity,
                                  MutableView scratch);

/// One reconstruction: owns x, the sensitivities and the scratch memory, all allocated by the constructor;
/// the iterations themselves allocate nothing in the space and copy nothing but whole iterates and snapshots.
/// Not thread-safe; run() is called from one thread.
class Reconstruction {
  public:
    /// `lattice` is that of the image; `order` lists every part once, in the order of use. Throws WrongUse
    /// for settings out of range and Unavailable when memory does not suffice. Throws Cancelled when
    /// `control` says so during the sensitivities.
    Reconstruction(Projector& projector, DataSource& data, const Lattice& lattice,
                   const AlgorithmSettings& settings, std::vector<std::size_t> order, RunControl& control);

    /// x as it starts: uniform with the total that makes the expected counts those measured; zero where the
    /// sensitivity is below kSensitivityFloor of its maximum.
    void startUniform();
    /// x after `iteration` whole iterations, from a checkpoint or a start image (0). Throws BadInput when the
    /// size is wrong or a value is negative or not finite.
    /// `coefficients`: Iterate::coefficients of that iterate, or empty.
    void startFrom(std::span<const float> image, int iteration, std::span<const float> coefficients = {});

    /// Iterates to settings.iterations, unless finished earlier. Returns the number of the last whole
    /// iterate.
    int run(RunControl& control);

    /// Sets the units of its images: kEmissionsPerVoxel unless the data say another (Measurement::units).
    void setUnits(std::string units) { units_ = std::move(units); }
    /// What images that leave beside the next iteration lie on, where the projector's are slabs of it.
    void setWhole(const Lattice& whole) { whole_ = whole; }
    [[nodiscard]] std::size_t blocks() const { return blocks_.size(); }
    /// The objective at x, by a projection of all data.
    [[nodiscard]] ObjectiveValue objective();
    /// x as it is now, on the host.
    [[nodiscard]] Volume image();
    /// An image of the prior at x, on the host; nothing where there is none.
    [[nodiscard]] std::optional<Volume> image(PriorImage which);
    /// Sensitivity image s, on the host.
    [[nodiscard]] std::vector<float> sensitivity();

  private:
    void findBlockSensitivities(RunControl& control);
    void findSensitivity(const std::vector<std::size_t>& order, RunControl& control);
    [[nodiscard]] SecondShare secondShare(std::size_t block);
    void prepareUpdate();
    /// Whether a voxel is multiplied by what a part of the data says of it.
    [[nodiscard]] bool multipliesByBlocks() const;
    void tellFewCounts(RunControl& control);
    /// Counts of a block.
    [[nodiscard]] double countsOf(std::size_t block);
    void update(std::size_t block, std::size_t pass, RunControl& control);
    /// correction_ = the sum of a block's back projections.
    void backBlock(std::size_t block, RunControl& control);
    /// Asks `control` to go on; how long it lets wait is no time of the iteration.
    template <typename Ask>
    void pauseFor(const Ask& ask);
    /// att of the first part of a block, and where att x belongs.
    [[nodiscard]] Attenuated seenBy(std::size_t block);
    /// Who multiplies an image by the att of the part that sees it next.
    enum class Attenuating { Here, UpdateBefore };
    /// What a part is projected from.
    [[nodiscard]] ConstView seen(const PartData& part, Attenuating by);
    /// Fetches the streamed part that comes next after place `place` of a block.
    void prefetchAfter(std::size_t block, std::size_t place);
    [[nodiscard]] bool iterate(int iteration, RunControl& control);
    /// An image of the lattice that images are handed over on; null on ranks that hand over none.
    [[nodiscard]] std::shared_ptr<const Volume> downloaded(ConstView image);
    /// Has the image of an iterate taken to the host while the next one is made.
    void letLeave(Iterate iterate, std::unique_ptr<Snapshot> image);
    /// Hands over the iterate whose image was on its way, if there is one and it arrives soon enough.
    void handOver(RunControl& control, std::chrono::milliseconds patience);
    /// Hands it over however long its way takes.
    void handOver(RunControl& control);

    Projector& projector_;
    DataSource& data_;
    Lattice lattice_;
    AlgorithmSettings settings_;
    std::vector<std::vector<std::size_t>> blocks_;
    std::vector<std::size_t> secondShares_;  ///< by block SecondShare::first
    std::string units_ = kEmissionsPerVoxel;
    int iterationsDone_ = 0;
    double lastSeconds_ = 0;                        ///< the last iteration took them
    std::chrono::steady_clock::duration waited_{};  ///< pauses of the iteration at hand
    float lastChange_ = 0;                          ///< that of the last iterate, where it is asked for
    std::uint64_t generation_;
    Lattice whole_;  ///< the lattice of images that are handed over

    /// A whole iterate that is handed over beside the next one, with its image on its way.
    struct Leaving {
        Iterate iterate;
        std::future<std::shared_ptr<const Volume>> image;
    };
    std::optional<Leaving> leaving_;
    std::shared_ptr<SpareImages> spare_;

    Array image_;
    Array lastWhole_;  ///< x of the last whole iterate, restored when a run is finished inside an iteration
    Array correction_;
    Array secondImage_;  ///< SecondShare::image, if a block has two
    Array attenuated_;   ///< att x of the part at hand, if there is att
    Array scratch_;
    std::unique_ptr<ImageUpdate> update_;
    Array sensitivity_;
    std::vector<Array> blockSensitivity_;  ///< per block where the update needs it, else empty
    float floor_ = 0;                      ///< floor of s
    std::vector<float> blockFloor_;
};

}  // namespace tof
