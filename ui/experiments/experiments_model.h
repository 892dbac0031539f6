// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "recon/experiment/registry.h"

namespace tof {
class EngineRegistry;
}  // namespace tof

namespace tof::ui {

class RunList;
class TaskQueue;

/// Writes NAME.html and what goes with it into a folder; throws CannotWrite.
using ReportWriter = std::function<void(const std::string& folder, const Experiment& experiment,
                                        const ExperimentReport& report)>;

/// The experiments with the papers: which is chosen, which wait or go on, and what came of them. They are
/// tasks of the desk, one after the other, and are paused and cancelled as those are.
class ExperimentsModel : public QObject {
    Q_OBJECT

  public:
    /// What came of one.
    struct Result {
        std::shared_ptr<const ExperimentReport>
            report;                        ///< null where it failed, or only its files are known
        QString fault{};                   ///< why it failed
        std::optional<Verdict> verdict{};  ///< verdict of `report`, or of the file of an earlier time
        QString made{};                    ///< date and size of that, "2026-11-23 08:00, quick"
    };

    /// `desk` outlives the model.
    explicit ExperimentsModel(const EngineRegistry& engines, RunList& runs, TaskQueue& tasks,
                              QObject* parent = nullptr);

    /// Until there is a writer no files are written.
    void setWriter(ReportWriter write) { write_ = std::move(write); }
    [[nodiscard]] int count() const { return static_cast<int>(experiments().size()); }
    [[nodiscard]] const Experiment& experiment(int row) const {
        return experiments()[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] int selected() const { return selected_; }
    void select(int row);
    [[nodiscard]] ExperimentSize size() const { return size_; }
    void setSize(ExperimentSize size) {
        size_ = size;
        Q_EMIT changed();
    }
    /// Where reports go, and are looked for.
    [[nodiscard]] QString folder() const { return folder_; }
    void setFolder(const QString& folder);

    /// What reconstructs and is timed: "cpu" or "cuda"; until one is set, the device where there is one.
    [[nodiscard]] std::string engine() const;
    void setEngine(const std::string& name) {
        engine_ = name;
        Q_EMIT changed();
    }
    /// Empty when the engine is there, else the reason.
    [[nodiscard]] QString whyNotEngine(const std::string& name) const;
    /// What the selected experiment takes instead of the papers' data: a file, or one of namedData(); empty:
    /// nothing. Experiments that take data of the same kind share it.
    [[nodiscard]] QString ownData() const;
    void setOwnData(const QString& fileOrName);
    /// Names that the selected one takes besides files, the usual one first.
    [[nodiscard]] QStringList namedData() const;
    /// Empty when the selected one takes data of the user's own, else the reason.
    [[nodiscard]] QString whyNoOwnData() const {
        return experiment(selected_).ownData.empty() ? tr("This experiment takes no data of one's own")
                                                     : QString();
    }

    /// Empty when the selected one can be run now, else the reason.
    [[nodiscard]] QString whyNotRun() const;
    /// Puts the selected one into the desk's queue; returns at once.
    void run();
    /// What is known of one that waits or goes on.
    struct Progress {
        double share = -1;  ///< 0 to 1; negative while it waits
        QString step{};     ///< what is being done just now, one sentence; empty while it waits
    };
    /// Nothing of one that does neither.
    [[nodiscard]] std::optional<Progress> progress(int row) const;
    [[nodiscard]] bool inWork(int row) const { return progress(row).has_value(); }

    /// Null where it was not run.
    [[nodiscard]] const Result* result(int row) const {
        const auto at = results_.find(row);
        return at == results_.end() ? nullptr : &at->second;
    }
    /// The page of its report; empty where there is none.
    [[nodiscard]] QString reportFile(int row) const;
    /// A picture of its report; empty where there is none.
    [[nodiscard]] QString pictureFile(int row, const std::string& file) const;
    /// Empty when the selected one has images to be put beside the runs, else the reason.
    [[nodiscard]] QString whyNoImages() const;
    /// Puts the images of the selected one beside the runs and selects the first; returns how many.
    int openImages();

  Q_SIGNALS:
    void changed();

  private:
    struct Work;
    void readEarlier();

    const EngineRegistry& engines_;
    RunList& runs_;
    TaskQueue& tasks_;
    ReportWriter write_;
    int selected_ = 0;
    ExperimentSize size_ = ExperimentSize::Quick;
    std::string engine_;                      ///< empty: none was set
    std::map<std::string, QString> ownData_;  ///< by what experiments call their kind of data
    QString folder_;
    std::map<int, std::weak_ptr<Work>> work_;  ///< held by their tasks
    std::map<int, Result> results_;
};

}  // namespace tof::ui
