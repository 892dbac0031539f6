// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ui/pages/workbench.h"

namespace tof::ui {

class Preferences;

/// A display range that the user has given a name to: values as they are shown, in one unit.
struct OwnRange {
    QString name;
    QString unit;
    DisplayRange range;
};

/// Ranges of the user's own, kept in the preferences, and their commands.
class OwnRanges : public QObject, private Workbench {
    Q_OBJECT

  public:
    /// `preferences` outlive this.
    OwnRanges(const Workbench& bench, Preferences& preferences);
    /// Those in the unit of the image on screen, by name.
    [[nodiscard]] std::vector<OwnRange> offered() const;
    /// Takes one of offered() by its name. Throws WrongUse listing them for another one.
    void use(const QString& name);

  private:
    [[nodiscard]] std::vector<OwnRange> all() const;
    void keep(const std::vector<OwnRange>& ranges);
    void askAndSave();
    /// One of offered(), chosen by the user; -1: none.
    [[nodiscard]] int choose(const QString& title) const;
    void askAndUse();
    /// Puts a row for each of offered() into the menu of ranges.
    void offerIn(QMenu& menu);
    void askAndForget();

    Preferences& preferences_;
};

}  // namespace tof::ui
