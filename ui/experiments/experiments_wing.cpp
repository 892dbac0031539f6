// SPDX-License-Identifier: Apache-2.0
#include "ui/experiments/experiments_wing.h"

#include "ui/desk/desk.h"
#include "ui/experiments/experiments_page.h"
#include "ui/kit/text.h"

namespace tof::ui {

Wing experimentsWing(ReportWriter write) {
    Wing wing;
    wing.pages = [write = std::move(write)] {
        PageRow row{
            {.id = "page.experiments",
             .menu = "Tools",
             .text = Text::tr("Experiments"),
             .help = Text::tr("Tables and figures of the papers made again: run, checks, curves, images"),
             .icon = "flask",
             .separatorBefore = true},
            [write](Desk& desk) {
                auto* page = new ExperimentsPage(desk.engines(), desk.runs(), desk.tasks());
                page->model().setWriter(write);
                return page;
            }};
        return std::vector<PageRow>{std::move(row)};
    };
    return wing;
}

}  // namespace tof::ui
