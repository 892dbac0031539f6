// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/request_row.h"
#include "recon/seam/engine.h"
#include "ui/desk/correct_data.h"

class QCheckBox;
class QVBoxLayout;

namespace tof::ui {

class RequestForm;

/// Which parts of the corrections of the open data are taken, and from which files those are found that the
/// data do not hold: a row for each part. What cannot be is grey and says why; a file that cannot be used
/// says so at its field, before the dialog closes.
class CorrectionsDialog : public QDialog {
    Q_OBJECT

  public:
    /// `folder` is what the new study is called to begin with. `engines` outlives the dialog.
    CorrectionsDialog(CorrectionStates states, const EngineRegistry& engines, const QString& folder,
                      QWidget* parent = nullptr);
    /// Ticks a part that is not taken, or unticks it.
    void turn(PartName part);
    /// What was asked for; call it after the dialog was accepted.
    [[nodiscard]] CorrectionWish wish() const;

  private:
    [[nodiscard]] std::vector<BoundRow> rowsOfData();
    void addParts(QVBoxLayout& column);
    [[nodiscard]] QWidget* makePart(const CorrectionState& state);
    void addPart(const CorrectionState& state);
    [[nodiscard]] PartName attenuated() const;
    [[nodiscard]] std::string fileRowOf(PartName part) const;
    /// Else what is found goes into the data for good, and cannot be switched.
    [[nodiscard]] bool keepsParts() const { return states_.form->kept == PartsKept::Beside; }
    void addScatterSettings(QVBoxLayout& column);
    void fillScanners();
    void fillEngines();
    void join();

    [[nodiscard]] QWidget* check();
    /// Throws what is wrong with a file for a scanner.
    using Require = std::function<void(const std::string& file, const Scanner& scanner)>;
    [[nodiscard]] QString whyNoList(const std::string& file, std::initializer_list<PartName> parts,
                                    const Scanner* scanner, const Require& require) const;
    [[nodiscard]] QString whyNoSingles(const Scanner* scanner) const;
    [[nodiscard]] QString whyNoVolume() const;
    [[nodiscard]] QString whyNoScanner(std::shared_ptr<const Scanner>& scanner) const;
    [[nodiscard]] QString whyNoFolder() const;

    [[nodiscard]] QCheckBox* box(PartName part) const;
    [[nodiscard]] bool used(PartName part) const;
    /// Ticked otherwise than the data have it.
    [[nodiscard]] bool turned(PartName part) const;
    /// The file, where one of its parts is wanted.
    [[nodiscard]] std::string fileOf(const std::string& file, std::initializer_list<PartName> parts) const;
    [[nodiscard]] bool namesMeasurement() const;
    [[nodiscard]] bool findsScatter() const;
    [[nodiscard]] bool findsByScanner() const;
    void wishRandoms(CorrectionWish& wish) const;

    CorrectionStates states_;
    const EngineRegistry& engines_;
    CorrectionWish typed_{};                   ///< what the fields hold
    std::shared_ptr<const Scanner> chosen_{};  ///< the scanner that was typed, once it was read
    std::vector<std::pair<PartName, QCheckBox*>> boxes_;
    RequestForm* files_ = nullptr;
    RequestForm* settings_ = nullptr;  ///< null: nobody finds scatter
    RequestForm* study_ = nullptr;
};

}  // namespace tof::ui
