// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "recon/io/hdf5/run_io.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/seam/run_control.h"
#include "recon/settings/settings.h"
#include "recon/work/reconstruction_job.h"
#include "ui/kit/coalescer.h"

namespace tof::ui {

/// What a run is doing.
enum class RunState {
    Queued,      ///< waits for the run before it
    Preparing,   ///< tables, data, sensitivities
    Running,     ///< iterating
    Paused,      ///< stands still at a block boundary
    Done,        ///< all iterations
    Finished,    ///< ended early by the user, last whole iterate kept
    Cancelled,   ///< ended by the user; what is there is kept on screen, nothing on disk
    Failed,      ///< ended by an error, see `error`
    Opened,      ///< read from a file: a run or a volume
    Interrupted  ///< the program ended while it was going on; its checkpoint can be continued
};
[[nodiscard]] bool isActive(RunState state);

/// One reconstruction, or one opened volume, beside the others.
struct RunItem {
    int id = 0;            ///< never reused
    QString label;         ///< "A"
    QString name;          ///< "variant1", or a file's name
    bool renamed = false;  ///< by the user
    QString engine;        ///< "cpu, 2 threads"
    RunState state = RunState::Queued;
    QString error;         ///< one sentence when Failed
    QString file;          ///< run or volume file, empty when only in memory
    RunSettings settings;  ///< of a reconstruction
    bool isVolume = false;
    bool isLive = false;  ///< rewritten by live tuning
    int liveRounds = 0;   ///< how often that came to its end

    QString preparing;
    RunProgress progress;
    std::optional<double> remainingSeconds;
    double workSeconds = 0;     ///< of its last start, pauses left out
    double earlierSeconds = 0;  ///< before it was continued
    int turn = 0;               ///< place among those that wait, from 1; 0: does not wait
    bool held = false;          ///< waits until the queue is started
    RunMemory memory;           ///< that it holds, or held at its end
    RunMemory peak;             ///< the most that was told of each
    bool resume = false;        ///< goes on from its checkpoint or last iterate when its turn comes
    int before = 0;             ///< last iterate before it was continued; 0: it was not
    QString order;              ///< "pausing", "finishing", "cancelling": asked for, not yet reached

    Lattice lattice;
    QString units;
    std::string dataHash;                                 ///< of the data it was made from; empty for volumes
    std::map<int, std::shared_ptr<const Volume>> images;  ///< whole iterates held in memory
    std::vector<int> imagesOnDisk;                        ///< iterates that can be read from `file`
    std::shared_ptr<const Volume> live;                   ///< inside an iteration, newest
    std::vector<Figures> figures;                         ///< ascending iterations
    std::uint64_t roiRevision = 0;      ///< of the ROIs that all figures belong to; 0: others
    std::vector<StoredIterate> timing;  ///< ascending iterations
    int shown = 0;                      ///< iterate on screen; 0: follow the newest

    [[nodiscard]] int lastIterate() const;
    /// Time that was worked on it, as far as it is known.
    [[nodiscard]] double seconds() const;
    /// Iterate whose figures belong to what is on screen; 0 when there is none.
    [[nodiscard]] int shownIterate() const;
    /// The volume on screen, or null.
    [[nodiscard]] std::shared_ptr<const Volume> volume() const;
    /// The iterate that should be on screen and has to be read from `file` first; 0: none.
    [[nodiscard]] int missingImage() const;
    [[nodiscard]] const Figures* figuresOf(int iteration) const;
    /// "iterate 6", "iterate 7, view 63", "": what volume() is.
    [[nodiscard]] QString shownText() const;
    /// Every iterate that can be put on screen, ascending.
    [[nodiscard]] std::vector<int> iterates() const;
};

/// All runs and opened volumes, and which one is selected. No widgets. Changes are announced once per
/// event-loop turn.
class RunList : public QObject {
    Q_OBJECT

  public:
    explicit RunList(QObject* parent = nullptr);

    [[nodiscard]] const std::vector<std::unique_ptr<RunItem>>& items() const { return items_; }
    [[nodiscard]] RunItem* find(int id);
    [[nodiscard]] RunItem* selected() { return find(selected_); }
    [[nodiscard]] int selectedId() const { return selected_; }
    /// Position in the list, which gives colour and symbol; -1 when absent.
    [[nodiscard]] int indexOf(int id) const;
    /// Another run with an image on the same lattice: the next one in the list, or null. For read-outs and
    /// compare.
    [[nodiscard]] RunItem* other();

    /// Adds at the end with the next free label unless `label` is given; selects it when it is the first.
    RunItem& add(const QString& name, const QString& label = {});
    void remove(int id);
    /// The name that people read; label and file stay. An empty name is refused.
    void rename(int id, const QString& name);
    void clear();
    void select(int id);
    /// Puts these runs, in this order, on the places that they have now.
    void arrange(const std::vector<int>& ids);
    /// Selects the neighbour in the list.
    void selectNext(int step);
    /// Shows an iterate of a run; 0 follows the newest.
    void showIterate(int id, int iteration);
    /// Steps through the iterates of the selected run.
    void stepIterate(int step);
    void touch() { coalescer_->touch(); }
    void flush() { coalescer_->flush(); }

    /// Drops the oldest iterates of all runs until at most `bytes` of images are held; shown ones and last
    /// ones stay.
    void trim(std::size_t bytes);

  Q_SIGNALS:
    void changed();

  private:
    std::vector<std::unique_ptr<RunItem>> items_;
    int selected_ = 0;
    int nextId_ = 1;
    int nextLabel_ = 0;
    Coalescer* coalescer_;
};

}  // namespace tof::ui
