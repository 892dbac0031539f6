// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "recon/work/follow.h"
#include "ui/desk/list_binning.h"

namespace tof::ui {

class Desk;

/// A list to be followed, on a lattice that the window asks for as it does for binning.
struct FollowWish : FollowRequest {
    ListBinning image{};

    /// With the lattice.
    [[nodiscard]] FollowRequest request() const;
};

/// The fields of a dialog. They read and write `wish`, which must outlive them.
[[nodiscard]] std::vector<BoundRow> followWishRows(FollowWish& wish);

/// Follows the list with the settings of the next run, beside whatever is open: its newest image is a row of
/// the list, and how far it is the title of the task. When it ends, the data file is opened and
/// reconstructed. Returns at once. What fails becomes a message of the desk.
void followList(Desk& desk, const FollowWish& wish);

}  // namespace tof::ui
