// SPDX-License-Identifier: Apache-2.0
#include "ui/experiments/experiments_model.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <mutex>
#include <nlohmann/json.hpp>

#include "recon/seam/engine.h"
#include "ui/desk/run_list.h"
#include "ui/desk/tasks.h"
#include "ui/kit/json.h"

namespace tof::ui {

/// One that waits or goes on. Thread-safe.
struct ExperimentsModel::Work {
    std::mutex mutex;
    std::string step;
    double share = -1;
    bool ended = false;
    std::shared_ptr<const ExperimentReport> report{};
    QString fault{};

    void tell(const std::string& what, double done) {
        const std::lock_guard lock(mutex);
        step = what;
        share = done;
    }
    void end(const QString& why) {
        const std::lock_guard lock(mutex);
        ended = true;
        fault = why;
    }
};

namespace {

constexpr const char* kHost = "cpu";
constexpr const char* kDevice = "cuda";

QString usualFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) + "/tofscope-experiments";
}

std::optional<Verdict> verdictNamed(const std::string& name) {
    for (const Verdict verdict : {Verdict::Passed, Verdict::Failed, Verdict::Skipped}) {
        if (name == verdictName(verdict)) {
            return verdict;
        }
    }
    return std::nullopt;
}

QString madeText(const Provenance& made) {
    return QString::fromStdString(made.date + ", " + made.size);
}

}  // namespace

ExperimentsModel::ExperimentsModel(const EngineRegistry& engines, RunList& runs, TaskQueue& tasks,
                                   QObject* parent)
    : QObject(parent), engines_(engines), runs_(runs), tasks_(tasks), folder_(usualFolder()) {
    connect(&tasks_, &TaskQueue::changed, this, &ExperimentsModel::changed);
    readEarlier();
}

void ExperimentsModel::select(int row) {
    if (row != selected_ && row >= 0 && row < count()) {
        selected_ = row;
        Q_EMIT changed();
    }
}

void ExperimentsModel::setFolder(const QString& folder) {
    folder_ = folder;
    results_.clear();
    readEarlier();
    Q_EMIT changed();
}

/// What the files of earlier times say.
void ExperimentsModel::readEarlier() {
    for (int row = 0; row < count(); ++row) {
        QFile file(QDir(folder_).filePath(QString::fromStdString(experiment(row).name) + ".json"));
        if (!file.open(QIODevice::ReadOnly)) {
            continue;
        }
        const nlohmann::json found = parsedJson(file.readAll().toStdString());
        Result result;
        result.verdict = verdictNamed(savedIn<std::string>(found, "verdict", ""));
        const nlohmann::json made =
            found.is_object() ? found.value("made", nlohmann::json()) : nlohmann::json();
        result.made = QString::fromStdString(savedIn<std::string>(made, "date", "") + ", " +
                                             savedIn<std::string>(made, "size", ""));
        if (result.verdict) {
            results_[row] = result;
        }
    }
}

std::string ExperimentsModel::engine() const {
    if (!engine_.empty()) {
        return engine_;
    }
    return whyNotEngine(kDevice).isEmpty() ? kDevice : kHost;
}

QString ExperimentsModel::ownData() const {
    const auto at = ownData_.find(experiment(selected_).ownData);
    return at == ownData_.end() ? QString() : at->second;
}

void ExperimentsModel::setOwnData(const QString& fileOrName) {
    ownData_[experiment(selected_).ownData] = fileOrName;
    Q_EMIT changed();
}

QStringList ExperimentsModel::namedData() const {
    QStringList names;
    if (const auto named = experiment(selected_).namedData) {
        for (const std::string& name : named()) {
            names << QString::fromStdString(name);
        }
    }
    return names;
}

QString ExperimentsModel::whyNotEngine(const std::string& name) const {
    const auto found = engines_.find(name);
    const auto* absent = std::get_if<Unsupported>(&found);
    return absent == nullptr ? QString() : QString::fromStdString(absent->why);
}

QString ExperimentsModel::whyNotRun() const {
    if (inWork(selected_)) {
        return tr("This experiment is in work; cancel it first");
    }
    const Experiment& chosen = experiment(selected_);
    if (chosen.needs.empty()) {
        return {};
    }
    const QString why = whyNotEngine(chosen.needs);
    return why.isEmpty() ? QString()
                         : tr("It needs the engine %1: %2").arg(QString::fromStdString(chosen.needs), why);
}

void ExperimentsModel::run() {
    if (!whyNotRun().isEmpty()) {
        return;
    }
    const int row = selected_;
    const auto work = std::make_shared<Work>();
    work_[row] = work;
    const Experiment& chosen = experiment(row);
    const ExperimentSize size = size_;
    const std::string folder = folder_.toStdString();
    const std::string data = whyNoOwnData().isEmpty() ? ownData().toStdString() : std::string();
    tasks_.add(
        tr("Experiment %1").arg(QString::fromStdString(chosen.name)),
        [work, &chosen, size, folder, data, engine = engine(), write = write_,
         &engines = engines_](TaskControl& control) {
            ExperimentContext context{engines, size, engine, 0, {}};
            context.dataFile = data;
            context.progress = [&](const std::string& what, double done) {
                work->tell(what, done);
                control.report(done);
                control.checkpoint();
            };
            try {
                control.checkpoint();
                const auto report = std::make_shared<const ExperimentReport>(runExperiment(chosen, context));
                if (write) {
                    write(folder, chosen, *report);
                }
                work->report = report;
            } catch (...) {
                const std::exception_ptr fault = std::current_exception();
                work->end(isCancelled(fault) ? QString() : sentence(fault));
                throw;
            }
            work->end({});
        },
        [this, row, work] {
            results_[row] = {work->report, {}, work->report->verdict(), madeText(work->report->made)};
            Q_EMIT changed();
        });
    tasks_.markWork();
    Q_EMIT changed();
}

std::optional<ExperimentsModel::Progress> ExperimentsModel::progress(int row) const {
    const auto at = work_.find(row);
    const auto work = at == work_.end() ? nullptr : at->second.lock();
    if (work == nullptr) {
        return std::nullopt;
    }
    const std::lock_guard lock(work->mutex);
    return work->ended ? std::nullopt
                       : std::optional(Progress{work->share, QString::fromStdString(work->step)});
}

QString ExperimentsModel::reportFile(int row) const {
    const QString file = QDir(folder_).filePath(QString::fromStdString(experiment(row).name) + ".html");
    return result(row) != nullptr && QFileInfo::exists(file) ? file : QString();
}

QString ExperimentsModel::pictureFile(int row, const std::string& file) const {
    const QString path = QDir(folder_).filePath(QString::fromStdString(experiment(row).name + "-" + file));
    return QFileInfo::exists(path) ? path : QString();
}

QString ExperimentsModel::whyNoImages() const {
    const Result* found = result(selected_);
    return found == nullptr || found->report == nullptr ? tr("Run the experiment first")
           : found->report->images.empty()              ? tr("This experiment makes no images")
                                                        : QString();
}

int ExperimentsModel::openImages() {
    if (!whyNoImages().isEmpty()) {
        return 0;
    }
    int first = 0;
    int opened = 0;
    const QString name = QString::fromStdString(experiment(selected_).name);
    for (const ExperimentImage& image : result(selected_)->report->images) {
        if (image.volume != nullptr) {
            const int id = runs_.addVolume(name + ", " + QString::fromStdString(image.name), image.volume);
            first = first == 0 ? id : first;
            ++opened;
        }
    }
    runs_.select(first);
    return opened;
}

}  // namespace tof::ui
