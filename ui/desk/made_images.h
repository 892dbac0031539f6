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
        Filtered      ///< every iterate of a run after a Gaussian filter
    };
    /// "truth", "attenuation", "bias", "mean", "sd", "filtered"; throws WrongUse listing them for another
    /// name.
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
        std::vector<Operand> of;
        double fwhm_mm = 0;  ///< that of a filter
    };
    void start(const Recipe& recipe, const QString& label);
    using Made = std::vector<std::pair<int, std::shared_ptr<const Volume>>>;  ///< by iterate
    void putBeside(const Recipe& recipe, const Made& made, const QString& label);
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
    std::map<QString, VolumeReadOptions> choices_;  ///< images that are one of several in their file
    QUndoStack& undo_;
    std::set<QString> coming_;  ///< letters of what is being brought back
    int session_ = 0;           ///< grows with clear(): what comes later belongs to nothing
};

}  // namespace tof::ui
