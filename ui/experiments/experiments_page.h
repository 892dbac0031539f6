// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>

#include "ui/experiments/experiment_chart.h"
#include "ui/experiments/experiments_model.h"
#include "ui/kit/key_table.h"
#include "ui/kit/page.h"

class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;
class QTimer;
class QVBoxLayout;

namespace tof {
class EngineRegistry;
}  // namespace tof

namespace tof::ui {

class RunList;
class TaskQueue;

/// A picture as large as there is room, in its proportions.
class ScaledPicture : public QWidget {
    Q_OBJECT

  public:
    explicit ScaledPicture(QWidget* parent = nullptr);
    void setPicture(const QImage& picture) {
        picture_ = picture;
        update();
    }
    [[nodiscard]] const QImage& picture() const { return picture_; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QImage picture_;
};

/// The experiments with the papers: a list at the left with what came of each; what the chosen one is of, its
/// checks, curves and pictures at the right.
class ExperimentsPage : public Page {
    Q_OBJECT

  public:
    explicit ExperimentsPage(const EngineRegistry& engines, RunList& runs, TaskQueue& tasks,
                             QWidget* parent = nullptr);
    void addCommands(CommandRegistry& commands) override;
    void build(CommandRegistry& commands) override;
    void refresh() override;
    bool abandonDrag() override { return false; }
    [[nodiscard]] bool standsAlone() const override { return true; }
    [[nodiscard]] QString whyNoPicture() const override { return {}; }
    [[nodiscard]] QString shownName() override {
        return QString::fromStdString(model_.experiment(model_.selected()).name);
    }
    void stepImage(int step) override { model_.select(model_.selected() + step); }
    [[nodiscard]] ExperimentsModel& model() { return model_; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void buildList();
    void buildSheet(QVBoxLayout& column);
    void refreshList();
    void refreshProgress();
    void refreshSheet();
    void fillChecks(const ExperimentReport& report);
    void fillNumbers(const ExperimentReport& report);
    void showChosen();
    void chooseFolder();
    void chooseData();
    /// Which scanner or file the chosen experiment takes.
    void refreshData();
    /// Which data the chosen experiment takes; empty where it takes none of the user's.
    [[nodiscard]] QString dataText() const;
    [[nodiscard]] QString verdictText(int row) const;

    TaskQueue& tasks_;
    ExperimentsModel model_;
    QTimer* timer_;
    KeyTable* list_ = nullptr;
    QLabel* title_ = nullptr;
    QComboBox* named_ = nullptr;  ///< scanners that the experiment may test
    QStringList listed_;          ///< names and file that it shows
    QLabel* data_ = nullptr;
    QLabel* about_ = nullptr;
    QLabel* state_ = nullptr;
    KeyTable* checks_ = nullptr;
    QComboBox* choice_ = nullptr;  ///< what is shown below the checks
    QStackedWidget* shown_ = nullptr;
    ExperimentChart* chart_ = nullptr;
    ScaledPicture* picture_ = nullptr;
    KeyTable* numbers_ = nullptr;
    QLabel* nothing_ = nullptr;
    QSplitter* results_ = nullptr;
    std::shared_ptr<const ExperimentReport> filled_;  ///< what the sheet shows
    int filledRow_ = -1;
};

}  // namespace tof::ui
