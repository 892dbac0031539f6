// SPDX-License-Identifier: Apache-2.0
#include "ui/window/page_table.h"

#include "ui/desk/desk.h"
#include "ui/kit/text.h"
#include "ui/lab/kernel_lab_page.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/corrections_page.h"
#include "ui/pages/data_page.h"
#include "ui/pages/figure_page.h"
#include "ui/pages/matched_page.h"
#include "ui/pages/runs_page.h"
#include "ui/pages/viewer.h"

namespace tof::ui {

namespace {

constexpr int kLeast = 715;  ///< px that a window of 1100 leaves a page

Page* makeViewer(Desk& desk) {
    return new Viewer(PictureModels::of(desk), desk.screen(), desk.threading());
}

Page* makeCompare(Desk& desk) {
    return new ComparePage(PictureModels::of(desk), desk.screen(), desk.threading());
}

Page* makeData(Desk& desk) {
    return new DataPage(PictureModels::of(desk), desk.engines(), desk.messages(), desk.threading());
}

Page* makeCorrections(Desk& desk) {
    return new CorrectionsPage(desk);
}

Page* makeMatched(Desk& desk) {
    return new MatchedPage(PictureModels::of(desk), desk.screen(), desk.curves(), desk.tasks());
}

Page* makeRuns(Desk& desk) {
    return new RunsPage(PictureModels::of(desk), desk.screen(), desk.curves(), desk.messages());
}

Page* makeFigure(Desk& desk) {
    return new FigurePage(PictureModels::of(desk), desk.messages(), desk.threading());
}

Page* makeLab(Desk& desk) {
    return new KernelLabPage({desk.engines(), desk.runs(), desk.view(), desk.study(), desk.settings(),
                              desk.live(), desk.messages()},
                             desk.threading());
}

}  // namespace

std::vector<PageRow> pageTable() {
    return {
        {{.id = "page.slices",
          .menu = "View",
          .text = Text::tr("Slices"),
          .help = Text::tr("One image in three planes"),
          .icon = "slices",
          .separatorBefore = true},
         makeViewer},
        {{.id = "page.compare",
          .menu = "View",
          .text = Text::tr("Compare"),
          .help = Text::tr("Two images and their difference, in three planes"),
          .icon = "compare",
          .keys = {QKeySequence(Qt::Key_D)}},
         makeCompare,
         {kLeast, 440}},
        {{.id = "page.data",
          .menu = "View",
          .text = Text::tr("Data"),
          .help = Text::tr("The measured data by view, and what the image makes expected of them"),
          .icon = "data",
          .keys = {QKeySequence(Qt::Key_M)}},
         makeData,
         {kLeast, 420}},
        {{.id = "page.corrections",
          .menu = "View",
          .text = Text::tr("Corrections"),
          .help =
              Text::tr("Attenuation, efficiencies, randoms and scatter of the data: how large, on and off"),
          .icon = "data"},
         makeCorrections,
         {kLeast, 560}},
        {{.id = "page.matched",
          .menu = "Curves",
          .text = Text::tr("Matched noise"),
          .help = Text::tr("Of every run the iterate nearest to a level of noise, side by side"),
          .icon = "layout-row",
          .keys = {QKeySequence(Qt::SHIFT | Qt::Key_M)}},
         makeMatched,
         {kLeast, 440}},
        {{.id = "page.runs",
          .menu = "Curves",
          .text = Text::tr("Table of runs"),
          .help = Text::tr("Every run with its settings and figures: sorted, filtered, pinned, commented"),
          .icon = "list"},
         makeRuns,
         {kLeast, 340}},
        {{.id = "page.figure",
          .menu = "Curves",
          .text = Text::tr("Figure"),
          .help = Text::tr("A figure for a paper: slices, profiles and curves on a page, as PDF or SVG"),
          .icon = "layout-grid"},
         makeFigure,
         {kLeast, 440}},
        {{.id = "page.lab",
          .menu = "Kernel",
          .text = Text::tr("Kernel lab"),
          .help = Text::tr("What a kernel is and does: widths, point sources, engines, live"),
          .icon = "kernel",
          .keys = {QKeySequence(Qt::Key_K)}},
         makeLab,
         {1060, 600}}};
}

void addOpenCommand(CommandRegistry& commands, const PageRow& row, PageStack& pages, Page& page) {
    Command open = row.open;
    open.run = [&pages, &page] { pages.toggle(page); };
    open.whyNot = [&page] { return page.whyNot(); };
    open.checked = [&page] { return page.isInFront(); };
    commands.add(std::move(open));
}

}  // namespace tof::ui
