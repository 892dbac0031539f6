// SPDX-License-Identifier: Apache-2.0
#include "ui/window/window_session.h"

#include "ui/desk/live_tuning.h"
#include "ui/desk/open_study.h"
#include "ui/desk/sessions.h"
#include "ui/kit/json.h"
#include "ui/kit/messages.h"

#include "ui/kit/text.h"
#include "ui/lab/kernel_lab_page.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/data_page.h"
#include "ui/pages/figure_page.h"
#include "ui/pages/figures_panel.h"
#include "ui/pages/matched_page.h"
#include "ui/pages/runs_page.h"
#include "ui/pages/study_panel.h"
#include "ui/pages/viewer.h"
#include "ui/window/detached_panes.h"
#include "ui/window/page_table.h"
#include "ui/window/side_panels.h"

namespace tof::ui {

WindowSession::WindowSession(const Parts& parts, Sessions& sessions, const OpenStudy& study, LiveTuning& live,
                             Messages& messages)
    : parts_(parts), sessions_(sessions), study_(study), live_(live), messages_(messages) {
    Session& session = sessions_.parts();
    session.add("compare", parts_.compare.model());
    session.add({"data", [this] { return parts_.data.model().toJson(); },
                 [this](const nlohmann::json& saved) {
                     parts_.data.model().setOpen(study_.measurement(), study_.form());
                     parts_.data.model().fromJson(saved);
                 }});
    session.add("lab", parts_.lab);
    // Both are of this study's runs, by their letters.
    session.add({"run_table", [this] { return parts_.runs.toJson(); },
                 [this](const nlohmann::json& saved) { parts_.runs.fromJson(saved); },
                 [this] { parts_.runs.fromJson(nlohmann::json::object()); }});
    session.add({"figure", [this] { return parts_.figure.toJson(); },
                 [this](const nlohmann::json& saved) { parts_.figure.fromJson(saved); },
                 [this] { parts_.figure.fromJson(nlohmann::json::object()); }});
    session.add("detached", parts_.detached);
    session.add("panels", parts_.panels);
    session.add(
        {"window", [this] { return toJson(); }, [this](const nlohmann::json& saved) { fromJson(saved); }});
    session.add({"curves", [this] { return curvesToJson(); },
                 [this](const nlohmann::json& saved) { curvesFromJson(saved); }});
}

WindowSession::~WindowSession() {
    for (const char* key :
         {"compare", "data", "lab", "run_table", "figure", "detached", "panels", "window", "curves"}) {
        sessions_.parts().freeze(key);
    }
}

nlohmann::json WindowSession::toJson() const {
    Viewer& viewer = parts_.viewer;
    FiguresPanel& panel = parts_.figures;
    CommandRegistry& commands = parts_.commands;
    const auto folded = [](const std::vector<Section*>& sections) {
        std::vector<bool> each;
        each.reserve(sections.size());
        for (const Section* section : sections) {
            each.push_back(section->folded());
        }
        return each;
    };
    QString page;
    for (const PageRow& row : pageTable()) {
        page = commands.action(row.open.id)->isChecked() ? row.open.id : page;
    }
    return {{"page", page},
            {"folded_study", folded(parts_.study.sections())},
            {"folded_figures", folded(panel.sections())},
            {"all_settings", commands.action("run.all-settings")->isChecked()},
            {"logarithmic", panel.chart()->logarithmic()},
            {"live", live_.on()},
            {"live_iterations", live_.iterations()},
            {"solid_azimuth_deg", viewer.solid()->azimuth_deg()},
            {"solid_elevation_deg", viewer.solid()->elevation_deg()},
            {"solid_zoom", viewer.solid()->zoom()},
            {"solid_surface", viewer.surfaceShown()},
            {"solid_percent", viewer.surfacePercent()},
            {"data_scanner", parts_.data.showsScanner()}};
}

void WindowSession::fromJson(const nlohmann::json& saved) {
    Viewer& viewer = parts_.viewer;
    FiguresPanel& panel = parts_.figures;
    CommandRegistry& commands = parts_.commands;
    const auto fold = [&](const std::vector<Section*>& sections, const char* key) {
        const auto folded = savedIn<std::vector<bool>>(saved, key);
        for (std::size_t i = 0; i < std::min(sections.size(), folded.size()); ++i) {
            sections[i]->setFolded(folded[i]);
        }
    };
    fold(parts_.study.sections(), "folded_study");
    fold(panel.sections(), "folded_figures");
    QAction* all = commands.action("run.all-settings");
    if (savedIn(saved, "all_settings", all->isChecked()) != all->isChecked()) {
        all->trigger();
    }
    panel.chart()->setLogarithmic(savedIn(saved, "logarithmic", panel.chart()->logarithmic()));
    viewer.solid()->setAngles(savedIn(saved, "solid_azimuth_deg", viewer.solid()->azimuth_deg()),
                              savedIn(saved, "solid_elevation_deg", viewer.solid()->elevation_deg()));
    viewer.solid()->setZoom(savedIn(saved, "solid_zoom", viewer.solid()->zoom()));
    viewer.setSurfaceShown(savedIn(saved, "solid_surface", viewer.surfaceShown()));
    viewer.setSurfacePercent(savedIn(saved, "solid_percent", viewer.surfacePercent()));
    parts_.data.setScannerShown(savedIn(saved, "data_scanner", parts_.data.showsScanner()));
    LiveTuning& live = live_;
    messages_.guard(Text::tr("Live tuning"),
                    [&] { live.setIterations(savedIn(saved, "live_iterations", live.iterations())); });
    live.setOn(savedIn(saved, "live", live.on()),
               LiveTuning::Begins::WithTheNextChange);  // opening reconstructs nothing by itself
    const QString page = savedIn<QString>(saved, "page");
    commands.refresh();
    for (const PageRow& row : pageTable()) {
        if (row.open.id == page && !commands.action(page)->isChecked()) {
            commands.trigger(page);
        }
    }
}

nlohmann::json WindowSession::curvesToJson() const {
    FiguresPanel& panel = parts_.figures;
    MatchedPage& matched = parts_.matched;
    const RoiTable::Sorting sorting = parts_.viewer.roiTable()->sorting();
    nlohmann::json o{{"kind", panel.chart()->kind().id()},
                     {"numbers", !panel.editor()->isHidden()},
                     {"sorted_by", sorting.column},
                     {"descending", sorting.descending}};
    if (const auto ends = panel.chart()->ends()) {
        o["ends"] = *ends;
    }
    if (matched.level()) {
        o["matched_noise"] = *matched.level();
    }
    return o;
}

void WindowSession::curvesFromJson(const nlohmann::json& saved) {
    Viewer& viewer = parts_.viewer;
    FiguresPanel& panel = parts_.figures;
    for (const CurveKind& kind : curveKinds()) {
        if (savedIn<QString>(saved, "kind") == kind.id()) {
            panel.chart()->setKind(kind);
        }
    }
    const RoiTable::Sorting sorting = viewer.roiTable()->sorting();
    viewer.roiTable()->sortBy(
        {savedIn(saved, "sorted_by", sorting.column), savedIn(saved, "descending", sorting.descending)});
    panel.chart()->setEnds(savedIn<std::array<double, 4>>(saved, "ends"));
    panel.setEditorShown(savedIn(saved, "numbers", !panel.editor()->isHidden()));
    parts_.matched.setLevel(savedIn(saved, "matched_noise", 0.0));
}

}  // namespace tof::ui
