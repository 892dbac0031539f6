// SPDX-License-Identifier: Apache-2.0
// The parts of one data set's corrections: looked up by content, found, switched and put together.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/base/work_progress.h"
#include "recon/corrections/correct_request.h"
#include "recon/corrections/part_key.h"
#include "recon/data/correction_parts.h"

namespace tof {

/// Keeps references.
class PartStore {
  public:
    /// `source` names the data in messages. `own` are the data's parts, which change; `found` those of other
    /// data sets.
    PartStore(const std::string& source, const ThreadPool& pool, WorkProgress& progress, CorrectionParts& own,
              const CorrectionParts& found)
        : source_(source), pool_(pool), progress_(progress), own_(own), found_(found) {}

    /// What the values of all parts belong to, which every key holds: the form of the data, and all that its
    /// bins or crystals are.
    void belongTo(const std::string& form, const ContentHash& base, const std::string& model);
    /// Where the key of a part begins.
    [[nodiscard]] PartKey key(PartName name) const;

    /// Makes a part's values, and the figures that it is told with.
    using Find = std::function<std::vector<float>(PartFigures& figures)>;
    /// The part `name` is that of this key with `size` values, from before, which progress is told, or found;
    /// and is on.
    void findOrTake(PartName name, const std::string& key, std::size_t size, const Find& find);

    /// A part that is there is made of these factors of crystals.
    void keepCrystals(PartName name, const std::vector<double>& factors);

    /// The part `name` as the data came with it, unless one is known.
    void keepGiven(PartName name, const std::string& key, const std::vector<float>& values);
    void keepGiven(PartName name, const std::string& key, const Volume& volume);
    /// The part `name` is this volume, told with `figures`, and is on.
    void take(PartName name, const std::string& key, const Volume& volume, const PartFigures& figures);

    /// Switches a part. Throws WrongUse where there is none that could be on, with a hint at `remedy`.
    void turn(PartName name, const std::optional<bool>& wanted, const std::string& remedy);
    /// Switches randoms: those wanted on, others off. Throws as turn().
    void turnRandoms(const std::optional<RandomsBy>& wanted);

    [[nodiscard]] const CorrectionPart* find(PartName name) const { return own_.find(name); }
    /// The part when it is known, and on.
    [[nodiscard]] const CorrectionPart* taken(PartName name) const;
    /// Randoms that scatter is found beside: those that are on, else any that are known; null: none.
    [[nodiscard]] const CorrectionPart* knownRandoms() const;

    /// Counts of the parts that go into add and are on; 0 without any.
    [[nodiscard]] std::vector<float> add(std::size_t size) const;
    /// Whether a part is known that goes into add.
    [[nodiscard]] bool knowsAdd() const;
    /// Which of the known factors are taken.
    enum class Factors { TurnedOn, Known };
    /// Values of `part` (none: 1) times efficiencies and shares of time alive; empty without any of these.
    [[nodiscard]] std::vector<float> timesFactors(const CorrectionPart* part, Factors which) const;
    /// Efficiencies of crystals times their shares of time alive, of the parts that are on and keep them;
    /// empty without any of these.
    [[nodiscard]] std::vector<float> crystalsTaken() const;
    /// A copy of a part's values; empty for none.
    [[nodiscard]] std::vector<float> valuesOf(const CorrectionPart* part) const;
    /// Keys of these parts and of the known randoms, for what is found with them.
    [[nodiscard]] std::string knownKeys(std::initializer_list<PartName> names) const;

    /// Figures of the parts that are on.
    [[nodiscard]] CorrectResult result() const;

  private:
    void put(CorrectionPart part);

    const std::string& source_;
    const ThreadPool& pool_;
    WorkProgress& progress_;
    CorrectionParts& own_;
    const CorrectionParts& found_;
    std::string form_{};
    ContentHash base_{};
    std::string model_{};
};

}  // namespace tof
