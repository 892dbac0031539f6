// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "recon/settings/settings.h"
#include "recon/sources/sensitivity_cache.h"
#include "ui/desk/run_context.h"
#include "ui/desk/run_driver.h"
#include "ui/desk/run_queue.h"
#include "ui/kit/coalescer.h"

namespace tof::ui {

/// Reconstructs the open data for a few iterations at every change of a setting, while it is switched on.
///
/// One run in the list is its own and is rewritten each time; its last image stays until the first of the new
/// settings is there. What is being computed is given up at its next block as soon as a setting changes;
/// there is never more than one set of settings waiting, the newest. An ordinary run goes first: it ends live
/// work, which starts again after it. Nothing is written to disk.
class LiveTuning : public QObject {
    Q_OBJECT

  public:
    static constexpr int kDefaultIterations = 3;

    /// `queue` outlives this.
    LiveTuning(const RunContext& context, RunQueue& queue, Threading threading);
    ~LiveTuning() override;

    [[nodiscard]] bool on() const { return on_; }
    enum class Begins { AtOnce, WithTheNextChange };
    /// On reconstructs at once, unless the selected run has these very settings or `begins` says otherwise.
    /// Off gives up what is being computed; the run stays in the list with the iterates there are, if any.
    void setOn(bool on, Begins begins = Begins::AtOnce);
    [[nodiscard]] int iterations() const { return iterations_; }
    /// Throws WrongUse unless 1..100.
    void setIterations(int iterations);

    /// True while something is computed or waits to be.
    [[nodiscard]] bool busy() const { return pending_ || driver_.busy(); }
    /// Id of its run in the list; 0 before the first.
    [[nodiscard]] int runId() const { return runId_; }
    struct Times {
        int iterations = 0;
        double firstImage_ms = 0;  ///< from the change of the setting to the first image of it
        double done_ms = 0;        ///< and to the last iterate
    };
    /// The times of the last change that was reconstructed to the end.
    [[nodiscard]] const std::optional<Times>& times() const { return times_; }
    /// Reconstructions begun and given up since the start; for tests.
    [[nodiscard]] int started() const { return started_; }
    [[nodiscard]] int abandoned() const { return abandoned_; }
    /// What it is doing or has done, for the status line; empty when off or before the first change.
    [[nodiscard]] QString sentence() const;

    /// Gives up and waits.
    void stop();
    /// Takes news from the run; called by a timer, and by tests.
    void drain() { driver_.drain(); }
    /// Where its runs are noted.
    void setLog(std::shared_ptr<Log> log) { driver_.setLog(std::move(log)); }
    void setFacts(std::shared_ptr<ImageFacts> facts) { driver_.setFacts(std::move(facts)); }

  Q_SIGNALS:
    void changed();

  private:
    [[nodiscard]] RunSettings wanted() const;
    [[nodiscard]] bool isShown() const;
    void ask();
    void look();
    void forget();
    void pump();
    void giveWay();
    void givenUp();
    void firstImage();
    void ended(const std::exception_ptr& fault);

    RunContext context_;
    RunQueue& queue_;
    bool on_ = false;
    int iterations_ = kDefaultIterations;
    bool pending_ = false;
    bool fresh_ = false;  ///< the run holds images of the settings in work
    int runId_ = 0;
    RunSettings seen_;
    RunSettings inWork_;
    QElapsedTimer clock_;
    qint64 changedAt_ = 0;
    qint64 workChangedAt_ = 0;
    Times workTimes_;
    std::optional<Times> times_;
    int started_ = 0;
    int abandoned_ = 0;
    std::shared_ptr<SensitivityCache> cache_;
    std::shared_ptr<DataHold> placedData_;  ///< so that the data move to a device once
    std::uint64_t roiRevision_ = 0;         ///< revision of the ROIs that the job in work measures
    Coalescer* coalescer_;
    RunDriver driver_;
};

}  // namespace tof::ui
