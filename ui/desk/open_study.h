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
#include "ui/desk/list_binning.h"

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

    /// While nothing is open.
    void setForms(FormTable forms) { forms_ = std::move(forms); }

    // For the Desk, which says changed() when all of it is done.
    void setSource(const QString& path, const std::optional<ListBinning>& binning);
    void setFolder(const Study& study) { study_ = study; }
    /// From now on the folder is written. Throws CannotWrite while another program does.
    void lock();
    void setMeasurement(std::shared_ptr<const Measurement> measurement);
    void setName(const QString& name) { name_ = name; }
    void setPhantom(const std::string& phantom) { phantom_ = phantom; }
    void addFile(const QString& path);
    void clear();

  Q_SIGNALS:
    void changed();

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
};

}  // namespace tof::ui
