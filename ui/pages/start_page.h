// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "ui/desk/desk.h"
#include "ui/kit/commands.h"
#include "ui/kit/preferences.h"

class QVBoxLayout;

class QLabel;
class QPushButton;

namespace tof::ui {

/// What the window shows before anything is open: drop zone, demo, simulation, recent files, engines.
class StartPage : public QWidget {
    Q_OBJECT

  public:
    StartPage(Desk& desk, CommandRegistry& commands, Preferences& preferences, QWidget* parent = nullptr);
    void refreshRecent();
    /// What an earlier session has left, as a card above everything; empty: none. `recover`: runs can be had
    /// back, else the session can be reopened.
    void showRecovery(const QString& sentence, bool recover);
    /// Asks the engines what they run on, away from the window.
    void probeEngines();

  private:
    void showEngines(const std::vector<std::tuple<QString, bool, QString>>& engines);

    Desk& desk_;
    Preferences& preferences_;
    QWidget* card_ = nullptr;
    QLabel* cardText_ = nullptr;
    QPushButton* cardReopen_ = nullptr;
    QPushButton* cardRecover_ = nullptr;
    QPushButton* cardDiscard_ = nullptr;
    QVBoxLayout* recent_;
    QVBoxLayout* engines_;
};

}  // namespace tof::ui
