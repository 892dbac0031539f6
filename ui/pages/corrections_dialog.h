// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <memory>
#include <string>
#include <vector>

#include "recon/seam/engine.h"
#include "ui/desk/correct_data.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QVBoxLayout;

namespace tof::ui {

class ChoiceList;
class Section;

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
    void turn(const std::string& part);
    /// What was asked for; call it after the dialog was accepted.
    [[nodiscard]] CorrectionWish wish() const;

  protected:
    void accept() override;

  private:
    struct FileField {
        QLineEdit* file = nullptr;
        QLabel* fault = nullptr;
    };
    void addPart(QGridLayout& grid, const std::string& part);
    void addWord(QGridLayout& grid, const QString& words);
    FileField addFile(QGridLayout& grid, const char* name, const QString& text, const QString& help);
    void addScanner(QGridLayout& grid);
    void addPanelWays(QGridLayout& grid);
    void fillScanners();
    void addScatterSettings(QVBoxLayout& column);
    void addFolder(QVBoxLayout& column, const QString& folder);
    void join();
    void grow();

    [[nodiscard]] QWidget* check();
    [[nodiscard]] QString whyNoList(const FileField& field, const std::string& part, const Scanner* scanner,
                                    void (*require)(const std::string&, const Scanner&)) const;
    [[nodiscard]] QString whyNoSingles(const Scanner* scanner) const;
    [[nodiscard]] QString whyNoVolume() const;
    [[nodiscard]] QString whyNoScanner(std::shared_ptr<const Scanner>& scanner) const;
    [[nodiscard]] QString whyNoFolder() const;

    [[nodiscard]] QCheckBox& box(const std::string& part) const;
    [[nodiscard]] bool used(const std::string& part) const;
    /// Ticked otherwise than the data have it.
    [[nodiscard]] bool turned(const std::string& part) const;
    [[nodiscard]] static std::string textOf(const FileField& field);
    /// The file of a part, where it is wanted.
    [[nodiscard]] std::string fileOf(const FileField& field, std::initializer_list<const char*> parts) const;
    [[nodiscard]] bool findsScatter() const;
    void wishRandoms(CorrectionWish& wish) const;

    CorrectionStates states_;
    const EngineRegistry& engines_;
    std::vector<std::pair<std::string, QCheckBox*>> boxes_;
    FileField norm_;
    FileField delayeds_;
    FileField singles_;
    FileField mu_;
    FileField folder_;
    ChoiceList* scanner_ = nullptr;  ///< of sinograms alone
    QLabel* scannerFault_ = nullptr;
    QComboBox* panelWay_ = nullptr;  ///< of panels alone
    Section* settings_ = nullptr;
    QSpinBox* rounds_ = nullptr;
    QCheckBox* tails_ = nullptr;
    QComboBox* units_ = nullptr;
    ChoiceList* engine_ = nullptr;
};

}  // namespace tof::ui
