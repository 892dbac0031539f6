// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <map>
#include <string>

#include "ui/kit/basic.h"
#include "ui/kit/commands.h"
#include "ui/pages/layer_rows.h"
#include "ui/pages/run_rows.h"
#include "ui/pages/setting_field.h"

class QLineEdit;
class QUndoStack;

namespace tof {
class EngineRegistry;
class Measurement;
struct HistoData;
}  // namespace tof

namespace tof::ui {

class LayerModel;
class LiveTuning;
class OpenStudy;
class RunList;
class RunQueue;
class SettingsModel;
class ViewModel;

/// The left panel: STUDY, KERNEL (of lines: PROJECTOR), RECONSTRUCT, RUNS, and LAYERS while there are
/// several.
class StudyPanel : public QWidget {
    Q_OBJECT

  public:
    /// What the StudyPanel shows and changes; all of it outlives it.
    struct Models {
        const OpenStudy& study;
        RunList& runs;
        RunQueue& queue;
        LayerModel& layers;
        ViewModel& view;
        SettingsModel& settings;
        LiveTuning& live;
        const EngineRegistry& engines;
        QUndoStack& undo;
    };
    StudyPanel(const Models& models, CommandRegistry& commands, QWidget* parent = nullptr);
    void refresh();
    void refreshStudy();
    void refreshSettings();
    void refreshRuns();
    [[nodiscard]] const std::vector<Section*>& sections() const { return sections_; }

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

    Models models_;
    std::vector<Section*> sections_;
    ValueRow* name_;
    ValueRow* events_;
    ValueRow* views_;
    ValueRow* lattice_;
    Section* model_;
    QWidget* kernelRows_;
    QWidget* lineFields_;
    ChoiceList* kernel_;
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
    Section* layerSection_ = nullptr;
    QToolButton* startQueue_ = nullptr;
    QWidget* runDetails_ = nullptr;
    ValueRow* runTime_ = nullptr;
    ValueRow* runMemory_ = nullptr;
    ValueRow* runPeak_ = nullptr;
    std::string kernelShown_;
    std::shared_ptr<const HistoData> kernelData_;
};

}  // namespace tof::ui
