// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <optional>

#include "ui/desk/desk.h"
#include "ui/kit/worker.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace tof::ui {

class ChoiceList;
class GeometryPicture;

/// What a new simulated study is made of. What cannot be is said at its field, before the dialog closes; time
/// and size are estimated as the fields change.
class SimulationDialog : public QDialog {
    Q_OBJECT

  public:
    explicit SimulationDialog(Threading threading, QWidget* parent = nullptr);
    ~SimulationDialog() override;
    /// What was asked for; call it after the dialog was accepted.
    [[nodiscard]] SimulationRequest request() const;

  protected:
    void accept() override;

  private:
    struct Field;
    QWidget* withFault(QWidget* field, QLabel*& fault, const char* name);
    void browse(ChoiceList& list, const QString& title, const QString& filter);
    void browseFolder();
    void showScanner();
    void showPhantom();
    void enableFields();
    void refresh();
    /// Times a few thousand events away from the window.
    void calibrate();
    void showEstimate();
    [[nodiscard]] bool rings() const;
    [[nodiscard]] QString suggestedFolder() const;
    /// Sets the sentences at the fields; the first field that cannot be, or null.
    [[nodiscard]] QWidget* check();

    ChoiceList* scanner_;
    GeometryPicture* scannerPicture_;
    QLabel* scannerText_;
    QLabel* scannerFault_ = nullptr;
    ChoiceList* phantom_;
    GeometryPicture* phantomPicture_;
    QLabel* phantomText_;
    QLabel* phantomFault_ = nullptr;
    QLineEdit* events_;
    QLabel* eventsFault_ = nullptr;
    QSpinBox* seed_;
    QSpinBox* replicates_;
    QLabel* seeds_;
    QLineEdit* blur_;
    QLabel* blurFault_ = nullptr;
    QCheckBox* noiseFree_;
    QCheckBox* attenuate_;
    QLineEdit* folder_;
    QLabel* folderFault_ = nullptr;
    QLabel* estimate_;
    QPushButton* simulate_;
    QString suggested_;
    Worker timing_;
    QString timed_;  ///< scanner and phantom that the pace belongs to
    std::optional<double> secondsPerEvent_;
    std::optional<double> bins_;  ///< of a ring scanner
};

/// Asks with the dialog; empty when the user changes their mind.
[[nodiscard]] std::optional<SimulationRequest> askForSimulation(QWidget* parent,
                                                                Threading threading = Threading::Inline);

}  // namespace tof::ui
