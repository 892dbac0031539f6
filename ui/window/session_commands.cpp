// SPDX-License-Identifier: Apache-2.0
// What of the window belongs to a session, and the session's commands.
#include <QFileInfo>
#include <QJsonArray>
#include <QStackedWidget>

#include "ui/desk/run_rescue.h"
#include "ui/desk/session_keeper.h"
#include "ui/window/main_window.h"

namespace tof::ui {

void MainWindow::addSessionCommands() {
    keeper_ = new SessionKeeper(workspace_, preferences_.sessionFile(), this);
    if (keeper_->crashed()) {
        workspace_.messages().add(Severity::Warning,
                                  tr("The last session did not end as it should: File > Reopen last session "
                                     "brings it back"));
    }
    commands_->add(
        {.id = "file.reopen",
         .menu = "File",
         .text = tr("Reopen last session"),
         .help = tr("Opens the files of the session before this one and puts everything back as it was"),
         .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)},
         .run = [this] { workspace_.openLastSession(keeper_->before()); },
         .whyNot =
             [this] {
                 return keeper_->before().isEmpty() ? tr("No earlier session is remembered") : QString();
             }});
    const QString beside = preferences_.sessionFile();
    rescue_ = new RunRescue(
        workspace_, beside.isEmpty() ? QString() : QFileInfo(beside).absolutePath() + "/recovery", this);
    commands_->add(
        {.id = "file.recover",
         .menu = "File",
         .text = tr("Recover runs"),
         .help = tr("Opens the data of runs that an earlier session has left, and puts the runs beside "
                    "what is there"),
         .run = [this] { rescue_->recover(); },
         .whyNot = [this] { return rescue_->whyNot(); }});
    Session& session = workspace_.session();
    session.add({"compare", [this] { return compare_->model().toJson(); },
                 [this](const QJsonObject& saved) { compare_->model().fromJson(saved); }});
    session.add({"data", [this] { return data_->model().toJson(); },
                 [this](const QJsonObject& saved) {
                     data_->model().setOpen(workspace_.jobData());
                     data_->model().fromJson(saved);
                 }});
    session.add({"lab", [this] { return lab_->toJson(); },
                 [this](const QJsonObject& saved) { lab_->fromJson(saved); }});
    session.add({"window", [this] { return windowToJson(); },
                 [this](const QJsonObject& saved) { windowFromJson(saved); }});
}

MainWindow::~MainWindow() {
    for (const char* key : {"compare", "data", "lab", "window", "curves"}) {
        workspace_.session().freeze(key);
    }
}

QJsonObject MainWindow::windowToJson() const {
    QJsonArray study;
    for (int i = 0; i < 4; ++i) {
        study.append(study_->section(i)->folded());
    }
    QJsonArray figures;
    for (int i = 0; i < 3; ++i) {
        figures.append(figures_->section(i)->folded());
    }
    QString page;
    for (const QString& id : pageCommands()) {
        page = commands_->action(id)->isChecked() ? id : page;
    }
    return {{"page", page},
            {"folded_study", study},
            {"folded_figures", figures},
            {"all_settings", commands_->action("run.all-settings")->isChecked()},
            {"logarithmic", figures_->chart()->logarithmic()},
            {"live", workspace_.live().on()},
            {"live_iterations", workspace_.live().iterations()},
            {"solid_azimuth_deg", viewer_->solid()->azimuth_deg()},
            {"solid_elevation_deg", viewer_->solid()->elevation_deg()},
            {"solid_zoom", viewer_->solid()->zoom()},
            {"solid_surface", viewer_->surfaceShown()},
            {"solid_percent", viewer_->surfacePercent()}};
}

void MainWindow::windowFromJson(const QJsonObject& saved) {
    const auto fold = [](Section* section, const QJsonValue& value) {
        section->setFolded(value.toBool(section->folded()));
    };
    const QJsonArray study = saved["folded_study"].toArray();
    for (int i = 0; i < study.size() && i < 4; ++i) {
        fold(study_->section(i), study[i]);
    }
    const QJsonArray figures = saved["folded_figures"].toArray();
    for (int i = 0; i < figures.size() && i < 3; ++i) {
        fold(figures_->section(i), figures[i]);
    }
    QAction* all = commands_->action("run.all-settings");
    if (saved["all_settings"].toBool(all->isChecked()) != all->isChecked()) {
        all->trigger();
    }
    figures_->chart()->setLogarithmic(saved["logarithmic"].toBool(figures_->chart()->logarithmic()));
    viewer_->solid()->setAngles(saved["solid_azimuth_deg"].toDouble(viewer_->solid()->azimuth_deg()),
                                saved["solid_elevation_deg"].toDouble(viewer_->solid()->elevation_deg()));
    viewer_->solid()->setZoom(saved["solid_zoom"].toDouble(viewer_->solid()->zoom()));
    viewer_->setSurfaceShown(saved["solid_surface"].toBool(viewer_->surfaceShown()));
    viewer_->setSurfacePercent(saved["solid_percent"].toDouble(viewer_->surfacePercent()));
    LiveTuning& live = workspace_.live();
    carefully(tr("Live tuning"),
              [&] { live.setIterations(saved["live_iterations"].toInt(live.iterations())); });
    live.setOn(saved["live"].toBool(live.on()));
    const QString page = saved["page"].toString();
    commands_->refresh();
    if (pageCommands().contains(page) && !commands_->action(page)->isChecked()) {
        commands_->trigger(page);
    }
}

QStringList MainWindow::pageCommands() {
    return {"page.slices", "page.compare", "page.data", "page.lab", "page.matched"};
}

}  // namespace tof::ui
