// SPDX-License-Identifier: Apache-2.0
// A measured data set as everything above its system sees it. A new system's data are one more class, in its
// room.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/data/scan_totals.h"
#include "recon/ranks/communicator_of_one.h"
#include "recon/scanner/scanner_text.h"
#include "recon/seam/data_source.h"
#include "recon/seam/engine.h"
#include "recon/seam/set_up.h"
#include "recon/settings/settings.h"
#include "recon/sources/data_hold.h"
#include "recon/sources/resident_source.h"
#include "recon/sources/sensitivity_cache.h"
#include "recon/systems/data_quantity.h"
#include "recon/systems/rank_share.h"

namespace tof {

struct FramedCounts;

/// Where a run puts its data, and what it projects them with.
struct SourcePlace {
    const Engine& engine;
    const EngineOptions& options;
    PlacedData& placed;            ///< its space; data that no setting changes stay there for other jobs
    std::size_t reserveBytes = 0;  ///< what the run is yet to allocate in that space
    std::shared_ptr<SensitivityCache> sensitivities;            ///< kept between jobs; null: none
    std::shared_ptr<Communicator> ranks = communicatorOfOne();  ///< those that make the run together
    /// Throws Cancelled when the run is not wanted any more; called by the thread that places the data.
    std::function<void()> heed = [] {};

    /// Threads whose loops heed it, for the thread that calls this.
    [[nodiscard]] ThreadPool pool() const;
};

/// One of the two directions that the views of data are laid out in.
struct ViewAxis {
    std::string name;            ///< "azimuth", "tilt", "segment", "time bin"
    std::vector<double> values;  ///< ascending: degrees, or the numbers of segments or time bins
    /// What each value stands for where that is more than itself: least and greatest ring difference of a
    /// segment, ends of a time bin in ps. Empty: nothing more.
    std::vector<std::array<double, 2>> spans;
    /// Where one begins to look; none: where one was in other data.
    std::optional<int> start;
};

/// How the views of data are laid out.
struct ViewLayout {
    std::array<ViewAxis, 2> axes;
    std::vector<std::optional<std::size_t>>
        views;  ///< [second axis][first]; none where there is no such view
};

/// What the voxels of a view are.
enum class ViewSpace {
    Image,  ///< the image's own
    Radial  ///< x the signed distance from the axis, y the azimuth of 180 degrees, z the plane
};

/// How many events the data hold of those that were recorded.
struct EventTally {
    double kept = 0;
    double recorded = 0;  ///< 0: not known
};

/// A measured data set. Immutable, shared between threads.
class Measurement {
  public:
    virtual ~Measurement() = default;

    /// What it is, for JSON and tables: "histo-images", "sinograms", "lines", "panel".
    [[nodiscard]] virtual std::string kind() const = 0;
    /// The system that measured it: "histo", "lines", "panel". Names the settings that mean something for it
    /// (appliesTo) and the strategies of engines (Engine::strategies).
    [[nodiscard]] virtual std::string system() const = 0;
    /// The lattice of the image that it is reconstructed on.
    [[nodiscard]] virtual const Lattice& lattice() const = 0;
    /// The hash of its content, hexadecimal; kept in runs.
    [[nodiscard]] virtual const std::string& hash() const = 0;
    /// What was measured: a phantom's name or JSON, or empty.
    [[nodiscard]] virtual const std::string& phantom() const = 0;
    /// What runs keep of the scanner, may be empty.
    [[nodiscard]] virtual ScannerText scannerJson() const = 0;
    /// How long was measured, s; 0: the file does not say.
    [[nodiscard]] virtual double duration_s() const = 0;
    /// The scan as a whole, as far as the file says.
    [[nodiscard]] virtual ScanTotals totals() const { return {duration_s(), 0, 0}; }
    [[nodiscard]] virtual EventTally events() const = 0;
    /// Those that are kept, or where nobody has counted them the sum of all views, added up at the first
    /// call.
    [[nodiscard]] double counts() const;
    /// The units of images made from it: kEmissionsPerVoxel only where the model is absolute.
    [[nodiscard]] virtual std::string units() const = 0;
    /// Bytes in host memory, what a run makes of it included.
    [[nodiscard]] virtual std::size_t memoryBytes() const = 0;

    // For a run.
    /// The parts in the order in which an algorithm uses them: a permutation of 0 .. parts-1, the same for
    /// the same seed.
    [[nodiscard]] virtual std::vector<std::size_t> order(std::uint64_t seed) const = 0;
    /// Makes what takes long of model(settings), which then returns at once. A system whose models are made
    /// at once has nothing to prepare. Throws as model() does, and what `setUp` throws.
    virtual void prepare(const RunSettings& /*settings*/, const SetUp& /*setUp*/) const {}
    /// Whether models are made at once, so that the choice of an engine may ask each for one; others may take
    /// minutes.
    [[nodiscard]] virtual bool modelsAtOnce() const { return false; }
    /// Throws WrongUse or BadInput for settings that make none. What was not prepared is made on host
    /// threads, and nobody can watch.
    [[nodiscard]] virtual SystemModel model(const RunSettings& settings) const = 0;
    /// These data for another image. Throws WrongUse where their lattice is fixed.
    [[nodiscard]] virtual std::shared_ptr<const Measurement> onLattice(const Lattice& lattice) const;
    /// These data in parts of which as many blocks alike can be made; null: in those that they have.
    [[nodiscard]] virtual std::shared_ptr<const Measurement> inBlocks(std::size_t /*blocks*/) const {
        return nullptr;
    }
    /// What run files keep of the model: an object with what the settings have made of it.
    [[nodiscard]] virtual nlohmann::ordered_json describe(const RunSettings& settings) const = 0;
    /// The data in `place`, in the parts of a projector of model(settings). Throws Unavailable when they do
    /// not fit, Cancelled.
    [[nodiscard]] virtual std::shared_ptr<DataSource> source(const RunSettings& settings,
                                                             const SourcePlace& place) const = 0;

    /// What one rank of several does. Throws WrongUse where the data cannot be divided so.
    [[nodiscard]] virtual RankShare share(const RankRequest& request) const;

    // By time.
    /// The counts by time; null: the data are not cut.
    [[nodiscard]] virtual std::shared_ptr<const FramedCounts> frames() const { return nullptr; }
    /// Counts of a frame where they take the place of all in the parts of source(), in their order.
    /// `counts` becomes them; its memory is used where it suffices.
    virtual void countsOfFrame(std::size_t /*frame*/, const ThreadPool& /*pool*/,
                               std::vector<float>& counts) const {
        counts.clear();
    }
    /// Whether frames have models of their own in place of that, as where each line is an event.
    [[nodiscard]] virtual bool framesStandAlone() const { return false; }
    /// The data of such a frame, with its share of what is expected beside the image.
    [[nodiscard]] virtual std::shared_ptr<const Measurement> frameAlone(std::size_t /*frame*/) const {
        return nullptr;
    }

    // Views, to look at.
    [[nodiscard]] virtual ViewLayout layout() const = 0;
    [[nodiscard]] virtual ViewSpace viewSpace() const = 0;
    /// How many views there are as its system counts them: azimuths and tilts, azimuths and sinograms; empty
    /// where nobody counts.
    [[nodiscard]] virtual std::vector<std::size_t> viewCounts() const = 0;
    /// Whether there is such a quantity to look at: corrections that the data have, an expectation that can
    /// be projected.
    [[nodiscard]] virtual bool shows(DataQuantity quantity) const = 0;
    /// Counts, mult, add or att of a view; 1 or 0 where the data have none. Throws WrongUse for a quantity
    /// that needs an expectation, or a view that the data do not have.
    [[nodiscard]] virtual Volume view(std::size_t view, DataQuantity quantity) const = 0;
    /// What `image` makes expected in a view with model and engine of `settings`. Throws WrongUse when the
    /// lattices differ or views have no expectation, Unavailable when the engine cannot project.
    [[nodiscard]] virtual Volume expected(std::size_t view, const Volume& image, const RunSettings& settings,
                                          const EngineRegistry& engines) const = 0;
    /// Counts of every view.
    [[nodiscard]] virtual std::vector<double> viewTotals() const = 0;

  private:
    mutable std::once_flag counted_;
    mutable double counts_ = 0;
};

/// Equal text, equal sensitivities: the engine, the model that `settings` make, and `content`, which stands
/// for all else that they are made from.
[[nodiscard]] std::string sensitivityKey(const Measurement& data, const RunSettings& settings,
                                         const SourcePlace& place, const std::string& content);

/// A source of arrays in `place`, used as they are where the space is host memory; kept there. Sensitivities
/// come from the cache, if there is one, under `key`.
[[nodiscard]] std::shared_ptr<DataSource> sourceOfParts(const PartedData& data, const SourcePlace& place,
                                                        const std::string& key);

/// Every part of what `image` makes expected with a model, without corrections, by the engine of `settings`.
/// Throws Unavailable when the engine cannot project.
[[nodiscard]] std::vector<float> projected(const Volume& image, const SystemModel& model,
                                           const RunSettings& settings, const EngineRegistry& engines);
/// What was projected of a view, attenuated as it is, becomes mult * projected + add.
void correct(Volume& projected, const Measurement& data, std::size_t view);

/// Throws WrongUse unless the image is on the data's lattice.
void requireLattice(const Measurement& data, const Volume& image);

}  // namespace tof
