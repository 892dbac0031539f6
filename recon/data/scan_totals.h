// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof {

/// What is known of a scan as a whole; 0: not known. Lists, data and run files hand it on, so that what a
/// simulation knows in absolute units stays with everything made from it.
struct ScanTotals {
    double duration_s = 0;
    double decays = 0;   ///< annihilations during the scan, in all directions
    double singles = 0;  ///< photons detected whose partner was not
};

/// Events and data have these members.
template <class Data>
[[nodiscard]] ScanTotals scanTotals(const Data& data) {
    return {data.duration_s, data.decays, data.singles};
}
template <class From, class To>
void copyScanTotals(const From& from, To& to) {
    to.duration_s = from.duration_s;
    to.decays = from.decays;
    to.singles = from.singles;
}

}  // namespace tof
