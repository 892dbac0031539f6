// SPDX-License-Identifier: Apache-2.0
// What corrections of all forms of data share: names and keys of parts, and what attenuates.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "recon/base/work_progress.h"
#include "recon/corrections/attenuation_map.h"
#include "recon/data/crystal_singles.h"
#include "recon/data/data_hash.h"
#include "recon/data/events.h"
#include "recon/scanner/scanner.h"
#include "recon/work/correct_request.h"

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
    [[nodiscard]] std::string result() const { return hash_.text(); }

  private:
    ContentHash hash_;
};

/// A normalisation scan: its list without what was scattered or came together by chance, where it says so.
/// Throws WrongUse where it names no phantom, BadInput.
[[nodiscard]] EventList readNormalisation(const std::string& path);

/// Standard deviation of crystals' efficiencies over their mean, which is 1.
[[nodiscard]] double deviationOf(const std::vector<double>& efficiencies);

/// Which randoms are taken: those that the switch names, else those asked for, those of singles first;
/// nothing: as it was.
[[nodiscard]] std::optional<RandomsBy> wantedRandoms(const CorrectRequest& request);

/// randomsThatPartnersLeave() of a scan of so many prompts with so many randoms among them.
[[nodiscard]] double partnersLeave(const std::vector<double>& rates, const Scanner& scanner,
                                   std::uint64_t prompts, double randoms, double duration_s,
                                   double busyPerRecorded);
/// How often blocks were busy for each photon that they recorded; 1 where the singles do not say.
[[nodiscard]] double busyPerRecorded(const CrystalSingles& singles);

/// What attenuates, in 1/mm: the volume of the file `mu`, or, without one, the phantom that the data name, by
/// wholeAttenuation() on their lattice with parts of at most `spacing_mm`. `source` names the data in
/// messages. Throws WrongUse where there is neither, BadInput.
[[nodiscard]] Volume attenuationOf(const std::string& mu, MuUnits units, const std::string& phantom,
                                   const Lattice& lattice, double spacing_mm, const std::string& source,
                                   WorkProgress& progress);
/// Parts of what attenuates when it is to scatter.
inline constexpr double kScatterSpacing_mm = 4;
/// Voxels stay whole for bodies whose lines are followed one by one.
inline constexpr double kWholeVoxels_mm = std::numeric_limits<double>::infinity();

}  // namespace tof
