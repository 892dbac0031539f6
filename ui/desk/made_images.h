// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QUndoStack>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <vector>

#include "recon/io/format_table.h"
#include "recon/metrics/roi.h"
#include "recon/register/image_move.h"
#include "ui/desk/open_study.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/desk/tasks.h"

namespace tof::ui {

/// Images that are made of others and of what is known of the object, put beside the runs as volumes; and
/// which volumes a session has to bring back. Work is done away from the window.
class MadeImages : public QObject {
    Q_OBJECT

  public:
    enum class Kind {
        Truth,        ///< activity of the simulated phantom, with the total of the image
        Attenuation,  ///< the phantom's, 1/cm
        Bias,         ///< image against the truth, per cent
        Mean,         ///< the mean of several runs
        Deviation,    ///< SD of several runs, n - 1
        Filtered,     ///< every iterate of a run after a Gaussian filter
        Moved         ///< every iterate of a run, put elsewhere
    };
    /// "truth", "attenuation", "bias", "mean", "sd", "filtered", "moved"; throws WrongUse listing them for
    /// another name.
    [[nodiscard]] static Kind kindFromName(const QString& name);

    /// All of them outlive this.
    MadeImages(const OpenStudy& study, RunList& runs, ViewModel& view, Screen& screen, TaskQueue& tasks,
               QUndoStack& undo);

    /// Empty when such an image can be made now, else the reason.
    [[nodiscard]] QString whyNot(Kind kind);
    /// Makes it of the iterates on screen of these runs, of the one on screen where none is named; returns at
    /// once. Runs without an image, or on another lattice than the first one, are left out. Throws WrongUse
    /// for a letter that no run has.
    void make(Kind kind, const QStringList& runs = {});
    /// All iterates of a run, or a volume, after a Gaussian filter of this FWHM in mm: beside the run, with
    /// figures of its own. Throws WrongUse for a width outside 0.1 to 100 mm.
    void filter(const QString& run, double fwhm_mm);
    /// Filters likewise, with the narrowest filter that leaves the run's image on screen the noise
    /// that another run has there, by these ROIs (filterForNoise()); found away from the window. Throws
    /// WrongUse where there is no such noise, or less of it.
    void filterToNoiseOf(const QString& run, const QString& other, const RoiSet& rois);
    /// What was done to an image so that it lies elsewhere.
    struct Moved {
        QString of;    ///< letter of the image as it was
        QString onto;  ///< letter of the image on whose lattice it is sampled; empty: around itself
        ImageMove move;
    };
    /// How a moved image was made; nothing of others.
    [[nodiscard]] std::optional<Moved> movedAs(const QString& label) const;
    /// The image that turns and shifts of an image begin with: itself, or what it was moved from by them.
    [[nodiscard]] QString movesFrom(const QString& label) const;
    /// All iterates of a run, or a volume, put elsewhere: beside the run, or in the place of `label` where
    /// that is there. Returns at once; undone as one step. Throws WrongUse for letters that no image has.
    void move(const Moved& wish, const QString& label = {});
    /// Looks for the place where an image lies as another one does, by mutual information from its own place
    /// or from that of `label` on, and moves it there as move() does. Throws WrongUse for letters that no
    /// image has.
    void fit(const Moved& wish, const QString& fixed, const QString& label = {});
    /// While fit() or move() are at work.
    [[nodiscard]] bool moving() const { return !moving_.expired(); }
    /// Which of several volumes of its file an image is, for the session.
    void remember(const QString& label, const VolumeReadOptions& choice);
    /// What the list of a session says of the first image from a file, and the image's name.
    [[nodiscard]] static std::pair<VolumeReadOptions, QString> choiceIn(const nlohmann::json& saved,
                                                                        const QString& file);
    /// The runs that a mean is taken of when nobody chooses: all whose image lies on the lattice of the one
    /// on screen.
    [[nodiscard]] QStringList replicates();

    /// Every volume in the list that can be made or read again.
    [[nodiscard]] nlohmann::json toJson() const;
    /// Makes and reads those that are missing; returns at once.
    void fromJson(const nlohmann::json& saved);
    void clear();

  Q_SIGNALS:
    /// A moved image came, by this letter, or has another place.
    void movedAway(const QString& label);

  private:
    /// One image that another is made of.
    struct Operand {
        QString run;
        int iterate = 0;
        [[nodiscard]] bool operator<(const Operand& o) const {
            return std::tie(run, iterate) < std::tie(o.run, o.iterate);
        }
    };
    struct Recipe {
        Kind kind = Kind::Truth;
        std::vector<Operand> from;
        double fwhm_mm = 0;  ///< that of a filter
        ImageMove move{};    ///< steps of what is moved, without a lattice
        QString onto{};
        /// Made of every iterate by itself; what it is of is what its origin is.
        [[nodiscard]] bool ofEach() const { return kind == Kind::Filtered || kind == Kind::Moved; }
        [[nodiscard]] Volume of(const Volume& one, const std::optional<Lattice>& onto,
                                const ThreadPool& pool) const;
    };
    using Made = std::vector<std::pair<int, std::shared_ptr<const Volume>>>;  ///< by iterate
    /// A recipe and what came of it, which undo goes back to.
    struct Result {
        Recipe recipe;
        Made made;
    };
    [[nodiscard]] RunItem& itemOf(const QString& label);
    [[nodiscard]] static std::vector<Operand> everyIterateOf(const RunItem& item);
    void start(const Recipe& recipe, const QString& label);
    /// What start() does away from the window.
    using Work = std::function<void(TaskControl&)>;
    [[nodiscard]] Work workOn(const Recipe& recipe, const std::vector<KeptImage>& sources,
                              const std::shared_ptr<Made>& made);
    void putBeside(const Recipe& recipe, const Made& made, const QString& label);
    void putInPlace(const Result& result, const QString& label);
    void fill(RunItem& item, const Recipe& recipe, const Made& made);
    [[nodiscard]] static nlohmann::json saved(const Recipe& recipe);
    [[nodiscard]] static Recipe recipeIn(const nlohmann::json& saved);
    void add(const Recipe& recipe, const Made& made, const QString& label);
    [[nodiscard]] static QString nameOf(const Recipe& recipe);
    void readFile(const QString& path, const VolumeReadOptions& choice, const QString& name,
                  const QString& label, FrameRange frames);
    [[nodiscard]] bool isFrom(const RunItem& item, const QString& path,
                              const VolumeReadOptions& choice) const;
    [[nodiscard]] std::string phantom() const;

    const OpenStudy& study_;
    RunList& runs_;
    ViewModel& view_;
    Screen& screen_;
    TaskQueue& tasks_;
    std::map<QString, Recipe> made_;                ///< by the letter of the volume
    std::map<QString, Made> moved_;                 ///< what came of those that were moved, for undo
    std::map<QString, VolumeReadOptions> choices_;  ///< images that are one of several in their file
    QUndoStack& undo_;
    std::weak_ptr<Made> moving_;  ///< what a task makes of an image that is moved
    std::set<QString> coming_;    ///< letters of what is being brought back
    int session_ = 0;             ///< grows with clear(): what comes later belongs to nothing
};

}  // namespace tof::ui
