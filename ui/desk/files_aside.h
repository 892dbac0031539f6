// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

namespace tof {
class Study;
}  // namespace tof

namespace tof::ui {

/// Files of a deleted run, out of the way in the folder `deleted` of its study, so that deleting can be
/// undone while the study is open. Each is renamed, so that a program that is killed leaves it whole, here or
/// there.
class FilesAside {
  public:
    /// Moves those of `files` that exist, in their order; what cannot be moved is deleted.
    FilesAside(const QString& study, const QStringList& files);
    /// Deletes what is still aside.
    ~FilesAside();
    FilesAside(const FilesAside&) = delete;
    FilesAside& operator=(const FilesAside&) = delete;

    /// Moves them back, the last one first. False when one could not be.
    [[nodiscard]] bool putBack();

  private:
    QString folder_;
    std::vector<std::pair<QString, QString>> files_;  ///< where it was, where it is
};

/// Moves back what programs that were killed have left aside in a study: those runs were deleted, and nobody
/// was there to undo it. Files that are none of a run stay, and so does everything where a folder is a link.
/// A run whose letter has been given to another one since gets a new one. The letters of the runs that are
/// back.
[[nodiscard]] QStringList bringFilesBack(const Study& study);

}  // namespace tof::ui
