// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/observer_curves.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <limits>
#include <optional>

#include "recon/base/error.h"

namespace tof::ui {

namespace {

constexpr std::size_t kFewest = 3;  ///< replicates from which an observer can learn

/// The settings but for what moves no value of an image.
RunSettings whatCounts(RunSettings settings) {
    const RunSettings usual;
    settings.engine = usual.engine;
    settings.strategy = usual.strategy;
    settings.seed = usual.seed;
    settings.threads = usual.threads;
    settings.device = usual.device;
    settings.memoryLimit_GiB = usual.memoryLimit_GiB;
    return settings;
}

bool areReplicates(const RunItem& a, const RunItem& b) {
    return a.system() == b.system() && a.lattice() == b.lattice() &&
           whatCounts(a.settings()) == whatCounts(b.settings());
}

QString baseName(const RunItem& item) {
    return QFileInfo(item.file()).completeBaseName();
}

/// Takes runs away whose counts others of the group were drawn from: those of a sweep are called NAME-r1 and
/// so on, and NAME is no scan of its own.
void dropOrigins(std::vector<const RunItem*>& group) {
    static const QRegularExpression kDrawn("^(.*)-r\\d+$");
    QStringList origins;
    for (const RunItem* item : group) {
        origins << kDrawn.match(baseName(*item)).captured(1);
    }
    std::erase_if(group, [&](const RunItem* item) {
        const QString name = baseName(*item);
        return !name.isEmpty() && origins.contains(name);
    });
}

/// Iterates that all of a group have.
std::vector<int> commonIterates(const std::vector<const RunItem*>& group) {
    std::vector<int> common = group.front()->iterates();
    for (const RunItem* item : group) {
        const std::vector<int> there = item->iterates();
        std::erase_if(common, [&](int iteration) {
            return std::find(there.begin(), there.end(), iteration) == there.end();
        });
    }
    return common;
}

}  // namespace

/// What is rated in one go, and what came of it.
struct ObserverCurves::Work {
    struct Group {
        int runId = 0;
        std::vector<std::vector<KeptImage>> iterates;
    };
    QString name;
    ObserverRequest request;
    RoiSet set;
    std::vector<Group> groups;
    std::vector<Point> points;

    void rate(const Wish& wish) {
        std::optional<FigureEvaluator> evaluator;
        for (const Group& group : groups) {
            for (const std::vector<KeptImage>& iterate : group.iterates) {
                ReplicateImages images;
                for (const KeptImage& image : iterate) {
                    wish();
                    images.push_back(image.get(wish));
                }
                if (!evaluator || !(evaluator->lattice() == images.front()->lattice)) {
                    evaluator.emplace(set, images.front()->lattice);
                }
                const int iteration = iterate.front().iteration;
                for (ObserverRow& row : observeReplicates(request, iteration, images, {}, *evaluator, wish)) {
                    points.push_back({group.runId, static_cast<int>(images.size()), std::move(row)});
                }
            }
        }
    }
};

ObserverCurves::ObserverCurves(RunList& runs, RoiModel& rois, Threading threading, QObject* parent)
    : QObject(parent), runs_(runs), rois_(rois), worker_(threading) {
    connect(&rois_, &RoiModel::changed, this, &ObserverCurves::refresh);
    connect(&runs_, &RunList::settled, this, &ObserverCurves::refresh);
}

ObserverCurves::~ObserverCurves() {
    wanted_ = false;
    wish_.end();
    worker_.join();
}

void ObserverCurves::setWanted(bool wanted) {
    wanted_ = wanted;
    refresh();
}

void ObserverCurves::setRequest(const ObserverRequest& request) {
    request_ = request;
    refresh();
}

std::vector<std::vector<const RunItem*>> ObserverCurves::groups() const {
    std::vector<std::vector<const RunItem*>> all;
    for (const auto& item : runs_.items()) {
        if (item->isVolume() || item->isLive() || isActive(item->state()) || !item->hasIterates() ||
            item->dataHash().empty()) {
            continue;
        }
        const auto group = std::find_if(
            all.begin(), all.end(), [&](const auto& each) { return areReplicates(*each.front(), *item); });
        if (group == all.end()) {
            all.push_back({item.get()});
        } else if (std::none_of(group->begin(), group->end(), [&](const RunItem* other) {
                       return other->dataHash() == item->dataHash();
                   })) {
            group->push_back(item.get());
        }
    }
    std::for_each(all.begin(), all.end(), dropOrigins);
    std::erase_if(all, [](const auto& group) { return group.size() < kFewest; });
    return all;
}

std::shared_ptr<ObserverCurves::Work> ObserverCurves::outOfDate() {
    auto work = std::make_shared<Work>();
    work->request = request_;
    work->set = rois_.set();
    work->set.truth = nullptr;  // it takes seconds to sample, and no observer looks at it
    QStringList name{QString::number(rois_.revision())};
    for (const auto& row : observerRows()) {
        name << QString::fromStdString(row.read(request_));
    }
    for (const auto& group : groups()) {
        Work::Group& images = work->groups.emplace_back();
        images.runId = group.front()->id();
        for (const int iteration : commonIterates(group)) {
            auto& iterate = images.iterates.emplace_back();
            for (const RunItem* item : group) {
                iterate.push_back(item->kept(iteration));
                name << QString("%1/%2").arg(item->id()).arg(iteration);
            }
        }
    }
    work->name = name.join(' ');
    return work;
}

void ObserverCurves::refresh() {
    if (!wanted_ || rois_.dragging()) {
        return;
    }
    const auto work = outOfDate();
    if (work->name == done_) {
        return;
    }
    if (worker_.busy()) {
        wish_.end();
        return;
    }
    done_ = work->name;
    wish_ = Wish();
    worker_.start([work, wish = wish_] { work->rate(wish); },
                  [this, work](const std::exception_ptr& fault) {
                      take(*work, fault);
                      refresh();
                  });
}

void ObserverCurves::take(const Work& work, const std::exception_ptr& fault) {
    if (fault != nullptr && isCancelled(fault)) {
        done_.clear();
        return;
    }
    points_ = fault == nullptr ? work.points : std::vector<Point>();
    whyNone_ = fault != nullptr ? sentence(fault)
               : work.groups.empty()
                   ? tr("an observer needs three runs at least of equal settings, each of other data of the "
                        "same object")
                   : QString();
    Q_EMIT changed();
}

QString ObserverCurves::sphere() const {
    const Roi* selected = rois_.selectedRoi();
    if (selected != nullptr && selected->role == Roi::Role::Sphere) {
        return QString::fromStdString(selected->name);
    }
    QString name;
    double least = std::numeric_limits<double>::infinity();
    for (const Roi& roi : rois_.rois()) {
        if (roi.role == Roi::Role::Sphere && roi.radius_mm < least) {
            least = roi.radius_mm;
            name = QString::fromStdString(roi.name);
        }
    }
    return name;
}

std::vector<ObserverCurves::Point> ObserverCurves::points() const {
    const std::string name = sphere().toStdString();
    std::vector<Point> mine;
    std::copy_if(points_.begin(), points_.end(), std::back_inserter(mine), [&](const Point& point) {
        return point.row.roi == name && runs_.find(point.runId) != nullptr;
    });
    return mine;
}

}  // namespace tof::ui
