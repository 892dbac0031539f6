// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/own_ranges.h"

#include <QInputDialog>
#include <QMenu>
#include <algorithm>

#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "ui/desk/run_list.h"
#include "ui/desk/view_model.h"
#include "ui/kit/json.h"
#include "ui/kit/messages.h"
#include "ui/kit/preferences.h"

namespace tof::ui {

namespace {

constexpr const char* kOwnRanges = "own-ranges";

}  // namespace

OwnRanges::OwnRanges(const Workbench& bench, Preferences& preferences)
    : QObject(&bench.window), Workbench(bench), preferences_(preferences) {
    connect(&viewer, &Viewer::rangesShown, this, [this](QMenu& menu) { offerIn(menu); });
    const auto none = [this] {
        return offered().empty() ? tr("No range of your own is in this unit: Save this range makes one")
                                 : QString();
    };
    commands.add(
        "View",
        {{.id = "range.own",
          .text = tr("Own range..."),
          .help = tr("A display range that you have given a name to, in the unit of the image on screen"),
          .run = [this] { askAndUse(); },
          .whyNot = none},
         {.id = "range.save",
          .text = tr("Save this range..."),
          .help =
              tr("Gives the display range a name, under which it is offered for every image in this unit"),
          .run = [this] { askAndSave(); },
          .whyNot = [this] { return runs.image() == nullptr ? tr("There is no image yet") : QString(); }},
         {.id = "range.forget",
          .text = tr("Forget an own range..."),
          .help = tr("Takes one of your own display ranges out of the list"),
          .run = [this] { askAndForget(); },
          .whyNot = none}});
}

void OwnRanges::offerIn(QMenu& menu) {
    constexpr const char* kOwn = "own range";
    for (QAction* action : menu.actions()) {
        if (action->property(kOwn).toBool()) {
            delete action;
        }
    }
    for (const OwnRange& one : offered()) {
        auto* action = new QAction(one.name, &menu);
        action->setProperty(kOwn, true);
        connect(action, &QAction::triggered, this, [this, range = one.range] { view.setShownRange(range); });
        menu.insertAction(commands.action("range.own"), action);
    }
}

void OwnRanges::use(const QString& name) {
    QStringList names;
    for (const OwnRange& one : offered()) {
        if (one.name == name) {
            view.setShownRange(one.range);
            return;
        }
        names << one.name;
    }
    throw WrongUse(tr("no own range in this unit is called '%1'; there are: %2")
                       .arg(name, names.isEmpty() ? tr("none") : names.join(", "))
                       .toStdString());
}

std::vector<OwnRange> OwnRanges::all() const {
    std::vector<OwnRange> ranges;
    for (const nlohmann::json& one : parsedJson(preferences_.text(kOwnRanges, "[]").toStdString())) {
        const auto [low, high] = savedIn<std::array<double, 2>>(one, "range");
        const QString name = savedIn<QString>(one, "name");
        if (low < high && !name.isEmpty()) {  // the file is the user's, who may have written into it
            ranges.push_back({name, savedIn<QString>(one, "unit"), {low, high}});
        }
    }
    return ranges;
}

std::vector<OwnRange> OwnRanges::offered() const {
    std::vector<OwnRange> ranges = all();
    std::erase_if(ranges, [this](const OwnRange& one) { return one.unit != view.unit().name; });
    std::sort(ranges.begin(), ranges.end(),
              [](const OwnRange& a, const OwnRange& b) { return a.name.localeAwareCompare(b.name) < 0; });
    return ranges;
}

void OwnRanges::keep(const std::vector<OwnRange>& ranges) {
    const std::string before = preferences_.text(kOwnRanges, "[]").toStdString();
    if (!before.empty() && !parsedJson(before).is_array()) {  // the user may mend what was written there
        messages.add(Severity::Error,
                     tr("Your own ranges are damaged and stay as they are: correct or remove "
                        "'own-ranges' in the file of the preferences"));
        return;
    }
    nlohmann::json list = nlohmann::json::array();
    for (const OwnRange& one : ranges) {
        list.push_back(
            {{"name", one.name}, {"unit", one.unit}, {"range", std::array{one.range.low, one.range.high}}});
    }
    preferences_.setText(kOwnRanges, QString::fromStdString(jsonText(list)));
    commands.refresh();
}

void OwnRanges::askAndSave() {
    const QString name = QInputDialog::getText(&window, tr("Save this range"), tr("Name")).trimmed();
    if (name.isEmpty()) {
        return;
    }
    std::vector<OwnRange> ranges = all();
    std::erase_if(ranges,
                  [&](const OwnRange& one) { return one.name == name && one.unit == view.unit().name; });
    ranges.push_back({name, view.unit().name, view.shownRange()});
    keep(ranges);
}

int OwnRanges::choose(const QString& title) const {
    QStringList names;
    for (const OwnRange& one : offered()) {
        names.append(one.name);
    }
    bool ok = false;
    const QString name = QInputDialog::getItem(&window, title, tr("Range"), names, 0, false, &ok);
    return ok ? static_cast<int>(names.indexOf(name)) : -1;
}

void OwnRanges::askAndUse() {
    if (const int chosen = choose(tr("Own range")); chosen >= 0) {
        view.setShownRange(offered()[static_cast<std::size_t>(chosen)].range);
    }
}

void OwnRanges::askAndForget() {
    if (const int chosen = choose(tr("Forget an own range")); chosen >= 0) {
        const OwnRange gone = offered()[static_cast<std::size_t>(chosen)];
        std::vector<OwnRange> ranges = all();
        std::erase_if(ranges,
                      [&](const OwnRange& one) { return one.name == gone.name && one.unit == gone.unit; });
        keep(ranges);
    }
}

}  // namespace tof::ui
