// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/run_rescue.h"

#include <QFileInfo>
#include <algorithm>
#include <map>

#include "recon/base/error.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/work/stored_run.h"
#include "ui/desk/desk.h"

namespace tof::ui {

/// A draft with its runs, held.
struct RunRescue::Read {
    struct Left {
        std::unique_ptr<DraftStudy> draft;
        std::vector<StoredRun> runs{};  ///< those that have begun
    };
    std::vector<Left> drafts;
};

namespace {

/// Runs of a draft that have begun, each with its last image.
std::vector<StoredRun> runsOf(Study study, const std::function<void()>& heed) {
    study.queue.clear();
    std::vector<StoredRun> runs;
    for (const std::string& name : study.allRuns()) {
        StoredRun run = describeRun(study, name);
        if (run.last == nullptr && !run.summary.savedImages.empty()) {
            run.lastIteration = run.summary.savedImages.back();
            run.last = std::make_shared<const Volume>(readIterate(run.file, run.lastIteration, heed));
        } else if (run.interrupted && QFileInfo::exists(QString::fromStdString(study.runFile(name)))) {
            RunSummary before = readRunSummary(study.runFile(name));
            run.summary.savedImages = std::move(before.savedImages);
            run.summary.bandsJson = std::move(before.bandsJson);
        }
        runs.push_back(std::move(run));
    }
    return runs;
}

}  // namespace

RunRescue::RunRescue(Desk& desk, const QString& folder, QObject* parent)
    : QObject(parent), desk_(desk), folder_(folder) {
    if (folder_.isEmpty()) {
        return;
    }
    desk_.setRecoveryFolder(folder_);
    find();
    announce(Severity::Warning);
    connect(&desk_, &Desk::runsLeft, this, [this] {
        find();
        announce(Severity::Note);
    });
}

void RunRescue::find() {
    found_.clear();
    for (const QString& folder : draftsLeft(folder_, kDrafts)) {
        try {
            DraftStudy draft(folder);
            const DraftStudy::Source& source = draft.source();
            auto group = std::find_if(found_.begin(), found_.end(),
                                      [&](const Group& g) { return g.source.path == source.path; });
            if (group == found_.end()) {
                group = found_.insert(found_.end(), Group{source, {}});
            }
            group->drafts.push_back(folder);
            group->runs += static_cast<int>(draft.study().allRuns().size());
        } catch (const Error&) {
            continue;  // another window has taken it meanwhile
        }
    }
}

void RunRescue::announce(Severity severity) {
    for (const Group& group : found_) {
        desk_.messages().add(severity, sentenceOf(group));
    }
}

QString RunRescue::sentenceOf(const Group& group) {
    const QString data = QFileInfo(group.source.path).fileName();
    return group.runs == 1
               ? tr("1 run of %1 is kept on disk: File > Recover runs brings it back").arg(data)
               : tr("%n runs of %1 are kept on disk: File > Recover runs brings them back", "", group.runs)
                     .arg(data);
}

QString RunRescue::summary() const {
    return found_.empty() ? QString() : sentenceOf(found_.front());
}

void RunRescue::discard() {
    if (found_.empty()) {
        return;
    }
    for (const QString& folder : found_.front().drafts) {
        try {
            DraftStudy(folder).discard();
        } catch (const Error& fault) {
            desk_.messages().add(Severity::Error, fault.what());
        }
    }
    find();
}

QString RunRescue::whyNot() const {
    return found_.empty() ? tr("No runs of an earlier session are kept") : QString();
}

void RunRescue::recover() {
    if (found_.empty()) {
        return;
    }
    const Group group = found_.front();
    if (desk_.study().path() != group.source.path) {
        if (group.source.binning) {
            desk_.openList(group.source.path, *group.source.binning);
        } else {
            desk_.open({group.source.path});
        }
    }
    desk_.tasks().then([this, group] { read(group); });
}

void RunRescue::read(const Group& group) {
    if (desk_.study().path() != group.source.path || desk_.study().measurement() == nullptr) {
        return;  // could not be opened; that was said
    }
    const auto left = std::make_shared<Read>();
    desk_.tasks().add(
        tr("Recovering runs"),
        [group, left](TaskControl& control) {
            for (const QString& folder : group.drafts) {
                auto draft = std::make_unique<DraftStudy>(folder);
                std::vector<StoredRun> runs = runsOf(draft->study(), [&control] { control.checkpoint(); });
                left->drafts.push_back({std::move(draft), std::move(runs)});
            }
        },
        [this, group, left] { adopt(group, *left); });
}

void RunRescue::adopt(const Group& group, Read& left) {
    const auto& data = desk_.study().measurement();
    if (desk_.study().path() != group.source.path || data == nullptr) {
        return;  // closed meanwhile
    }
    try {
        for (const auto& [draft, runs] : left.drafts) {
            std::map<std::string, QString> letters;
            for (const StoredRun& run : runs) {
                if (run.made.dataHash == data->hash()) {
                    letters[run.name] = desk_.adoptRecovered(draft->study(), run);
                    continue;
                }
                desk_.messages().add(Severity::Error,
                                     tr("Run %1 was made from other data than %2 has now; it stays on disk")
                                         .arg(QString::fromStdString(run.name), group.source.path));
            }
            adoptQueue(draft->study(), letters);
        }
    } catch (const CannotWrite& fault) {
        desk_.messages().add(Severity::Error, fault.what());
    }
    left.drafts.clear();
    find();
}

/// `letters`: what runs that have begun are called now.
void RunRescue::adoptQueue(Study& draft, const std::map<std::string, QString>& letters) {
    std::vector<QueuedRun> waiting;
    for (QueuedRun run : std::exchange(draft.queue, {})) {
        const auto now = letters.find(run.run);
        if (run.continues == (now != letters.end())) {
            run.run = run.continues ? now->second.toStdString() : run.run;
            waiting.push_back(std::move(run));
        }
    }
    draft.save();  // a run of other data may hold it on disk
    std::vector<std::pair<QString, QString>> names;
    for (const QueuedRun& run : waiting) {
        const QString letter = QString::fromStdString(run.run);
        if (!run.continues && desk_.runs().find(letter) == nullptr) {
            names.emplace_back(letter, QString::fromStdString(draft.givenName(run.run)));
        }
    }
    desk_.queue().adopt(waiting);
    for (const auto& [letter, name] : names) {
        desk_.runs().rename(desk_.runs().find(letter)->id(), name);
    }
}

}  // namespace tof::ui
