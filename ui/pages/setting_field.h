// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "recon/settings/settings.h"
#include "ui/kit/basic.h"
#include "ui/kit/choice_list.h"

class QLineEdit;
class QSlider;
class QUndoStack;
class QVBoxLayout;

namespace tof {
class EngineRegistry;
}  // namespace tof

namespace tof::ui {

class OpenStudy;
class SettingsModel;

/// One row of the settings table as a field: choice, number or text, checked as it is left.
class SettingField : public QWidget {
    Q_OBJECT

  public:
    static constexpr int kFieldWidth = 112;  ///< px; leaves the longest label its room
    SettingField(const SettingInfo& info, SettingsModel& settings, const OpenStudy& study,
                 const EngineRegistry& engines, QUndoStack& undo, QWidget* parent = nullptr);
    /// Shows the desk's value.
    void refresh();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    /// A logarithmic slider below the field.
    void addSlider(QVBoxLayout& column, const QString& label, const QString& help);
    enum class Step { Own, OfADrag };
    void commit(const QString& text, Step step = Step::Own);
    /// The system of the open data; that of histo-images while there are none.
    [[nodiscard]] std::string systemOfData() const;

    const SettingInfo& info_;
    SettingsModel& settings_;
    const OpenStudy& study_;
    const EngineRegistry& engines_;
    QUndoStack& undo_;
    ChoiceList* choices_ = nullptr;
    QLineEdit* field_ = nullptr;
    QSlider* slider_ = nullptr;
    ElidedLabel* fault_;
};

}  // namespace tof::ui
