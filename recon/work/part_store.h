// SPDX-License-Identifier: Apache-2.0
// The parts of one data set's corrections: looked up by content, found, switched and put together.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/base/work_progress.h"
#include "recon/corrections/correct_scatter.h"
#include "recon/data/correction_parts.h"
#include "recon/data/crystal_singles.h"
#include "recon/scanner/scanner.h"
#include "recon/work/correct_request.h"
#include "recon/work/correct_shared.h"

namespace tof {

/// Parts of histo-images, sinograms or lines. Keeps references.
class PartStore {
  public:
    /// `source` names the data in messages. Keys hold `base` and `model`, which say what the values belong
    /// to. `own` are the data's parts, which change; `found`, where given, those of other data sets.
    PartStore(const std::string& source, ContentHash base, std::string model, WorkProgress& progress,
              CorrectionParts& own, const CorrectionParts* found)
        : source_(source),
          base_(base),
          model_(std::move(model)),
          progress_(progress),
          own_(own),
          found_(found) {}

    /// Of a part: `what` names how it is found.
    [[nodiscard]] PartKey key(const char* what) const;

    /// What makes a part's values, and the figures that it is told with.
    using Find = std::function<std::vector<float>(nlohmann::ordered_json& figures)>;
    /// The part `name` is that of this key with `size` values, from before, which progress is told, or found;
    /// and is on.
    void findOrTake(const char* name, const std::string& key, std::size_t size, const Find& find);

    /// The part `name` as the data came with it, unless one is known.
    void keepGiven(const char* name, const std::string& key, const std::vector<float>& values);
    /// The same of a volume.
    void keepGiven(const char* name, const std::string& key, const Volume& volume);
    /// The part `name` is this volume, told with `figures`, and is on.
    void take(const char* name, const std::string& key, const Volume& volume,
              const nlohmann::ordered_json& figures);

    /// What one factor for every crystal makes of the data: factors of mult, or the factors themselves.
    using OfCrystals = std::function<std::vector<float>(const std::vector<double>& factors)>;
    /// The part kEfficiencies from the list that `request` names, if it does: normalisation, of `size` values
    /// by `spread`. `form` tells keys of one form of data from those of others. Throws as readNormalisation()
    /// and crystalEfficiencies().
    void findEfficiencies(const CorrectRequest& request, const Scanner& scanner, const std::string& form,
                          std::size_t size, const ThreadPool& pool, const OfCrystals& spread);
    /// The part kDeadTime from singles that say what kept blocks busy; nothing where they do not. Throws as
    /// aliveShares().
    void findDeadTime(const CrystalSingles& singles, const Scanner& scanner, const std::string& form,
                      std::size_t size, const OfCrystals& spread);

    /// Switches a part. Throws WrongUse where there is none that could be on, with a hint at `remedy`.
    void turn(const char* name, const std::optional<bool>& wanted, const std::string& remedy);
    /// Switches randoms: those wanted on, others off. Throws as turn().
    void turnRandoms(const std::optional<RandomsBy>& wanted);

    /// The part when it is known, and on.
    [[nodiscard]] const CorrectionPart* taken(const char* name) const;
    [[nodiscard]] const CorrectionPart* find(const char* name) const { return own_.find(name); }
    [[nodiscard]] CorrectionPart* find(const char* name) { return own_.find(name); }
    /// Randoms that scatter is found beside: those that are on, else any that are known; null: none.
    [[nodiscard]] const CorrectionPart* knownRandoms() const;

    /// Counts of the parts that go into add and are on; 0 without any.
    [[nodiscard]] std::vector<float> add(std::size_t size) const;
    /// Whether a part is known that goes into add.
    [[nodiscard]] bool knowsAdd() const;
    /// `values` times efficiencies and shares of time alive: those that are on, or all that are known. Empty
    /// `values` are 1, and stay empty without factors.
    [[nodiscard]] std::vector<float> timesFactors(std::vector<float> values, bool all) const;
    /// Keys of what timesFactors() knows, for what is found with them.
    [[nodiscard]] std::string factorKeys() const;

    /// Figures of the parts that are on.
    [[nodiscard]] CorrectResult result() const;

  private:
    void put(CorrectionPart part);

    const std::string& source_;
    ContentHash base_;
    std::string model_;
    WorkProgress& progress_;
    CorrectionParts& own_;
    const CorrectionParts* found_;
};

/// What a scatter part is told with.
[[nodiscard]] nlohmann::ordered_json figuresOf(const ScatterFound& found);

}  // namespace tof
