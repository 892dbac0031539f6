// SPDX-License-Identifier: Apache-2.0
// What is made by time and opened at once, as steps that can be undone.
#pragma once

#include <QStringList>

#include "ui/desk/list_binning.h"

namespace tof::ui {

class Desk;

/// Opens images that were just made; returns at once. Undo takes them out of the list, redo puts them back;
/// their files stay.
void openMade(Desk& desk, const QStringList& files, const QString& step);

/// Bins a list and opens what comes of it; returns at once. Undo bins the list that was open before as it
/// was, which ends all steps as opening data does; there is none where other data were open.
void openCut(Desk& desk, const QString& file, const ListBinning& binning);

}  // namespace tof::ui
