// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "recon/seam/space.h"

namespace tof {

/// The measured data of a projector's parts, in the projector's space: resident, or streamed with prefetch.
/// One caller thread at a time.
class DataSource {
  public:
    virtual ~DataSource() = default;
    [[nodiscard]] virtual std::size_t parts() const = 0;
    /// True when part(i) gives the same views every time and they stay valid.
    [[nodiscard]] virtual bool resident() const = 0;
    /// List-mode: every y is 1 and unobserved bins are absent, so sensitivities enter the update explicitly.
    [[nodiscard]] virtual bool listMode() const { return false; }
    /// The data of a part; when not resident, valid until the next call. Throws BadInput when it cannot be
    /// read.
    [[nodiscard]] virtual PartData part(std::size_t index) = 0;
    /// True when part(i) has to be brought from elsewhere, so that prefetch() helps.
    [[nodiscard]] virtual bool streamed(std::size_t /*index*/) const { return false; }
    /// Starts fetching a streamed part, the next one that will be asked for, beside the work on the last one
    /// that was, which has been given.
    virtual void prefetch(std::size_t /*index*/) {}
    /// What sensitivities take of a part, mult and att, unless list-mode knows better. Valid as part() is.
    [[nodiscard]] virtual SensitivityWeights sensitivityWeights(std::size_t index) {
        const PartData data = part(index);
        return {data.mult, data.att};
    }
    /// Sum over these parts of att F^T mult when it is known without projecting, as it must be for list-mode,
    /// whose lines are not all lines; else empty. Valid until the next call.
    [[nodiscard]] virtual ConstView knownSensitivity(std::span<const std::size_t> /*parts*/) { return {}; }
    /// Tells what knownSensitivity() did not know.
    virtual void sensitivityFound(std::span<const std::size_t> /*parts*/, ConstView /*sensitivity*/) {}
    /// Adds `value` to the counts at each of `places` among those of all parts; the arrays that the data came
    /// from have it already. False where the data have to be placed anew.
    [[nodiscard]] virtual bool addCounts(std::span<const std::uint64_t> /*places*/, float /*value*/) {
        return false;
    }
    [[nodiscard]] virtual double totalCounts() const = 0;
    [[nodiscard]] virtual double totalAdd() const = 0;
};

}  // namespace tof
