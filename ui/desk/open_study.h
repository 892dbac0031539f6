// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QStringList>
#include <memory>
#include <optional>
#include <string>

#include "recon/forms/forms.h"
#include "recon/study/study.h"
#include "recon/study/study_lock.h"
#include "recon/systems/histo/histo_measurement.h"
#include "ui/desk/draft_study.h"

namespace tof::ui {

/// The study or data that are open: what the next run reconstructs, where that came from, and the folder
/// that runs and changes are written into. Knows nothing of the runs themselves.
///
/// The Desk opens and closes; everybody else looks and waits for changed().
class OpenStudy : public QObject {
    Q_OBJECT

  public:
    /// True while neither a study nor data are open; runs and volumes may be.
    [[nodiscard]] bool isEmpty() const { return !measurement_ && !study_; }
    [[nodiscard]] const QString& name() const { return name_; }
    /// What the next run reconstructs; null when no data are open or those of the study are not read yet.
    [[nodiscard]] const std::shared_ptr<const Measurement>& measurement() const { return measurement_; }
    /// What is known of data of its form; null where that is none of forms(), or no data are open.
    [[nodiscard]] const Form* form() const { return measurement_ ? forms_.of(*measurement_) : nullptr; }
    /// The forms that data can have.
    [[nodiscard]] const FormTable& forms() const { return forms_; }
    /// The open data where they are histo-images, else null.
    [[nodiscard]] std::shared_ptr<const HistoData> histo() const { return histoData(measurement_.get()); }
    /// Name or JSON of the phantom that the data or run were made of; empty when none is known.
    [[nodiscard]] const std::string& phantom() const { return phantom_; }
    /// What the open data were read from: a data file, list-mode or a study folder; empty when none are open.
    [[nodiscard]] const QString& path() const { return path_; }
    /// How that was binned, where it is list-mode.
    [[nodiscard]] const std::optional<ListBinning>& binning() const { return binning_; }
    /// Paths that are open, in the order they were opened.
    [[nodiscard]] const QStringList& files() const { return files_; }
    /// The study's folder and what study.json says; null when data alone are open.
    [[nodiscard]] const Study* folder() const { return study_ ? &*study_ : nullptr; }
    [[nodiscard]] Study* folder() { return study_ ? &*study_ : nullptr; }
    [[nodiscard]] bool hasFolder() const { return study_.has_value(); }
    /// True while runs, queue, view and settings go into the folder of the study.
    [[nodiscard]] bool writes() const { return study_ && lock_ != nullptr; }
    /// Where runs, queue, view and settings go: the study while it is written, else a draft in the recovery
    /// folder, which is made at the first call. Throws CannotWrite.
    [[nodiscard]] Study& store();
    /// That study as far as it is there, or null.
    [[nodiscard]] Study* storeNow();
    /// True where a file is in the draft, and so in no folder of the user's.
    [[nodiscard]] bool isInDraft(const QString& file) const;
    /// The checkpoint of an interrupted run, in the draft or the study; empty where there is none.
    [[nodiscard]] std::string checkpointOf(const QString& run) const;

    /// While nothing is open.
    void setForms(FormTable forms) { forms_ = std::move(forms); }

    // For the Desk, which says changed() when all of it is done.
    void setSource(const QString& path, const std::optional<ListBinning>& binning);
    void setFolder(const Study& study) { study_ = study; }
    /// From now on the folder is written, which was locked before it was read.
    void setLock(std::unique_ptr<StudyLock> lock);
    /// Where drafts are made, so that their runs outlive the program; empty: in a temporary folder.
    void setDrafts(const QString& folder) { drafts_ = folder; }
    /// Runs that do not go into the study go with it when it is closed.
    void keepNoDraft() { draftEnds_ = DraftStudy::AtTheEnd::AllGoes; }
    /// These runs of the draft are in a study of the user's now.
    void draftSaved(const std::vector<std::string>& runs);
    void setMeasurement(std::shared_ptr<const Measurement> measurement);
    void setName(const QString& name) { name_ = name; }
    void setPhantom(const std::string& phantom) { phantom_ = phantom; }
    void addFile(const QString& path);
    enum class Left { Nothing, Runs };
    /// Says whether a draft with runs is left behind.
    Left clear();

  Q_SIGNALS:
    void changed();
    /// Drafts cannot be made where they outlive the program.
    void draftsFailed(const QString& sentence);

  private:
    FormTable forms_ = builtInForms();
    QString name_;
    std::shared_ptr<const Measurement> measurement_;
    std::string phantom_;
    QString path_;
    std::optional<ListBinning> binning_;
    QStringList files_;
    std::optional<Study> study_;
    std::unique_ptr<StudyLock> lock_;  ///< on the study's folder, while it is written
    QString drafts_;
    DraftStudy::AtTheEnd draftEnds_ = DraftStudy::AtTheEnd::RunsStay;
    std::unique_ptr<DraftStudy> draft_;
};

}  // namespace tof::ui
