// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include "ui/kit/commands.h"
#include "ui/kit/theme.h"

namespace tof::ui {

class Screen;
class SettingsModel;
class ViewModel;

class Cine;
class Preferences;
class SessionKeeper;

/// What the preference says; `system` is what it means by "as the system".
[[nodiscard]] ThemeKind preferredTheme(const Preferences& preferences, ThemeKind system);

/// Edit > Preferences, and what each of them does to the models.
class PreferenceCommands : public QObject {
    Q_OBJECT

  public:
    /// What is given outlives this; `window` owns it and is where the dialog stands.
    PreferenceCommands(CommandRegistry& commands, SettingsModel& settings, ViewModel& view, Screen& screen,
                       Preferences& preferences, ThemeKind systemTheme, Cine& cine, SessionKeeper& keeper,
                       QWidget& window);
    /// Applies all that are not as the models begin; for the start.
    void applyAll();
    /// The colour map that goes with a theme, unless the preferences name one.
    void proposeMap(ThemeKind kind);

  Q_SIGNALS:
    void themeRequested(ThemeKind kind);

  private:
    void apply(const QString& key);

    SettingsModel& settings_;
    ViewModel& view_;
    Screen& screen_;
    Preferences& preferences_;
    ThemeKind systemTheme_;
    Cine& cine_;
    SessionKeeper& keeper_;
    QWidget& window_;
};

}  // namespace tof::ui
