// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "ui/kit/page.h"

namespace tof::ui {

class Desk;

/// A page of the window: the command that opens it, and how it is made.
struct PageRow {
    Command open;  ///< without run, whyNot and checked, which are the same for every page
    std::function<Page*(Desk&)> make;
    QSize least{};  ///< px that the page needs in every language; a smaller window scrolls it
};

/// Every page, in the order of their commands. The first is shown at the start and by whatever leaves another
/// one. A new page is a row here and its files.
[[nodiscard]] std::vector<PageRow> pageTable();

/// Adds the command of a row for the page made of it.
void addOpenCommand(CommandRegistry& commands, const PageRow& row, PageStack& pages, Page& page);

}  // namespace tof::ui
