// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/joined/joined_source.h"
#include "recon/joined/warp.h"
#include "recon/systems/measurement.h"

namespace tof {

/// One of the measurements that are joined. Each expects what its data expect of the warped image.
struct JoinedMember {
    std::shared_ptr<const Measurement> data;
    std::shared_ptr<const Warp>
        warp;  ///< from the joined image to that of `data`, share of the time included
    /// The counts are those of this frame of `data` alone, with its share of what is expected beside the
    /// image; none: all.
    std::optional<std::size_t> frame{};
};

/// What is said of joined data.
struct JoinedNames {
    std::string phantom;  ///< what is measured, where its place in the joined image is known; or empty
    ScanTotals totals;
    std::string key;   ///< that of describe(), such as "fields" or "beds"
    std::string what;  ///< its value: the file that says how they are joined
    std::string hash;  ///< stands for the warps
};

/// Measurements of one image, each of which sees it by a warp: gates that move, beds of a body. Expectation
/// maximisation over the parts of all makes one image; sensitivities are sums of transposed warps of theirs.
/// There is nothing to look at but totals.
class JoinedMeasurement : public Measurement {
  public:
    /// Members have one system, one kind and one kind of units; each has a lattice of its own, to which its
    /// warp goes from `lattice`. Throws BadInput, and InternalError for a warp of other lattices.
    JoinedMeasurement(const Lattice& lattice, std::vector<JoinedMember> members, JoinedNames names);

    [[nodiscard]] std::string kind() const override { return first().kind(); }
    [[nodiscard]] std::string system() const override { return first().system(); }
    [[nodiscard]] const Lattice& lattice() const override { return lattice_; }
    [[nodiscard]] const std::string& hash() const override { return hash_; }
    [[nodiscard]] const std::string& phantom() const override { return names_.phantom; }
    [[nodiscard]] ScannerText scannerJson() const override { return first().scannerJson(); }
    [[nodiscard]] double duration_s() const override { return names_.totals.duration_s; }
    [[nodiscard]] ScanTotals totals() const override { return names_.totals; }
    [[nodiscard]] EventTally events() const override;
    [[nodiscard]] std::string units() const override { return first().units(); }
    [[nodiscard]] std::size_t memoryBytes() const override;

    /// One member's parts after the other's. A subset is every n-th part, so that it has as many of each, but
    /// for one.
    [[nodiscard]] std::vector<std::size_t> order(std::uint64_t seed) const override;
    void prepare(const RunSettings& settings, const SetUp& setUp) const override;
    [[nodiscard]] SystemModel model(const RunSettings& settings) const override;
    [[nodiscard]] nlohmann::ordered_json describe(const RunSettings& settings) const override;
    [[nodiscard]] std::shared_ptr<DataSource> source(const RunSettings& settings,
                                                     const SourcePlace& place) const override;
    /// Ranks have whole parts each, of data that all of them hold. Throws WrongUse where an update has fewer
    /// parts than there are ranks.
    [[nodiscard]] RankShare share(const RankRequest& request) const override;

    [[nodiscard]] ViewLayout layout() const override { return {}; }
    [[nodiscard]] ViewSpace viewSpace() const override { return first().viewSpace(); }
    [[nodiscard]] std::vector<std::size_t> viewCounts() const override { return {}; }
    [[nodiscard]] bool shows(DataQuantity /*quantity*/) const override { return false; }
    /// These throw WrongUse.
    [[nodiscard]] Volume view(std::size_t view, DataQuantity quantity) const override;
    [[nodiscard]] Volume expected(std::size_t view, const Volume& image, const RunSettings& settings,
                                  const EngineRegistry& engines) const override;
    [[nodiscard]] std::vector<double> viewTotals() const override;

  private:
    [[nodiscard]] const Measurement& first() const { return *members_.front().data; }
    [[nodiscard]] std::shared_ptr<DataSource> sourceThat(TotalsAre totals, const RunSettings& settings,
                                                         const SourcePlace& place) const;

    Lattice lattice_;
    std::vector<JoinedMember> members_;
    JoinedNames names_;
    std::string hash_;
};

}  // namespace tof
