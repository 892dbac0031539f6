// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/io/hdf5/run_io.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/seam/run_control.h"
#include "recon/settings/settings.h"
#include "recon/work/job_listener.h"
#include "recon/work/opened_frames.h"
#include "ui/desk/frame_range.h"

namespace tof {
struct StoredRun;
}  // namespace tof

namespace tof::ui {

enum class ImageKind : std::uint8_t;
struct RunNews;

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

/// What a run was asked for and has not reached yet.
enum class RunOrder { None, Pause, Finish, Cancel };
/// "pausing", "finishing", "cancelling": a word for translation; empty for None.
[[nodiscard]] const char* orderName(RunOrder order);

enum class RunKind {
    Reconstruction,
    Live,   ///< the one that live tuning rewrites
    Volume  ///< an image that was opened or kept; it has no settings
};

/// An iterate that is in memory, or else in the file of its run.
struct KeptImage {
    int iteration = 0;
    std::shared_ptr<const Volume> volume;  ///< null: in the file
    std::string file{};
    std::optional<VolumeReadOptions> choice{};  ///< how a frame of a dynamic image is read

    /// Reads it where it is in the file. Throws as readIterate() and readVolume() do, and
    /// what `heed` throws.
    [[nodiscard]] std::shared_ptr<const Volume> get(const std::function<void()>& heed) const;
};

/// One reconstruction, or one opened volume, beside the others: its state and everything that it has made.
///
/// A row of the RunList. Its state changes by the members below alone; whoever calls them touches the list.
class RunItem {
  public:
    RunItem(int id, RunKind kind, QString label, QString name);

    [[nodiscard]] int id() const { return id_; }                   ///< never reused
    [[nodiscard]] const QString& label() const { return label_; }  ///< "A"
    [[nodiscard]] const QString& name() const { return name_; }    ///< "variant1", or a file's name
    [[nodiscard]] bool renamed() const { return renamed_; }        ///< by the user
    [[nodiscard]] bool isVolume() const { return kind_ == RunKind::Volume; }
    /// Which colour, symbol and line it has (Theme::run, drawRunSymbol, runPen). It follows from the letter,
    /// so it is the same for life: A is 0, B is 1, and so on. Volumes have no colour: -1, -2, and so on.
    [[nodiscard]] int mark() const;
    [[nodiscard]] bool isLive() const { return kind_ == RunKind::Live; }

    /// What it is of, where whoever made it says so.
    [[nodiscard]] const std::optional<ImageKind>& madeAs() const { return madeAs_; }
    void setMadeAs(ImageKind kind) { madeAs_ = kind; }

    // How it was made, or is to be.
    [[nodiscard]] const RunSettings& settings() const { return settings_; }  ///< settings of a reconstruction
    [[nodiscard]] const QString& engine() const { return engine_; }          ///< "cpu, 2 threads"
    [[nodiscard]] const Lattice& lattice() const { return lattice_; }
    [[nodiscard]] const QString& units() const { return units_; }
    /// What values were multiplied by as its file states it beside its scales; 1 where it states nothing.
    [[nodiscard]] double statedFactor() const { return statedFactor_; }
    void setStatedFactor(double factor) { statedFactor_ = factor; }
    /// As Measurement::system(), of the data it was made from; empty for volumes and until it has begun.
    [[nodiscard]] const std::string& system() const { return system_; }
    /// The hash of the data it was made from; empty for volumes that are made of no run.
    [[nodiscard]] const std::string& dataHash() const { return dataHash_; }
    /// The image whose dose and body weight are its own: itself unless it was made of another.
    [[nodiscard]] const QString& uptakeOf() const { return uptakeOf_.isEmpty() ? label_ : uptakeOf_; }

    // Where it is.
    [[nodiscard]] RunState state() const { return state_; }
    [[nodiscard]] RunOrder order() const { return order_; }
    [[nodiscard]] const QString& error() const { return error_; }  ///< one sentence when Failed
    [[nodiscard]] const QString& preparing() const { return preparing_; }
    /// The share of what is prepared, 0..1, where that takes long.
    [[nodiscard]] const std::optional<double>& preparedShare() const { return preparedShare_; }
    [[nodiscard]] const RunProgress& progress() const { return progress_; }
    /// The share of the whole run that is done, 0..1.
    [[nodiscard]] double share() const;
    [[nodiscard]] const std::optional<double>& remainingSeconds() const { return remainingSeconds_; }
    /// Time that was worked on it, as far as it is known.
    [[nodiscard]] double seconds() const;
    /// The time since its last start, pauses left out.
    [[nodiscard]] double workSeconds() const { return workSeconds_; }
    [[nodiscard]] const RunMemory& memory() const { return memory_; }  ///< that it holds, or held at its end
    [[nodiscard]] const RunMemory& peak() const { return peak_; }      ///< the most that was told of each
    [[nodiscard]] int turn() const { return turn_; }   ///< place among those that wait, from 1; 0: does not
    [[nodiscard]] bool held() const { return held_; }  ///< waits until the queue is started
    /// Goes on from its checkpoint or last iterate when its turn comes.
    [[nodiscard]] bool resumes() const { return resumes_; }
    /// How often its counts are resampled and reconstructed, too; nothing once it is continued.
    [[nodiscard]] int replicates() const { return replicates_; }
    /// Last iterate before it was continued; 0: it was not, or goes on from its checkpoint.
    [[nodiscard]] int before() const { return before_; }
    /// Another program has written a checkpoint of it lately.
    [[nodiscard]] bool elsewhere() const { return elsewhere_; }
    void setElsewhere(bool elsewhere) { elsewhere_ = elsewhere; }

    // What it has made.
    [[nodiscard]] const QString& file() const { return file_; }  ///< run or volume, empty: only in memory
    /// Whole iterates held in memory.
    [[nodiscard]] const std::map<int, std::shared_ptr<const Volume>>& images() const { return images_; }
    /// Iterates that can be read from file().
    [[nodiscard]] const std::vector<int>& imagesOnDisk() const { return imagesOnDisk_; }
    [[nodiscard]] const std::vector<Figures>& figures() const { return figures_; }      ///< ascending
    [[nodiscard]] const std::vector<StoredIterate>& timing() const { return timing_; }  ///< ascending
    /// What its replicates say of the figures, as run files have it (RunSummary::bandsJson); null: it has
    /// none. Another text is another object.
    [[nodiscard]] const std::shared_ptr<const std::string>& bands() const { return bands_; }
    /// Revision of the ROIs that all figures belong to; 0: others.
    [[nodiscard]] std::uint64_t roiRevision() const { return roiRevision_; }
    [[nodiscard]] const Figures* figuresOf(int iteration) const;
    /// Settings that live tuning has left, with the figures of their last iterate.
    struct Left {
        RunSettings settings;
        Figures figures;
        std::uint64_t roiRevision = 0;  ///< that of the ROIs that were measured
    };
    /// The newest of them, each settings once, oldest first.
    [[nodiscard]] const std::vector<Left>& left() const { return left_; }
    /// Those of a run that ends with an iterate: figures come before the image that they belong to.
    [[nodiscard]] std::vector<Figures> figuresUpTo(int iteration) const;
    [[nodiscard]] int lastIterate() const;
    /// Where an iterate is.
    [[nodiscard]] KeptImage kept(int iteration) const;
    /// Every iterate that can be put on screen, ascending.
    [[nodiscard]] std::vector<int> iterates() const;

    /// What lets it go on after an iterate, whose image the caller adds. Without figures.
    [[nodiscard]] Checkpoint checkpoint(int iteration, const std::string& dataHash) const;

    // What is on screen of it.
    [[nodiscard]] int shown() const { return shown_; }  ///< iterate on screen; 0: follow the newest
    /// Iterate whose figures belong to what is on screen; 0 when there is none.
    [[nodiscard]] int shownIterate() const;
    /// The volume on screen, or null.
    [[nodiscard]] std::shared_ptr<const Volume> volume() const;
    /// The iterate that should be on screen and has to be read from file() first; 0: none.
    [[nodiscard]] int missingImage() const;
    /// True while there is a picture from inside an iteration.
    [[nodiscard]] bool showsWork() const { return live_ != nullptr; }
    /// True while it waits or is in work and has no whole image of its own yet.
    [[nodiscard]] bool awaitsFirstImage() const;
    /// What is on screen as far as it is whole: volume(), or the last iterate before one in work; or null.
    [[nodiscard]] std::shared_ptr<const Volume> wholeVolume() const;
    /// "iterate 6", "iterate 7, view 63", "": what volume() is.
    [[nodiscard]] QString shownText() const;
    void show(int iteration);

    // Frames of a dynamic image stand where a run has iterates. Iterate 0 is the mean over all of them.
    /// What is said of them; null: it is no dynamic image.
    [[nodiscard]] const DynamicInfo* dynamic() const { return frames_ ? &frames_->info : nullptr; }
    /// Those on screen: one, or several as their mean.
    [[nodiscard]] FrameRange framesShown() const;
    /// Those that were asked for last, whose mean may have to be made first.
    [[nodiscard]] FrameRange framesWanted() const;
    /// The mean over all of them.
    [[nodiscard]] std::shared_ptr<const Volume> timeMean() const { return kept(0).volume; }
    /// Clamped to those that there are. A mean is shown once setMean() brings it.
    void showFrames(FrameRange frames);
    void setMean(FrameRange frames, std::shared_ptr<const Volume> mean);
    void rename(const QString& name);

    // It waits.
    /// A new run with these settings, and so many of resampled counts after it.
    void plan(const RunSettings& settings, int replicates = 0);
    /// A run that has ended, or was interrupted, goes on up to the iterations of `settings`: from iterate
    /// `before`, or, 0, from its checkpoint.
    void planMore(const RunSettings& settings, int before);
    /// It does not go on after all: what was there before stays, what came since goes.
    void withdraw();
    void setTurn(int turn) { turn_ = turn; }
    void hold() { held_ = true; }
    void release() { held_ = false; }

    // It is in work.
    void begin(const std::string& dataHash, const Lattice& lattice, std::uint64_t roiRevision);
    void setSystem(const std::string& system) { system_ = system; }
    /// Sets the units of what it makes, as the data say (Measurement::units); emissions/voxel until then.
    void setUnits(const std::string& units) { units_ = QString::fromStdString(units); }
    /// False where nothing is said of it: live tuning gives up all the time.
    bool give(RunOrder order);
    /// Everything that the run has told but its images and figures. True when something has changed.
    bool report(const RunNews& news);
    void addIterate(Iterate iterate);
    /// A picture from inside an iteration.
    void showWork(std::vector<float> image);
    /// Live tuning: the first results of other settings take the place of all that was there.
    void rewrite(const RunSettings& settings, const QString& name, std::uint64_t roiRevision);

    // It has ended.
    void end(RunState state);
    void fail(const QString& error);
    /// By the user, or by the end of the program.
    void cancel();
    /// The program ends before anything of it was there: it begins anew, as the next one.
    void putBack();
    void setFile(const QString& file, std::vector<int> imagesOnDisk);
    /// What its file says of replicates; empty: nothing.
    void keepBands(const std::string& json);

    // It comes from elsewhere.
    void open(const StoredRun& run);
    /// Follows a run that another program is at work on, or has ended: what there was of it stays.
    void follow(const StoredRun& run);
    void open(std::shared_ptr<const Volume> volume);
    /// A volume is the mean of these frames, which come from its file by this choice, or from nowhere.
    void openFrames(const OpenedFrames& opened, const std::optional<VolumeReadOptions>& choice);
    /// A volume with the meaning of the image it was made of: scanned as long, of the same dose.
    void measuredAs(const RunItem& other);
    /// A volume that has iterates, as the run it was made of.
    void openIterates(const std::vector<std::pair<int, std::shared_ptr<const Volume>>>& iterates);
    /// An image of a run or of what was made of one, which figures are followed over iterates of.
    [[nodiscard]] bool hasIterates() const { return !isVolume() || iterates_; }
    /// All of its iterations were made before it was interrupted.
    void recovered() { state_ = RunState::Done; }

    // Images and figures.
    void addImage(int iteration, std::shared_ptr<const Volume> image);
    /// Drops the oldest images but those shown and the last one until `excess` bytes are gone; returns what
    /// is left of the excess.
    std::size_t dropImages(std::size_t excess);
    /// Figures of an iterate, measured with the ROIs of a revision. Those of several revisions belong to
    /// none.
    void measured(const Figures& figures, std::uint64_t roiRevision);
    void setFigures(std::vector<Figures> figures, std::uint64_t roiRevision);
    void setRoiRevision(std::uint64_t revision) { roiRevision_ = revision; }

  private:
    struct Frames {
        DynamicInfo info;
        std::optional<VolumeReadOptions> choice;
        std::shared_ptr<const Volume> all;     ///< mean over all
        std::shared_ptr<const Volume> mean{};  ///< mean of those shown, where they are several and not all
        int last = 0;                          ///< the last one shown; shown_ is the first
        FrameRange wanted{};                   ///< whose mean is being made
    };

    int id_ = 0;
    RunKind kind_ = RunKind::Reconstruction;
    QString label_;
    QString name_;
    bool renamed_ = false;
    std::optional<ImageKind> madeAs_;

    RunSettings settings_;
    QString engine_;
    Lattice lattice_;
    QString units_;
    double statedFactor_ = 1;
    std::string system_;
    std::string dataHash_;
    QString uptakeOf_;  ///< a letter; empty: its own

    RunState state_ = RunState::Queued;
    RunOrder order_ = RunOrder::None;
    QString error_;
    QString preparing_;
    std::optional<double> preparedShare_;
    RunProgress progress_;
    std::optional<double> remainingSeconds_;
    double workSeconds_ = 0;
    double earlierSeconds_ = 0;  ///< worked before it was continued
    RunMemory memory_;
    RunMemory peak_;
    int turn_ = 0;
    bool held_ = false;
    bool resumes_ = false;
    int replicates_ = 0;
    int before_ = 0;
    bool elsewhere_ = false;

    QString file_;
    std::map<int, std::shared_ptr<const Volume>> images_;
    std::optional<Frames> frames_;
    bool iterates_ = false;  ///< a volume's images are those of a run
    std::vector<int> imagesOnDisk_;
    std::shared_ptr<const Volume> live_;  ///< inside an iteration, newest
    std::vector<Figures> figures_;
    std::uint64_t roiRevision_ = 0;
    std::vector<StoredIterate> timing_;
    std::shared_ptr<const std::string> bands_;
    std::vector<Left> left_;
    int shown_ = 0;
};

}  // namespace tof::ui
