// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/run_rescue.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QUuid>
#include <algorithm>
#include <optional>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/work/stored_run.h"
#include "ui/kit/json.h"

namespace tof::ui {

namespace {

/// A run that has nothing yet but its settings.
bool isToCome(const RunItem& item) {
    return item.images().empty() && (item.state() == RunState::Queued || isActive(item.state()));
}

/// Runs that nothing else keeps. What was cancelled is not wanted.
bool isInMemoryOnly(const RunItem& item) {
    return !item.isVolume() && !item.isLive() && item.file().isEmpty() &&
           (!item.images().empty() || isToCome(item)) && item.state() != RunState::Cancelled;
}

nlohmann::json readJson(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? parsedJson(file.readAll().toStdString()) : nlohmann::json();
}

void removeFiles(const QString& base) {
    QFile::remove(base + ".json");
    QFile::remove(base + ".ckpt");
}

}  // namespace

struct RunRescue::Kept {
    QString base;
    nlohmann::json about;

    [[nodiscard]] QString text(const char* key) const { return savedIn<QString>(about, key); }
    [[nodiscard]] bool waits() const { return about.contains("waits"); }
};

struct RunRescue::Group {
    QString data;
    std::vector<Kept> runs;
};

RunRescue::RunRescue(Desk& desk, const QString& folder, QObject* parent)
    : QObject(parent), desk_(desk), folder_(folder), worker_(desk.threading()) {
    if (folder_.isEmpty()) {
        return;
    }
    find();
    announce(Severity::Warning);
    connect(&desk_, &Desk::aboutToClose, this, &RunRescue::retire);
    connect(&desk_.queue(), &RunQueue::removed, this, &RunRescue::forget);
    connect(&timer_, &QTimer::timeout, this, &RunRescue::save);
    timer_.start(kEveryMs);
}

RunRescue::~RunRescue() {
    worker_.join();
    if (!own_.isEmpty()) {
        lock_.reset();
        QDir().rmdir(own_);  // does nothing where runs are kept
    }
}

void RunRescue::find() {
    found_.clear();
    const auto folders = QDir(folder_).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time);
    int sessions = 0;
    for (const QFileInfo& session : folders) {
        QLockFile lock(session.filePath() + "/lock");
        lock.setStaleLockTime(0);
        if (session.filePath() == own_ || !lock.tryLock(0)) {
            continue;  // is going on
        }
        if (++sessions > kSessions) {
            lock.unlock();
            QDir(session.filePath()).removeRecursively();
            continue;
        }
        const auto files = QDir(session.filePath()).entryInfoList({"*.json"}, QDir::Files, QDir::Name);
        for (const QFileInfo& file : files) {
            Kept kept{file.path() + "/" + file.completeBaseName(), readJson(file.filePath())};
            const QString data = kept.text("data");
            auto group =
                std::find_if(found_.begin(), found_.end(), [&](const Group& g) { return g.data == data; });
            if (group == found_.end()) {
                group = found_.insert(found_.end(), Group{data, {}});
            }
            group->runs.push_back(std::move(kept));
        }
        lock.unlock();
        QDir().rmdir(session.filePath());  // when there is nothing in it
    }
}

void RunRescue::announce(Severity severity) {
    for (const Group& group : found_) {
        desk_.messages().add(severity, sentenceOf(group));
    }
}

QString RunRescue::sentenceOf(const Group& group) {
    const QString data = QFileInfo(group.data).fileName();
    const auto count = static_cast<int>(group.runs.size());
    return count == 1 ? tr("1 run of %1 is kept on disk: File > Recover runs brings it back").arg(data)
                      : tr("%n runs of %1 are kept on disk: File > Recover runs brings them back", "", count)
                            .arg(data);
}

QString RunRescue::summary() const {
    return found_.empty() ? QString() : sentenceOf(found_.front());
}

void RunRescue::discard() {
    if (found_.empty()) {
        return;
    }
    for (const Kept& kept : found_.front().runs) {
        removeFiles(kept.base);
    }
    find();
}

QString RunRescue::whyNot() const {
    return found_.empty() ? tr("No runs of an earlier session are kept") : QString();
}

// ---- writing ----

bool RunRescue::claimFolder() {
    if (!own_.isEmpty()) {
        return true;
    }
    const QString folder = folder_ + "/" + QUuid::createUuid().toString(QUuid::WithoutBraces);
    if (!QDir().mkpath(folder)) {
        return false;
    }
    lock_ = std::make_unique<QLockFile>(folder + "/lock");
    lock_->setStaleLockTime(0);
    own_ = lock_->tryLock(0) ? folder : QString();
    return !own_.isEmpty();
}

QString RunRescue::base(int id) const {
    return own_ + "/" + QString::number(id);
}

std::string RunRescue::aboutRun(const RunItem& item) const {
    nlohmann::json about{{"data", desk_.study().path()},
                         {"label", item.label()},
                         {"name", item.name()},
                         {"iteration", item.lastIterate()},
                         {"iterations", item.settings().iterations}};
    if (isToCome(item)) {
        about["waits"] = item.settings().json();
        about["turn"] = item.turn();
    }
    if (const auto& binning = desk_.study().binning()) {
        about["binning"] = binningToJson(*binning);
    }
    return about.dump();
}

void RunRescue::save() {
    // Runs of a study have files and checkpoints there.
    if (folder_.isEmpty() || worker_.busy() || !desk_.study().measurement() || desk_.study().writes()) {
        return;
    }
    struct Entry {
        QString base;
        std::string about;
        Checkpoint checkpoint;  ///< without image: none
    };
    const auto entries = std::make_shared<std::vector<Entry>>();
    std::map<int, std::string> next;
    for (const auto& item : desk_.runs().items()) {
        // A study that another window writes has its queue itself.
        if (!isInMemoryOnly(*item) || (isToCome(*item) && desk_.study().hasFolder())) {
            continue;
        }
        const std::string about = aboutRun(*item);
        const auto before = saved_.find(item->id());
        if ((before != saved_.end() && before->second == about) || !claimFolder()) {
            continue;
        }
        next[item->id()] = about;
        Entry& entry = entries->emplace_back(Entry{base(item->id()), about, {}});
        if (!isToCome(*item)) {
            entry.checkpoint = item->checkpoint(item->lastIterate(), desk_.study().measurement()->hash());
            entry.checkpoint.metricsJson = figuresToJson(item->figuresUpTo(item->lastIterate()));
            entry.checkpoint.image = item->images().rbegin()->second;
        }
    }
    for (const auto& item : desk_.runs().items()) {
        if (item->state() == RunState::Cancelled) {
            forget(item->id());
        }
    }
    if (entries->empty()) {
        return;
    }
    worker_.start(
        [entries] {
            for (Entry& entry : *entries) {
                if (entry.checkpoint.image != nullptr) {
                    writeCheckpoint((entry.base + ".ckpt").toStdString(), entry.checkpoint);
                }
                writeTextAside((entry.base + ".json").toStdString(), entry.about);
                entry.checkpoint.image.reset();
            }
        },
        [this, next](const std::exception_ptr& fault) {
            if (fault == nullptr) {
                for (const auto& [id, about] : next) {
                    saved_[id] = about;
                }
            } else if (!told_) {
                told_ = true;
                desk_.messages().add(
                    Severity::Warning,
                    tr("Runs that are in memory only would not survive a crash: %1").arg(sentence(fault)));
            }
        });
}

void RunRescue::saveNow() {
    worker_.join();
    save();
    worker_.join();
}

void RunRescue::forget(int id) {
    if (saved_.count(id) > 0) {
        worker_.join();
        removeFiles(base(id));
        saved_.erase(id);
    }
}

/// What is open goes; its runs stay on disk and can be had back.
void RunRescue::retire() {
    saveNow();
    if (saved_.empty()) {
        return;
    }
    lock_.reset();
    own_.clear();
    saved_.clear();
    find();
    announce(Severity::Note);
}

// ---- reading ----

void RunRescue::recover() {
    if (found_.empty()) {
        return;
    }
    const auto group = std::make_shared<Group>(found_.front());
    if (desk_.study().path() != group->data) {
        if (const auto binning = binningFromJson(savedIn(group->runs.front().about, "binning"))) {
            desk_.openList(group->data, *binning);
        } else {
            desk_.open({group->data});
        }
    }
    const auto runs = std::make_shared<std::vector<std::pair<Kept, StoredRun>>>();
    // Behind the data in the queue.
    desk_.tasks().add(
        tr("Recovering runs"),
        [group, runs](TaskControl&) {
            for (const Kept& kept : group->runs) {
                runs->emplace_back(
                    kept, kept.waits() ? StoredRun() : describeRun((kept.base + ".ckpt").toStdString()));
            }
        },
        [this, group, runs] { adopt(*group, *runs); });
}

void RunRescue::adopt(const Group& group, std::vector<std::pair<Kept, StoredRun>>& runs) {
    const auto& data = desk_.study().measurement();
    if (desk_.study().path() != group.data || !data) {
        return;  // could not be opened; that was said
    }
    std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
        return savedIn(a.first.about, "turn", 0) < savedIn(b.first.about, "turn", 0);
    });
    for (auto& [kept, run] : runs) {
        if (kept.waits()) {
            adoptWaiting(kept);
            continue;
        }
        if (run.made.dataHash != data->hash()) {
            desk_.messages().add(Severity::Error,
                                 tr("Run %1 was made from other data than %2 has now; it stays on disk")
                                     .arg(kept.text("label"), group.data));
            continue;
        }
        const int id = desk_.adoptRecovered(kept.text("label"), kept.text("name"), run);
        if (claimFolder() && QFile::rename(kept.base + ".ckpt", base(id) + ".ckpt") &&
            QFile::rename(kept.base + ".json", base(id) + ".json")) {
            saved_[id] = kept.about.dump();
        }
    }
    find();
}

void RunRescue::adoptWaiting(const Kept& kept) {
    try {
        const RunSettings settings = RunSettings::fromJson(kept.about["waits"], "a run that waits");
        const int id = desk_.queue().adoptWaiting(kept.text("label"), kept.text("name"), settings);
        if (claimFolder() && QFile::rename(kept.base + ".json", base(id) + ".json")) {
            saved_[id] = kept.about.dump();
        }
    } catch (const Error& fault) {
        desk_.messages().add(Severity::Error, fault.what());
    }
}

}  // namespace tof::ui
