// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "recon/scanner/line_events.h"
#include "recon/seam/data_source.h"

namespace tof {

/// All events of a list of which a source holds some.
struct WholeList {
    std::size_t events = 0;
    std::size_t eventsPerPart = 0;

    [[nodiscard]] std::size_t partSize(std::size_t part) const {
        const std::size_t first = std::min(part * eventsPerPart, events);
        return std::min(eventsPerPart, events - first);
    }
};

/// List-mode in a projector's space: every event counts once. The sensitivity of all lines that the scanner
/// could have recorded comes from outside; a part has the share of it that it has of the events.
class ListSource : public DataSource {
  public:
    /// `sensitivity`: F^T mult over all possible lines, lattice order. `mult` and `add` per event; empty: 1
    /// and 0. `totalAdd`: additive counts over all bins, 0 when there are none. `whole`: of which list these
    /// are events of each part; none: this is all of it. Totals and sensitivities are the whole list's.
    ListSource(std::shared_ptr<const LineEvents> events, const std::vector<float>& sensitivity,
               const std::vector<float>& mult, const std::vector<float>& add, double totalAdd,
               std::shared_ptr<Space> space, const std::optional<WholeList>& whole = std::nullopt);

    [[nodiscard]] std::size_t parts() const override { return events_->parts(); }
    [[nodiscard]] bool resident() const override { return true; }
    [[nodiscard]] bool listMode() const override { return true; }
    [[nodiscard]] PartData part(std::size_t index) override;
    [[nodiscard]] ConstView knownSensitivity(std::span<const std::size_t> parts) override;
    [[nodiscard]] double totalCounts() const override { return static_cast<double>(whole_.events); }
    [[nodiscard]] double totalAdd() const override { return totalAdd_; }

  private:
    std::shared_ptr<const LineEvents> events_;
    WholeList whole_;
    std::shared_ptr<Space> space_;
    double totalAdd_;
    Array ones_;
    Array mult_;
    Array add_;
    Array sensitivity_;
    Array share_;
};

}  // namespace tof
