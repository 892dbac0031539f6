// SPDX-License-Identifier: Apache-2.0
// What corrections of all forms of data share: names and keys of parts, and what attenuates.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "recon/data/data_hash.h"
#include "recon/data/events.h"
#include "recon/work/attenuation_map.h"
#include "recon/work/work_progress.h"

namespace tof {

inline constexpr const char* kAttenuation = "attenuation";
inline constexpr const char* kGeometry = "geometry";
inline constexpr const char* kEfficiencies = "efficiencies";
inline constexpr const char* kDelayeds = "randoms-delayeds";
inline constexpr const char* kSingles = "randoms-singles";
inline constexpr const char* kDeadTime = "dead-time";
inline constexpr const char* kScatter = "scatter";

/// A key of what goes into a part.
class PartKey {
  public:
    /// `what` names the part and how it is found: other arithmetic, other keys.
    PartKey(const char* what, ContentHash model) : hash_(model) { text(what); }
    PartKey& text(const std::string& words) {
        hash_.add(words.data(), words.size());
        return *this;
    }
    template <class T>
    PartKey& values(const std::vector<T>& all) {
        hash_.add(all.data(), all.size() * sizeof(T));
        return *this;
    }
    template <class T>
    PartKey& value(const T& one) {
        static_assert(std::is_arithmetic_v<T>);
        hash_.add(&one, sizeof(one));
        return *this;
    }
    [[nodiscard]] std::string result() const { return hashText(hash_); }

  private:
    ContentHash hash_;
};

/// A normalisation scan: its list without what was scattered or came together by chance, where it says so.
/// Throws WrongUse where it names no phantom, BadInput.
[[nodiscard]] EventList readNormalisation(const std::string& path);

/// Standard deviation of crystals' efficiencies over their mean, which is 1.
[[nodiscard]] double deviationOf(const std::vector<double>& efficiencies);

/// What attenuates, in 1/mm: the volume of the file `mu`, or, without one, the phantom that the data name, on
/// their lattice. `source` names the data in messages. Throws WrongUse where there is neither, BadInput.
[[nodiscard]] Volume attenuationOf(const std::string& mu, MuUnits units, const std::string& phantom,
                                   const Lattice& lattice, const std::string& source, WorkProgress& progress);

}  // namespace tof
