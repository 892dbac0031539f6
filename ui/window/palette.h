// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QString>
#include <vector>

#include "ui/kit/commands.h"

class QLineEdit;
class QListWidget;

namespace tof::ui {

/// Commands that fit what was typed, the best first: every word must occur in menu, text, help or id; where
/// the text begins with it the command comes first, then where the text holds it, then the rest.
[[nodiscard]] std::vector<const Command*> matchingCommands(const CommandRegistry& commands,
                                                           const QString& typed);

/// A line to type in and the commands that fit: Enter runs one, what cannot run says why.
class Palette : public QDialog {
    Q_OBJECT

  public:
    Palette(CommandRegistry& commands, QWidget* parent);
    /// The command that Enter would run; null when none fits.
    [[nodiscard]] const Command* current() const;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void fill();
    void runCurrent();

    CommandRegistry& commands_;
    QLineEdit* line_;
    QListWidget* list_;
    std::vector<const Command*> shown_;
};

}  // namespace tof::ui
