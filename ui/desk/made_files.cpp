// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/made_files.h"

#include <QFileInfo>
#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "ui/desk/desk.h"
#include "ui/kit/text.h"
#include "ui/kit/undo_step.h"

namespace tof::ui {

namespace {

enum class Made { Not, There };

/// Images of the list that go out of it together and come back to their places.
class MadeImagesOut {
  public:
    MadeImagesOut(RunList& runs, std::vector<int> ids) : runs_(runs), ids_(std::move(ids)) {}

    void put(Made wanted) {
        if (wanted == Made::Not) {
            for (auto id = ids_.rbegin(); id != ids_.rend(); ++id) {
                const int place = runs_.indexOf(*id);
                if (auto item = runs_.take(*id)) {  // else somebody has closed it
                    out_.emplace_back(place, std::move(item));
                }
            }
            return;
        }
        for (; !out_.empty(); out_.pop_back()) {
            runs_.insert(std::move(out_.back().second), out_.back().first);
        }
    }

  private:
    RunList& runs_;
    std::vector<int> ids_;
    std::vector<std::pair<int, std::unique_ptr<RunItem>>> out_;  ///< with their places, the last one first
};

}  // namespace

void openMade(Desk& desk, const QStringList& files, const QString& step) {
    std::set<int> before;
    for (const auto& item : desk.runs().items()) {
        before.insert(item->id());
    }
    QStringList paths;
    std::transform(files.begin(), files.end(), std::back_inserter(paths),
                   [](const QString& file) { return QFileInfo(file).absoluteFilePath(); });
    desk.open(paths);
    desk.tasks().then([&desk, before, paths, step] {
        std::vector<int> ids;
        for (const auto& item : desk.runs().items()) {
            if (before.count(item->id()) == 0 && paths.contains(item->file())) {
                ids.push_back(item->id());
            }
        }
        if (!ids.empty()) {
            const auto images = std::make_shared<MadeImagesOut>(desk.runs(), std::move(ids));
            desk.rois().undo().push(new UndoStep<Made>(step, Made::Not, Made::There,
                                                       [images](Made wanted) { images->put(wanted); }));
        }
    });
}

void openCut(Desk& desk, const QString& file, const ListBinning& binning) {
    const QString path = desk.study().path();
    const std::optional<ListBinning> before = desk.study().binning();
    const auto data = desk.study().measurement();
    desk.openList(file, binning);
    if (!before) {
        return;
    }
    desk.tasks().then([&desk, path, before, data] {
        if (desk.study().measurement() == data) {
            return;  // it could not be binned
        }
        desk.rois().undo().push(new UndoStep<Made>(Text::tr("Make frames"), Made::Not, Made::There,
                                                   [&desk, path, before](Made wanted) {
                                                       if (wanted == Made::Not) {
                                                           desk.openList(path, *before);
                                                       }
                                                   }));
    });
}

}  // namespace tof::ui
