// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "ui/desk/desk.h"
#include "ui/kit/basic.h"
#include "ui/kit/choice_list.h"

class QLineEdit;

namespace tof::ui {

/// One row of the settings table as a field: choice, number or text, checked as it is left.
class SettingField : public QWidget {
    Q_OBJECT

  public:
    static constexpr int kFieldWidth = 112;  ///< px; leaves the longest label its room
    SettingField(const SettingInfo& info, Desk& desk, QWidget* parent = nullptr);
    /// Shows the desk's value.
    void refresh();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void commit(const QString& text);
    /// Of the open data; of histo-images while there are none.
    [[nodiscard]] std::string systemOfData() const;

    const SettingInfo& info_;
    Desk& desk_;
    ChoiceList* choices_ = nullptr;
    QLineEdit* field_ = nullptr;
    ElidedLabel* fault_;
};

}  // namespace tof::ui
