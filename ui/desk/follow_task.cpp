// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/follow_task.h"

#include <QFileInfo>
#include <QLocale>
#include <QMetaObject>
#include <QStringList>
#include <algorithm>
#include <memory>
#include <utility>

#include "ui/desk/desk.h"
#include "ui/desk/task_progress.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

/// What the window shows of a list that is followed; all of it happens in the window's thread.
class FollowedRow {
  public:
    FollowedRow(Desk& desk, QString name) : desk_(desk), name_(std::move(name)) {}

    void show(const FollowNews& news, const std::shared_ptr<const Volume>& image) {
        if (ended_) {
            return;
        }
        desk_.tasks().retitle(Text::tr("Following %1: %2 events, %3/s, image %4 s behind")
                                  .arg(name_, QLocale().toString(static_cast<qulonglong>(news.counted)),
                                       QLocale().toString(news.eventsPerSecond, 'f', 0),
                                       QLocale().toString(news.imageLag_s, 'f', 2)));
        if (RunItem* const item = desk_.runs().find(id_)) {
            item->open(image);
            desk_.runs().touch();
            return;
        }
        if (id_ == 0) {  // a row that was closed stays so
            id_ = desk_.runs().addVolume(name_, image);
            desk_.runs().select(id_);
        }
    }
    /// Images that are still on their way are shown no more.
    void remove() {
        ended_ = true;
        desk_.runs().remove(id_);
    }

  private:
    Desk& desk_;
    QString name_;
    int id_ = 0;
    bool ended_ = false;
};

/// Hands news from the task to the window. A listener of a task that was cancelled ends it.
class WindowFollower : public FollowListener {
  public:
    WindowFollower(TaskControl& control, Desk& desk, std::shared_ptr<FollowedRow> row)
        : control_(control), desk_(desk), row_(std::move(row)) {}

    void imageMade(const FollowNews& news, const std::shared_ptr<const Volume>& image) override {
        QMetaObject::invokeMethod(
            &desk_, [row = row_, news, image] { row->show(news, image); }, Qt::QueuedConnection);
    }
    [[nodiscard]] bool enough() const override {
        if (control_.cancelled()) {
            throw Cancelled();
        }
        return control_.finishing();
    }

  private:
    TaskControl& control_;
    Desk& desk_;
    std::shared_ptr<FollowedRow> row_;
};

void openAndRun(Desk& desk, const QString& file) {
    desk.open({file});
    desk.tasks().then([&desk] {
        if (desk.queue().whyNoRun().isEmpty()) {
            desk.queue().start();
        }
    });
}

}  // namespace

FollowRequest FollowWish::request() const {
    FollowRequest request = *this;
    request.bin.lattice = image.requestFor(QString::fromStdString(bin.input)).lattice;
    return request;
}

std::vector<BoundRow> followWishRows(FollowWish& wish) {
    std::vector<BoundRow> rows;
    bindRows(rows, followRows(), wish);
    std::erase_if(rows, [](const BoundRow& row) { return row.shown == Shown::Command; });
    std::vector<BoundRow> image = listBinningRows(wish.image);
    std::erase_if(image, [](const BoundRow& row) { return row.key != "voxel" && row.key != "grid"; });
    const auto place =
        std::find_if(rows.begin(), rows.end(), [](const BoundRow& row) { return row.key == "deposit"; });
    rows.insert(place, image.begin(), image.end());
    return rows;
}

void followList(Desk& desk, const FollowWish& wish) {
    const QString name = QFileInfo(QString::fromStdString(wish.bin.input)).fileName();
    const auto row = std::make_shared<FollowedRow>(desk, name);
    const auto notes = std::make_shared<QStringList>();
    RunSettings settings = desk.settings().current();
    settings.grid.clear();  // they are ring data's; the wish has the lattice
    settings.voxel.clear();
    desk.tasks().add(
        Text::tr("Following %1").arg(name),
        [&desk, row, notes, settings, request = wish.request()](TaskControl& control) {
            TaskProgress progress(control, {});
            WindowFollower follower(control, desk, row);
            const Followed followed = follow(request, settings, desk.engines(), progress, follower);
            *notes = progress.notes();
            notes->append(QString::fromStdString(endText(request, followed)));
        },
        [&desk, row, notes, file = QString::fromStdString(wish.counts)] {
            row->remove();
            for (const QString& note : *notes) {
                desk.messages().add(Severity::Note, note);
            }
            openAndRun(desk, file);
        });
    desk.tasks().markWork();
    desk.tasks().markFinishable();
}

}  // namespace tof::ui
