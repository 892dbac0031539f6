// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <map>
#include <string>

#include "ui/desk/workspace.h"
#include "ui/kit/basic.h"
#include "ui/kit/commands.h"

class QLineEdit;
class QPainter;

namespace tof::ui {

/// One row of the settings table as a field: choice, number or text, checked as it is left.
class SettingField : public QWidget {
    Q_OBJECT

  public:
    SettingField(const SettingInfo& info, Workspace& workspace, QWidget* parent = nullptr);
    /// Shows the workspace's value.
    void refresh();

  private:
    void commit(const QString& text);

    const SettingInfo& info_;
    Workspace& workspace_;
    ComboBox* choices_ = nullptr;
    QLineEdit* field_ = nullptr;
    ElidedLabel* fault_;
};

/// The runs beside each other: symbol, name, state, progress. Click selects.
class RunRows : public QWidget {
    Q_OBJECT

  public:
    explicit RunRows(Workspace& workspace, QWidget* parent = nullptr);
    void refresh();
    [[nodiscard]] QSize sizeHint() const override;
    /// What a row says at its right: "7 of 20", "20 done", "queued".
    [[nodiscard]] static QString stateText(const RunItem& item);
    /// All of it, for the tooltip: what did not fit, and the settings that the next run has otherwise.
    [[nodiscard]] QString tip(const RunItem& item) const;

  Q_SIGNALS:
    void contextRequested(int runId, const QPoint& globalPosition);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;  ///< drags a run that waits to another place
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void drawFocus(QPainter& painter, int row) const;
    [[nodiscard]] RunItem* itemAt(QPointF at) const;
    [[nodiscard]] bool isOutdated(const RunItem& item) const;
    /// The mark "settings changed" at the right end of a line; returns its width with the space before it.
    double drawMark(QPainter& painter, const QRectF& line) const;

    Workspace& workspace_;
};

/// The left panel: STUDY, KERNEL (of lines: PROJECTOR), RECONSTRUCT, RUNS.
class StudyPanel : public QWidget {
    Q_OBJECT

  public:
    StudyPanel(Workspace& workspace, CommandRegistry& commands, QWidget* parent = nullptr);
    void refreshStudy();
    void refreshSettings();
    void refreshRuns();
    [[nodiscard]] Section* section(int index) const { return sections_[static_cast<std::size_t>(index)]; }

  Q_SIGNALS:
    void runContextRequested(int runId, const QPoint& globalPosition);

  private:
    /// Events and views of lines of response.
    void showData(const Measurement& open);
    void chooseKernel(int index);
    /// The presets, the user's own ones, and a file.
    void listKernels();
    void addField(const SettingInfo& info, QVBoxLayout& column);
    /// The kernel of histo-images and, in its place, the projector of lines.
    void buildModel(Section& section);
    void showModelOf(const std::string& system);
    void buildLiveRow(QVBoxLayout& column);
    void buildRunDetails(QVBoxLayout& column);
    void refreshRunDetails();

    Workspace& workspace_;
    std::vector<Section*> sections_;
    ValueRow* name_;
    ValueRow* events_;
    ValueRow* views_;
    ValueRow* lattice_;
    Section* model_;
    QWidget* kernelRows_;
    QWidget* lineFields_;
    ComboBox* kernel_;
    ValueRow* tof_;
    ValueRow* radial_;
    ValueRow* axial_;
    ValueRow* taps_;
    ElidedLabel* kernelFault_;
    std::map<std::string, SettingField*> fields_;
    QWidget* moreFields_;
    QWidget* liveRow_ = nullptr;
    QLineEdit* liveIterations_ = nullptr;
    RunRows* runs_;
    QToolButton* startQueue_ = nullptr;
    QWidget* runDetails_ = nullptr;
    ValueRow* runTime_ = nullptr;
    ValueRow* runMemory_ = nullptr;
    ValueRow* runPeak_ = nullptr;
    std::string kernelShown_;
    std::shared_ptr<const HistoData> kernelData_;
};

}  // namespace tof::ui
