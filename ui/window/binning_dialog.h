// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <optional>

#include "ui/desk/list_binning.h"

namespace tof::ui {

/// Form, views, lattice, scanner, corrections and what to do with a damaged file; empty when the user changes
/// their mind. `missing`: what the file cannot be read without, said above the fields.
[[nodiscard]] std::optional<ListBinning> askForBinning(QWidget* parent, const QString& file,
                                                       ListBinning binning = ListBinning(),
                                                       const QString& missing = {});

}  // namespace tof::ui
