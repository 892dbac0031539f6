// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <optional>

#include "recon/scanner/michelogram.h"
#include "recon/scanner/scanner.h"
#include "ui/desk/simulation_request.h"
#include "ui/kit/wish.h"
#include "ui/kit/worker.h"
#include "ui/pictures/phantom_finder.h"

class QLabel;

namespace tof::ui {

class RequestForm;
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

  private:
    [[nodiscard]] RequestForm& formOf(const std::string& key) const;
    void showScanner();
    [[nodiscard]] QString ringsText(const MichelogramSpec& spec) const;
    [[nodiscard]] static QString modulesText(const Scanner& scanner);
    /// Looks for the phantom that the field names.
    void findPhantom();
    /// The phantom in the scanner, once it was found, and a line about it.
    void showPhantom();
    void fillWays();
    void fillEngines();
    void takeDetection();
    void enablePhysics();
    void enableFields();
    /// After another scanner, phantom or way of counting was chosen.
    void refresh();
    /// Times a few thousand events away from the window.
    void calibrate();
    void showEstimate();
    [[nodiscard]] QString timeText(const SimulationRequest& wanted) const;
    [[nodiscard]] double studyBytes(const SimulationRequest& wanted) const;
    [[nodiscard]] bool rings() const;
    /// Whether singles are followed in time: what devices can do, and what has delayeds.
    [[nodiscard]] bool inTime() const;
    /// Empty when histo-images of events are made, which alone can be corrected, else the reason.
    [[nodiscard]] QString whyNoCorrections() const;
    /// Empty when the phantom has room in the scanner.
    [[nodiscard]] QString whyTooLarge() const;
    [[nodiscard]] QString whyNoFolder(const SimulationRequest& wanted, int replicate) const;
    [[nodiscard]] QString suggestedFolder() const;
    /// Sets the sentences at the fields; the first field that cannot be, or null.
    [[nodiscard]] QWidget* check();

    SimulationRequest asked_;  ///< what the fields hold
    RequestForm* left_;        ///< what is measured with what, how much, what is corrected, where it goes
    RequestForm* right_;       ///< how counts come about
    QLabel* scannerText_;
    QLabel* phantomText_;
    ScannerPicture* picture_;
    QLabel* seeds_;
    QLabel* physicsText_;  ///< why the scanner has no physics
    QLabel* estimate_;
    QString noScanner_;
    QString noPhantom_;
    QString suggested_;
    QString whyNoDevice_;
    Worker timing_;
    Wish wish_;      ///< for the timing
    QString timed_;  ///< scanner, phantom and physics that the pace belongs to
    std::optional<double> secondsPerEvent_;
    std::optional<double> bins_;          ///< bins of a ring scanner
    std::optional<Scanner> modules_;      ///< any other scanner
    std::optional<Detection> detection_;  ///< how events are detected; none: the scanner does not say it
    PhantomFinder phantom_;
};

}  // namespace tof::ui
