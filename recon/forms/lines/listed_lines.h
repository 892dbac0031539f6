// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "recon/binning/line_lister.h"
#include "recon/forms/form/list_motion.h"
#include "recon/io/castor/castor_lines.h"

namespace tof {

/// The lines of a list between the crystals of a scanner or of the rings that were asked for, with the
/// corrections that were named and without what attenuates, whether it comes whole or in parts.
class ListedLines {
  public:
    /// `scan` is what is known of the list beside its events, and `first` its first part, or all of it;
    /// `scanner` may be null. Keeps references to `context`, `scanner`. Throws BadInput, WrongUse.
    ListedLines(const EventList& scan, const EventList& first, const Scanner* scanner,
                const BinContext& context);
    ListedLines(const ListedLines&) = delete;
    ListedLines& operator=(const ListedLines&) = delete;

    /// Throws BadInput where the events of a part cannot be listed; `first` is the number of its first one.
    void require(const EventList& events, std::uint64_t first) const;
    [[nodiscard]] LineLister& lister() { return *lister_; }
    /// The poses of every frame, where something moved.
    [[nodiscard]] std::vector<FramePoses> poses() const;
    [[nodiscard]] LineData take();

  private:
    void beginFree(const EventList& scan, const EventList& first, const Scanner& scanner);
    void beginNormalised(const EventList& scan, const EventList& first, const Scanner* scanner);
    void beginCorrected(const EventList& scan, const EventList& first, const Scanner* scanner);
    void takePoses(const EventList& scan, const EventList& first, const Scanner& scanner);

    const BinContext& context_;
    std::shared_ptr<const RigidMotion> motion_;
    std::optional<ListPoses> poses_;
    std::optional<SinogramData> corrections_;
    std::optional<CastorLines> norm_;  ///< whose pairs, and nothing else, are possible
    std::optional<LineLister> lister_;
    bool free_ = false;  ///< between the crystals of the list's own scanner
};

}  // namespace tof
