// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "recon/study/study.h"
#include "recon/study/study_lock.h"
#include "ui/desk/list_binning.h"

namespace tof::ui {

/// A study in the recovery folder, whose data are elsewhere: runs go there while what is open is no study, or
/// one that is not written. A session holds its lock; runs that outlive the session are offered to the next.
class DraftStudy {
  public:
    /// What its runs are made of.
    struct Source {
        QString path;  ///< a data file, list-mode or a study folder
        std::optional<ListBinning> binning{};
    };
    enum class AtTheEnd { RunsStay, AllGoes };

    /// A new one in a folder of drafts. Throws CannotWrite.
    DraftStudy(const QString& drafts, Source source, AtTheEnd end);
    /// One that an earlier session has left. Throws BadInput where there is none, CannotWrite while a session
    /// holds it.
    explicit DraftStudy(const QString& folder);
    /// Removes it unless it has runs that are to stay.
    ~DraftStudy();
    DraftStudy(const DraftStudy&) = delete;
    DraftStudy& operator=(const DraftStudy&) = delete;

    [[nodiscard]] Study& study() { return study_; }
    [[nodiscard]] const Source& source() const { return source_; }
    /// All of it goes at the end.
    void discard() { end_ = AtTheEnd::AllGoes; }
    /// These runs are in a study of the user's now and go at the end.
    void saved(const std::vector<std::string>& runs) { saved_ = runs; }

  private:
    Source source_;
    AtTheEnd end_;
    std::optional<StudyLock> lock_;
    Study study_;
    std::vector<std::string> saved_;
};

/// Folders of drafts with runs that nobody holds, the one written last first. Those without runs go, and all
/// beyond `most`.
[[nodiscard]] std::vector<QString> draftsLeft(const QString& drafts, std::size_t most);

}  // namespace tof::ui
