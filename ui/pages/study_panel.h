// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <map>
#include <string>

#include "ui/kit/basic.h"
#include "ui/kit/commands.h"
#include "ui/pages/layer_rows.h"
#include "ui/pages/run_models.h"
#include "ui/pages/run_rows.h"
#include "ui/pages/setting_field.h"

class QLineEdit;

namespace tof {
class EngineRegistry;
class Measurement;
struct HistoData;
}  // namespace tof

namespace tof::ui {

/// The left panel: STUDY, KERNEL (of lines: PROJECTOR), RECONSTRUCT, RUNS, and LAYERS while there are
/// several.
class StudyPanel : public QWidget {
    Q_OBJECT

  public:
    /// What is given outlives the panel.
    StudyPanel(const RunModels& models, LayerModel& layers, ViewModel& view, const EngineRegistry& engines,
               CommandRegistry& commands);
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

    RunModels models_;
    const EngineRegistry& engines_;
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
    QToolButton* startQueue_ = nullptr;
    QWidget* runDetails_ = nullptr;
    ValueRow* runTime_ = nullptr;
    ValueRow* runMemory_ = nullptr;
    ValueRow* runPeak_ = nullptr;
    std::string kernelShown_;
    std::shared_ptr<const HistoData> kernelData_;
};

}  // namespace tof::ui
