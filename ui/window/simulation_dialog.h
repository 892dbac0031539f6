// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <atomic>
#include <memory>
#include <optional>

#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"
#include "ui/desk/desk.h"
#include "ui/kit/worker.h"

class QCheckBox;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace tof::ui {

class ChoiceList;
class PhysicsForm;
class ScannerPicture;

/// What a new simulated study is made of: scanner and phantom, how events are made with which parts of the
/// physics, what is corrected with the data. What cannot be is said at its field, before the dialog closes;
/// time, size and memory are estimated as the fields change.
class SimulationDialog : public QDialog {
    Q_OBJECT

  public:
    /// `whyNoDevice`: empty where a device may follow the photons, else the reason.
    SimulationDialog(Threading threading, const QString& whyNoDevice, QWidget* parent = nullptr);
    ~SimulationDialog() override;
    /// What was asked for; call it after the dialog was accepted.
    [[nodiscard]] SimulationRequest request() const;

  protected:
    void accept() override;

  private:
    QLayout* makeLeft();
    QLayout* makeRight();
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
    [[nodiscard]] bool analytic() const;
    /// Empty when histo-images of events are made, which alone can be corrected, else the reason.
    [[nodiscard]] QString whyNoCorrections() const;
    /// Empty when the phantom has room in the scanner.
    [[nodiscard]] QString whyTooLarge() const;
    [[nodiscard]] double studyBytes() const;
    void fillEngines();
    [[nodiscard]] QString suggestedFolder() const;
    /// Sets the sentences at the fields; the first field that cannot be, or null.
    [[nodiscard]] QWidget* check();

    ChoiceList* scanner_;
    QLabel* scannerText_;
    QLabel* scannerFault_ = nullptr;
    ChoiceList* phantom_;
    ScannerPicture* picture_;
    QLabel* phantomText_;
    QLabel* phantomFault_ = nullptr;
    QLineEdit* events_;
    QLabel* eventsFault_ = nullptr;
    QSpinBox* seed_;
    QSpinBox* replicates_;
    QLabel* seeds_;
    ChoiceList* way_;
    PhysicsForm* physics_;
    QCheckBox* correctRandoms_;
    QCheckBox* correctScatter_;
    ChoiceList* engine_;
    QLabel* engineFault_ = nullptr;
    QLineEdit* blur_;
    QLabel* blurFault_ = nullptr;
    QCheckBox* noiseFree_;
    QCheckBox* background_;
    QCheckBox* attenuate_;
    QLineEdit* folder_;
    QLabel* folderFault_ = nullptr;
    QLabel* estimate_;
    QPushButton* simulate_;
    QString suggested_;
    QString whyNoDevice_;
    Worker timing_;
    std::shared_ptr<std::atomic<bool>> unwanted_ = std::make_shared<std::atomic<bool>>(false);
    QString timed_;  ///< scanner, phantom and physics that the pace belongs to
    std::optional<double> secondsPerEvent_;
    std::optional<double> bins_;      ///< of a ring scanner
    std::optional<Scanner> modules_;  ///< any other scanner
    std::optional<Phantom> object_;
};

/// Asks with the dialog; empty when the user changes their mind.
[[nodiscard]] std::optional<SimulationRequest> askForSimulation(QWidget* parent, Threading threading,
                                                                const QString& whyNoDevice);

}  // namespace tof::ui
