// SPDX-License-Identifier: Apache-2.0
#include "ui/window/window_session.h"

#include <QJsonArray>

#include "ui/kit/text.h"
#include "ui/lab/kernel_lab_page.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/data_page.h"
#include "ui/pages/figures_panel.h"
#include "ui/pages/matched_page.h"
#include "ui/pages/study_panel.h"
#include "ui/pages/viewer.h"
#include "ui/window/page_table.h"

namespace tof::ui {

WindowSession::WindowSession(const Parts& parts, Desk& desk) : parts_(parts), desk_(desk) {
    Session& session = desk_.sessions().parts();
    session.add({"compare", [this] { return parts_.compare.model().toJson(); },
                 [this](const QJsonObject& saved) { parts_.compare.model().fromJson(saved); }});
    session.add({"data", [this] { return parts_.data.model().toJson(); },
                 [this](const QJsonObject& saved) {
                     parts_.data.model().setOpen(desk_.study().measurement());
                     parts_.data.model().fromJson(saved);
                 }});
    session.add({"lab", [this] { return parts_.lab.toJson(); },
                 [this](const QJsonObject& saved) { parts_.lab.fromJson(saved); }});
    session.add(
        {"window", [this] { return toJson(); }, [this](const QJsonObject& saved) { fromJson(saved); }});
    session.add({"curves", [this] { return curvesToJson(); },
                 [this](const QJsonObject& saved) { curvesFromJson(saved); }});
}

WindowSession::~WindowSession() {
    for (const char* key : {"compare", "data", "lab", "window", "curves"}) {
        desk_.sessions().parts().freeze(key);
    }
}

QJsonObject WindowSession::toJson() const {
    Viewer& viewer = parts_.viewer;
    FiguresPanel& panel = parts_.figures;
    CommandRegistry& commands = parts_.commands;
    QJsonArray study;
    for (int i = 0; i < 4; ++i) {
        study.append(parts_.study.section(i)->folded());
    }
    QJsonArray figures;
    for (int i = 0; i < 3; ++i) {
        figures.append(panel.section(i)->folded());
    }
    QString page;
    for (const PageRow& row : pageTable()) {
        page = commands.action(row.open.id)->isChecked() ? row.open.id : page;
    }
    return {{"page", page},
            {"folded_study", study},
            {"folded_figures", figures},
            {"all_settings", commands.action("run.all-settings")->isChecked()},
            {"logarithmic", panel.chart()->logarithmic()},
            {"live", desk_.live().on()},
            {"live_iterations", desk_.live().iterations()},
            {"solid_azimuth_deg", viewer.solid()->azimuth_deg()},
            {"solid_elevation_deg", viewer.solid()->elevation_deg()},
            {"solid_zoom", viewer.solid()->zoom()},
            {"solid_surface", viewer.surfaceShown()},
            {"solid_percent", viewer.surfacePercent()}};
}

void WindowSession::fromJson(const QJsonObject& saved) {
    Viewer& viewer = parts_.viewer;
    FiguresPanel& panel = parts_.figures;
    CommandRegistry& commands = parts_.commands;
    const auto fold = [](Section* section, const QJsonValue& value) {
        section->setFolded(value.toBool(section->folded()));
    };
    const QJsonArray study = saved["folded_study"].toArray();
    for (int i = 0; i < study.size() && i < 4; ++i) {
        fold(parts_.study.section(i), study[i]);
    }
    const QJsonArray figures = saved["folded_figures"].toArray();
    for (int i = 0; i < figures.size() && i < 3; ++i) {
        fold(panel.section(i), figures[i]);
    }
    QAction* all = commands.action("run.all-settings");
    if (saved["all_settings"].toBool(all->isChecked()) != all->isChecked()) {
        all->trigger();
    }
    panel.chart()->setLogarithmic(saved["logarithmic"].toBool(panel.chart()->logarithmic()));
    viewer.solid()->setAngles(saved["solid_azimuth_deg"].toDouble(viewer.solid()->azimuth_deg()),
                              saved["solid_elevation_deg"].toDouble(viewer.solid()->elevation_deg()));
    viewer.solid()->setZoom(saved["solid_zoom"].toDouble(viewer.solid()->zoom()));
    viewer.setSurfaceShown(saved["solid_surface"].toBool(viewer.surfaceShown()));
    viewer.setSurfacePercent(saved["solid_percent"].toDouble(viewer.surfacePercent()));
    LiveTuning& live = desk_.live();
    desk_.messages().guard(Text::tr("Live tuning"),
                           [&] { live.setIterations(saved["live_iterations"].toInt(live.iterations())); });
    live.setOn(saved["live"].toBool(live.on()));
    const QString page = saved["page"].toString();
    commands.refresh();
    for (const PageRow& row : pageTable()) {
        if (row.open.id == page && !commands.action(page)->isChecked()) {
            commands.trigger(page);
        }
    }
}

QJsonObject WindowSession::curvesToJson() const {
    FiguresPanel& panel = parts_.figures;
    MatchedPage& matched = parts_.matched;
    const RoiTable::Sorting sorting = parts_.viewer.roiTable()->sorting();
    QJsonObject o{{"kind", panel.chart()->kind().id()},
                  {"numbers", !panel.editor()->isHidden()},
                  {"sorted_by", sorting.column},
                  {"descending", sorting.descending}};
    if (const auto ends = panel.chart()->ends()) {
        o["ends"] = QJsonArray{(*ends)[0], (*ends)[1], (*ends)[2], (*ends)[3]};
    }
    if (matched.level()) {
        o["matched_noise"] = *matched.level();
    }
    return o;
}

void WindowSession::curvesFromJson(const QJsonObject& saved) {
    Viewer& viewer = parts_.viewer;
    FiguresPanel& panel = parts_.figures;
    for (const CurveKind& kind : curveKinds()) {
        if (saved["kind"].toString() == kind.id()) {
            panel.chart()->setKind(kind);
        }
    }
    const RoiTable::Sorting sorting = viewer.roiTable()->sorting();
    viewer.roiTable()->sortBy(
        {saved["sorted_by"].toInt(sorting.column), saved["descending"].toBool(sorting.descending)});
    const QJsonArray ends = saved["ends"].toArray();
    if (ends.size() == 4) {
        panel.chart()->setEnds(
            {ends[0].toDouble(), ends[1].toDouble(), ends[2].toDouble(), ends[3].toDouble()});
    }
    panel.showEditor(saved["numbers"].toBool(!panel.editor()->isHidden()));
    parts_.matched.setLevel(saved["matched_noise"].toDouble());
}

}  // namespace tof::ui
