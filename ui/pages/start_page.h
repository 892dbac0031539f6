// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <tuple>
#include <vector>

#include "ui/kit/commands.h"
#include "ui/kit/preferences.h"

class QVBoxLayout;

class QLabel;
class QPushButton;

namespace tof {
class EngineRegistry;
}  // namespace tof

namespace tof::ui {

class TaskQueue;

/// What the window shows before anything is open: drop zone, demo, simulation, recent files, engines.
class StartPage : public QWidget {
    Q_OBJECT

  public:
    StartPage(const EngineRegistry& engines, TaskQueue& tasks, CommandRegistry& commands,
              Preferences& preferences, QWidget* parent = nullptr);
    void refreshRecent();
    /// What an earlier session has left: it can be reopened, or its runs can be had back.
    enum class Left { Session, Runs };
    /// Says so on a card above everything; an empty sentence takes the card away.
    void showRecovery(const QString& sentence, Left left);
    /// Asks the engines what they run on, away from the window.
    void probeEngines();

  Q_SIGNALS:
    void openRequested(const QString& path);

  private:
    /// Where files are dropped.
    [[nodiscard]] QWidget* makeZone();
    /// The zone, and what can be done without a file.
    [[nodiscard]] QVBoxLayout* makeOffers();
    [[nodiscard]] QWidget* makeCard();
    void showEngines(const std::vector<std::tuple<QString, bool, QString>>& engines);

    const EngineRegistry& engines_;
    TaskQueue& tasks_;
    CommandRegistry& commands_;
    Preferences& preferences_;
    QWidget* card_ = nullptr;
    QLabel* cardText_ = nullptr;
    QPushButton* cardReopen_ = nullptr;
    QPushButton* cardRecover_ = nullptr;
    QVBoxLayout* recent_;
    QVBoxLayout* engineRows_;
};

}  // namespace tof::ui
