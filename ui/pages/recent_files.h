// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QString>

namespace tof::ui {

/// What is remembered of a file beside its name: a small picture and what came of it.
class RecentFiles {
  public:
    /// `folder` empty: nothing is remembered.
    explicit RecentFiles(QString folder) : folder_(std::move(folder)) {}

    struct Look {
        QImage picture;  ///< null: none
        QString result;  ///< "3 runs, CRC 42.0 % at 28.0 % noise"; empty: none
    };
    void keep(const QString& path, const Look& look) const;
    [[nodiscard]] Look look(const QString& path) const;
    /// Forgets every file.
    void clear() const;

  private:
    [[nodiscard]] QString base(const QString& path) const;

    QString folder_;
};

/// "today 09:12", "yesterday", "12 Nov", "3 Nov 2025": when the file, or what a study's folder holds, was
/// changed last.
[[nodiscard]] QString changedText(const QString& path);

}  // namespace tof::ui
